import { errorOfMean, meanOf } from "../linalg/moments.ts";

/** By how much the loss of some rows fell from one model to another, row by row. */
export interface Gain {
  readonly mean: number;
  /** Standard error of `mean`. */
  readonly error: number;
  /** Whether the mean is above its standard error, or as many as were asked for, and no trifle: a larger model has to earn its place. */
  readonly convincing: boolean;
}

/** The least share of the loss that a gain takes off it. */
const LEAST_SHARE = 0.002;

export interface Convincing {
  /** Standard errors that the mean has to exceed, default 1. */
  readonly errors?: number;
  /** The least share of the loss, default {@link LEAST_SHARE}. */
  readonly share?: number;
}

export function gain(
  before: Float64Array,
  after: Float64Array,
  { errors = 1, share = LEAST_SHARE }: Convincing = {},
): Gain {
  const fallen = before.map((loss, i) => loss - after[i]);
  const mean = meanOf(fallen);
  const error = errorOfMean(fallen);
  const least = Math.max(errors * error, share * meanOf(before));
  return { mean, error, convincing: mean > least };
}
