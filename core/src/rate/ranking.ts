import { type Order, stableOrder } from "./order.ts";

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

/** Spearman's correlation of two orders without NaN, ties at their average rank; null when one side has no variation. */
export function spearman(x: Order, y: Order): number | null {
  const [a, b] = [averageRanks(x), averageRanks(y)];
  const mean = (a.length + 1) / 2;
  let [aa, bb, ab] = [0, 0, 0];
  for (let j = 0; j < a.length; j++) {
    aa += (a[j] - mean) ** 2;
    bb += (b[j] - mean) ** 2;
    ab += (a[j] - mean) * (b[j] - mean);
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : null;
}

function averageRanks(order: Order): Float64Array {
  const rank = new Float64Array(order.index.length);
  for (let start = 0; start < order.index.length; ) {
    const end = endOfTie(order, start);
    for (let i = start; i < end; i++) rank[order.index[i]] = (start + 1 + end) / 2;
    start = end;
  }
  return rank;
}

function endOfTie({ value }: Order, start: number): number {
  let end = start + 1;
  while (end < value.length && value[end] === value[start]) end++;
  return end;
}
