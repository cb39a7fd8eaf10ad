import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix, multiplyVector } from "../linalg/index.ts";
import type { LowRankGaussian } from "./low-rank-gaussian.ts";

/** Mean-field output weights w ~ N(mean, diag(covariance)), the shape that effect sizes are made from. */
export interface VariationalWeights {
  readonly mean: Float64Array;
  /** l variances. */
  readonly covariance: Float64Array;
}

/** q(w) = N(m, diag v) of a trained output layer, checked. */
export function variationalWeights({
  mean,
  variance,
}: {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}): VariationalWeights {
  if (variance.length !== mean.length)
    throw shapeError("variationalWeights", `${mean.length} variances`, `${variance.length}`);
  const at = variance.findIndex((v, k) => !(v >= 0 && Number.isFinite(v + mean[k])));
  if (at >= 0)
    throw new RatewiseError(
      "domain",
      `variationalWeights: needs finite means and variances ≥ 0, got ${mean[at]} and ${variance[at]} for unit ${at} (counted from 0)`,
      { unit: at },
    );
  return { mean, covariance: variance };
}

/** f = Hw + b at the rows of H (n×l): mean Hm + b, factor H·diag(√v). O(n·l). */
export function functionPosterior(
  H: Matrix,
  weights: VariationalWeights,
  bias = 0,
): LowRankGaussian {
  const { mean, covariance } = weights;
  const l = mean.length;
  if (H.cols !== l)
    throw shapeError("functionPosterior", `${l} hidden units, one a weight`, `${H.cols}`);
  const sd = covariance.map(Math.sqrt);
  return {
    mean: multiplyVector(H, mean).map((f) => f + bias),
    factor: matrix(
      H.rows,
      l,
      H.data.map((h, e) => h * sd[e % l]),
    ),
  };
}
