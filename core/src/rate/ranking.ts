import { endOfTie, type Order, stableOrder } from "../evaluate/order.ts";

/** 1 for the largest score, ties by input order, 0 for NaN. */
export function rankDescending(scores: Float64Array): Uint32Array {
  return ranksDescending(stableOrder(scores), scores.length);
}

/** Of p scores in the given order: 1 for the largest, ties by input order, 0 for NaN. */
export function ranksDescending(order: Order, p: number): Uint32Array {
  const n = order.index.length;
  const rank = new Uint32Array(p);
  for (let start = 0; start < n; ) {
    const end = endOfTie(order, start);
    for (let i = start; i < end; i++) rank[order.index[i]] = n - end + 1 + (i - start);
    start = end;
  }
  return rank;
}
