import { errorOfMean, weightedMean } from "../linalg/moments.ts";
import type { RowWeights } from "./row-weights.ts";

/** By how much the loss of some rows fell from one model to another, row by row. */
export interface Gain {
  readonly mean: number;
  /** Standard error of `mean`. */
  readonly error: number;
  /** Whether the mean is above so many standard errors, and no trifle: a larger model has to earn its place. */
  readonly convincing: boolean;
}

/** The least share of the loss that a gain takes off it. */
const LEAST_SHARE = 0.002;

export interface GainOptions {
  readonly weights?: RowWeights;
  /** Standard errors that a convincing gain is above; default one. */
  readonly errors?: number;
  /** The least share of the loss that it takes off, default {@link LEAST_SHARE}. */
  readonly share?: number;
}

export function gain(
  before: Float64Array,
  after: Float64Array,
  { weights = null, errors = 1, share = LEAST_SHARE }: GainOptions = {},
): Gain {
  const fallen = before.map((loss, i) => loss - after[i]);
  const mean = weightedMean(fallen, weights);
  const error = weights ? errorOfWeightedMean(fallen, weights, mean) : errorOfMean(fallen);
  const least = Math.max(errors * error, share * weightedMean(before, weights));
  return { mean, error, convincing: mean > least };
}

/** √(Σw²(x − x̄)²·n/(n − 1))/Σw: of a ratio of sums over rows. */
function errorOfWeightedMean(values: Float64Array, weights: Float64Array, mean: number): number {
  let [squares, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    squares += (weights[i] * (values[i] - mean)) ** 2;
    total += weights[i];
  }
  return Math.sqrt((squares * values.length) / (values.length - 1)) / total;
}
