import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite } from "../linalg/checks.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import { factorCovariance } from "./factor-covariance.ts";

/** Random weights w ~ N(mean, covariance) of the last layer. */
export interface GaussianWeights {
  /** m, one value a hidden unit. */
  readonly mean: Float64Array;
  /** V: l variances (mean-field), or the full l×l matrix (Laplace). */
  readonly covariance: Float64Array | Matrix;
}

/** F with V = F Fᵀ, l×r: √V for a diagonal V, otherwise Cholesky or eigenvectors. Checks shapes and signs. */
export function weightFactor(where: string, weights: GaussianWeights, l: number): Matrix {
  const { mean, covariance } = weights;
  if (mean.length !== l)
    throw shapeError(where, `${l} weights, one a hidden unit`, `${mean.length}`);
  const at = firstNonFinite(mean);
  if (at >= 0)
    throw new RatewiseError(
      "domain",
      `${where}: needs finite weights, got ${mean[at]} for unit ${at} (counted from 0)`,
      { unit: at },
    );
  if (!(covariance instanceof Float64Array)) {
    if (covariance.rows !== l)
      throw shapeError(
        where,
        `a ${l}×${l} covariance of the weights`,
        `${covariance.rows}×${covariance.cols}`,
      );
    return factorCovariance(where, "covariance of the weights", covariance);
  }
  if (covariance.length !== l)
    throw shapeError(where, `${l} variances of the weights`, `${covariance.length}`);
  const factor = matrix(l, l);
  for (let k = 0; k < l; k++) {
    const variance = covariance[k];
    if (!(variance >= 0 && variance < Number.POSITIVE_INFINITY))
      throw new RatewiseError(
        "domain",
        `${where}: needs finite variances ≥ 0 of the weights, got ${variance} for unit ${k} (counted from 0)`,
        { unit: k },
      );
    factor.data[k * l + k] = Math.sqrt(variance);
  }
  return factor;
}
