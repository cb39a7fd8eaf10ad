import { shapeError } from "../errors.ts";
import { endOfTie, type Order, stableOrder } from "./order.ts";

/** Anything indexable that holds numbers. */
export type Numbers = ArrayLike<number>;

/** Ranks 1 … n in increasing order; ties share the average of the ranks they span; 0 for NaN. */
export function averageRanks(values: Numbers): Float64Array {
  return ranksOf(stableOrder(Float64Array.from(values)), values.length);
}

/** Pearson's correlation of the average ranks; NaN where one side is constant. */
export function spearman(a: Numbers, b: Numbers): number {
  if (a.length !== b.length) throw shapeError("spearman", `${a.length} values`, `${b.length}`);
  return correlate(averageRanks(a), averageRanks(b));
}

/** The same of two orders that are there already, without NaN. */
export function spearmanOfOrders(a: Order, b: Order): number {
  return correlate(ranksOf(a, a.index.length), ranksOf(b, b.index.length));
}

function ranksOf(order: Order, length: number): Float64Array {
  const ranks = new Float64Array(length);
  for (let start = 0; start < order.index.length; ) {
    const end = endOfTie(order, start);
    for (let i = start; i < end; i++) ranks[order.index[i]] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

function correlate(a: Float64Array, b: Float64Array): number {
  const middle = (a.length + 1) / 2;
  let [aa, bb, ab] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    aa += (a[i] - middle) ** 2;
    bb += (b[i] - middle) ** 2;
    ab += (a[i] - middle) * (b[i] - middle);
  }
  return ab / Math.sqrt(aa * bb);
}
