import { meanOf } from "../linalg/moments.ts";
import type { Numbers } from "./ranks.ts";

/**
 * The standard error of a mean. Rows of one group may be alike, so the groups are what varies:
 * SE² = G/(G − 1)·Σ_g(Σ_{i∈g}(x_i − x̄))²/n². Without groups each row is one, and this is s/√n.
 */
export function standardErrorOfMean(values: Numbers, groups: Numbers | null = null): number {
  const n = values.length;
  const mean = meanOf(values);
  const sums = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    const group = groups ? groups[i] : i;
    sums.set(group, (sums.get(group) ?? 0) + values[i] - mean);
  }
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  return Math.sqrt(((sums.size / (sums.size - 1)) * squares) / (n * n));
}

/**
 * What each row moves R² by (its influence): −(e² − (1 − R²)d²)/s², e the row's residual, d its distance from the mean and s² the
 * mean of d². Their mean is 0, and the standard error of their mean is that of R².
 */
export function influenceOnRSquared(predicted: Numbers, y: Numbers): Float64Array {
  const mean = meanOf(y);
  const squares = Float64Array.from(y, (value) => (value - mean) ** 2);
  const errors = Float64Array.from(y, (value, i) => (value - predicted[i]) ** 2);
  const spread = meanOf(squares);
  const unexplained = meanOf(errors) / spread;
  return errors.map((error, i) => -(error - unexplained * squares[i]) / spread);
}
