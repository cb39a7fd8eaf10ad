import { shapeError } from "../errors.ts";
import { gram, type Matrix, matrix } from "../linalg/index.ts";
import { meansOfColumns } from "../linalg/moments.ts";

/** The sample moments of weights: what effect sizes take. */
export interface SampledWeights {
  readonly mean: Float64Array;
  /** l×l, with s − 1 in the denominator; of rank at most s − 1. */
  readonly covariance: Matrix;
}

/**
 * Gaussian weights from s draws of them (s×l), of whatever sampler: their mean and covariance. O(s·l²).
 * Draws of f itself, or of effect sizes, need no weights: effectsFromFunctionDraws, effectsFromDraws.
 */
export function weightsFromDraws(draws: Matrix): SampledWeights {
  const { rows: s, cols: l } = draws;
  if (s < 2) throw shapeError("weightsFromDraws", "at least 2 draws, one per row", `${s}`);
  const mean = meansOfColumns(draws);
  const centred = matrix(
    s,
    l,
    draws.data.map((value, e) => (value - mean[e % l]) / Math.sqrt(s - 1)),
  );
  return { mean, covariance: gram(centred) };
}
