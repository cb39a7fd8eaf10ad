import { RatewiseError } from "../errors.ts";

/** What the filter made of statistics W. */
export interface FilterResult {
  /** T, or Infinity when nothing is selected. */
  readonly threshold: number;
  readonly selected: boolean[];
  /** The smallest rate at which each would be selected; 1 where none. */
  readonly qValues: Float64Array;
}

/**
 * The filter of Barber and Candès (2015): with t over {|W_j| : W_j ≠ 0}, T is the smallest t with
 * (offset + #{W ≤ −t})/max(1, #{W ≥ t}) ≤ fdr, and {j : W_j ≥ T} is selected. offset 1 ("knockoff+")
 * controls the false discovery rate for any number of rows, given exchangeable copies. O(p log p).
 */
export function knockoffFilter(W: ArrayLike<number>, fdr: number, offset: 0 | 1 = 1): FilterResult {
  requireRate("knockoffFilter", fdr);
  const order = Uint32Array.from({ length: W.length }, (_, j) => j)
    .filter((j) => W[j] !== 0)
    .sort((a, b) => Math.abs(W[b]) - Math.abs(W[a]));
  const bad = Array.from(W).findIndex(Number.isNaN);
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: "knockoffFilter",
      what: `needs numbers, got NaN at ${bad}`,
    });
  const qValues = new Float64Array(W.length).fill(1);
  // From the largest |W| down: the estimate at every distinct t.
  const estimates: { t: number; estimate: number; from: number; to: number }[] = [];
  let [positive, negative] = [0, 0];
  for (let from = 0; from < order.length; ) {
    const t = Math.abs(W[order[from]]);
    let to = from;
    for (; to < order.length && Math.abs(W[order[to]]) === t; to++) {
      if (W[order[to]] > 0) positive++;
      else negative++;
    }
    estimates.push({ t, estimate: (offset + negative) / Math.max(1, positive), from, to });
    from = to;
  }
  let threshold = Number.POSITIVE_INFINITY;
  let least = 1;
  for (let i = estimates.length - 1; i >= 0; i--) {
    const { t, estimate, from, to } = estimates[i];
    least = Math.min(least, estimate);
    if (estimate <= fdr && threshold === Number.POSITIVE_INFINITY) threshold = t;
    for (let k = from; k < to; k++) if (W[order[k]] > 0) qValues[order[k]] = least;
  }
  return { threshold, selected: Array.from(W, (w) => w >= threshold), qValues };
}

/** W_u = score_u − score of its copy: `scores` holds the units, then their copies. */
export function knockoffStatistics(scores: Float64Array): Float64Array {
  const p = scores.length / 2;
  return Float64Array.from({ length: p }, (_, j) => scores[j] - scores[p + j]);
}

export function requireRate(where: string, fdr: number): void {
  if (!(fdr > 0 && fdr < 1))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a rate inside (0, 1), got ${fdr}`,
      option: "fdr",
    });
}
