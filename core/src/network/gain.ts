import { errorOfMean, meanOf } from "../linalg/moments.ts";

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

/** @param errors standard errors that a convincing gain is above */
export function gain(before: Float64Array, after: Float64Array, errors = 1): Gain {
  const fallen = before.map((loss, i) => loss - after[i]);
  const mean = meanOf(fallen);
  const error = errorOfMean(fallen);
  const least = Math.max(errors * error, LEAST_SHARE * meanOf(before));
  return { mean, error, convincing: mean > least };
}
