import { shapeError } from "../errors.ts";

/** Anything indexable that holds numbers. */
export type Numbers = ArrayLike<number>;

/** Ranks 1 … n in increasing order; ties share the average of the ranks they span. O(n log n). */
export function averageRanks(values: Numbers): Float64Array {
  const n = values.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(n);
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && values[order[end]] === values[order[start]]) end++;
    for (let i = start; i < end; i++) ranks[order[i]] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/** Pearson's correlation of the average ranks; NaN where one side is constant. */
export function spearman(a: Numbers, b: Numbers): number {
  if (a.length !== b.length) throw shapeError("spearman", `${a.length} values`, `${b.length}`);
  const ra = averageRanks(a);
  const rb = averageRanks(b);
  const middle = (a.length + 1) / 2;
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += (ra[i] - middle) * (rb[i] - middle);
    aa += (ra[i] - middle) ** 2;
    bb += (rb[i] - middle) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}
