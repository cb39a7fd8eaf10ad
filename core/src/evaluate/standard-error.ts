import { weightedMean } from "../linalg/moments.ts";
import type { Numbers } from "./ranks.ts";

/**
 * The standard error of a mean. Rows of one group may be alike, so the groups are what varies:
 * SE² = G/(G − 1)·Σ_g(Σ_{i∈g}w_i(x_i − x̄))²/(Σw)². Without groups each row is one, and without weights this is s/√n.
 *
 * @param weights what each row counts, in x̄ too; default the same
 */
export function standardErrorOfMean(
  values: Numbers,
  groups: Numbers | null = null,
  weights: Numbers | null = null,
): number {
  const n = values.length;
  const mean = weightedMean(values, weights);
  let whole = weights ? 0 : n;
  const sums = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    const group = groups ? groups[i] : i;
    const apart = sums.get(group) ?? 0;
    if (weights) {
      sums.set(group, apart + weights[i] * (values[i] - mean));
      whole += weights[i];
    } else sums.set(group, apart + values[i] - mean);
  }
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  return Math.sqrt(((sums.size / (sums.size - 1)) * squares) / (whole * whole));
}

/**
 * What each row moves R² by (its influence): −(e² − (1 − R²)d²)/s², e the row's residual, d its distance from the mean and s² the
 * mean of d². Their mean is 0, and the standard error of their mean is that of R².
 *
 * @param weights what each row counts in all means, also in that of the influences; default the same
 */
export function influenceOnRSquared(
  predicted: Numbers,
  y: Numbers,
  weights: Numbers | null = null,
): Float64Array {
  const mean = weightedMean(y, weights);
  const squares = Float64Array.from(y, (value) => (value - mean) ** 2);
  const errors = Float64Array.from(y, (value, i) => (value - predicted[i]) ** 2);
  const spread = weightedMean(squares, weights);
  const unexplained = weightedMean(errors, weights) / spread;
  return errors.map((error, i) => -(error - unexplained * squares[i]) / spread);
}
