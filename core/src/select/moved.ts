import { RatewiseError, shapeError } from "../errors.ts";
import { quantile } from "../evaluate/index.ts";
import type { Matrix } from "../linalg/index.ts";
import { type Adjustment, adjustPValues } from "./false-discovery.ts";

export interface MovedOptions {
  /** Coverage of the intervals, default 0.9. */
  readonly level?: number;
  /** Rate of false alarms among the moved, default 0.1. */
  readonly fdr?: number;
  readonly adjustment?: Adjustment;
}

/** How shares of importance differ between two models, second minus first; one entry per variable. */
export interface Movement {
  readonly difference: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Twice the smaller tail of the difference beyond zero: 1 where the two overlap fully. */
  readonly tail: Float64Array;
  readonly moved: boolean[];
}

/**
 * Whether importance moved between two fitted models, from independent draws of all scores of each (s×p, the same variables; posterior draws, a mixture, or row
 * bootstraps). Scores are compared as shares of each draw's sum, since totals of different models mean different things. A variable moved when its tail
 * probability passes the adjustment for p variables. O(s·p).
 */
export function compareImportance(
  first: Matrix,
  second: Matrix,
  { level = 0.9, fdr = 0.1, adjustment = "benjamini-hochberg" }: MovedOptions = {},
): Movement {
  const where = "compareImportance";
  const p = first.cols;
  if (second.cols !== p) throw shapeError(where, `${p} variables in both`, `${second.cols}`);
  const s = Math.min(first.rows, second.rows);
  if (s < 20)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs at least 20 draws of each, got ${s}`,
    });
  const [a, b] = [shares(first), shares(second)];
  const difference = new Float64Array(p);
  const lower = new Float64Array(p);
  const upper = new Float64Array(p);
  const tail = new Float64Array(p);
  for (let j = 0; j < p; j++) {
    const gaps = Float64Array.from({ length: s }, (_, d) => b[d * p + j] - a[d * p + j]);
    difference[j] = gaps.reduce((sum, gap) => sum + gap, 0) / s;
    lower[j] = quantile(gaps, (1 - level) / 2);
    upper[j] = quantile(gaps, (1 + level) / 2);
    let [above, below] = [0, 0];
    for (const gap of gaps) {
      if (gap >= 0) above++;
      if (gap <= 0) below++;
    }
    tail[j] = Math.min(1, (2 * (1 + Math.min(above, below))) / (1 + s));
  }
  const q = adjustPValues(tail, adjustment);
  return { difference, lower, upper, tail, moved: Array.from(q, (value) => value <= fdr) };
}

function shares({ data, rows, cols }: Matrix): Float64Array {
  const out = new Float64Array(rows * cols);
  for (let d = 0; d < rows; d++) {
    let sum = 0;
    for (let j = 0; j < cols; j++) sum += data[d * cols + j];
    for (let j = 0; j < cols; j++) out[d * cols + j] = sum > 0 ? data[d * cols + j] / sum : 0;
  }
  return out;
}
