import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite } from "../linalg/checks.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import { multiplyInto } from "../linalg/products.ts";
import { factorCovariance } from "./factor-covariance.ts";

/** Random weights w ~ N(mean, covariance) of the last layer. */
export interface GaussianWeights {
  /** m, one value a hidden unit. */
  readonly mean: Float64Array;
  /** V: l variances (mean-field), or the full l×l matrix (Laplace). */
  readonly covariance: Float64Array | Matrix;
}

/** F with V = F Fᵀ: l standard deviations for a diagonal V, otherwise l×r by Cholesky or eigenvectors. */
export type WeightFactor = Float64Array | Matrix;

/** The factor of V times `scale`, once m and V are known to fit l hidden units and to be possible. */
export function weightFactor(
  where: string,
  { mean, covariance }: GaussianWeights,
  l: number,
  scale: number,
): WeightFactor {
  if (mean.length !== l)
    throw shapeError(where, `${l} weights, one per hidden unit`, `${mean.length}`);
  const at = firstNonFinite(mean);
  if (at >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs finite weights, got ${mean[at]} for unit ${at} (counted from 0)`,
      unit: at,
    });
  if (covariance instanceof Float64Array)
    return standardDeviations(where, covariance, l).map((sd) => sd * scale);
  if (covariance.rows !== l)
    throw shapeError(
      where,
      `a ${l}×${l} covariance of the weights`,
      `${covariance.rows}×${covariance.cols}`,
    );
  const { rows, cols, data } = factorCovariance(where, "covariance of the weights", covariance);
  return matrix(
    rows,
    cols,
    data.map((value) => value * scale),
  );
}

function standardDeviations(where: string, variances: Float64Array, l: number): Float64Array {
  if (variances.length !== l)
    throw shapeError(where, `${l} variances of the weights`, `${variances.length}`);
  const at = variances.findIndex((v) => !(v >= 0 && v < Number.POSITIVE_INFINITY));
  if (at >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs finite variances ≥ 0 of the weights, got ${variances[at]} for unit ${at} (counted from 0)`,
      unit: at,
    });
  return variances.map(Math.sqrt);
}

/** out ← B F. O(p·l) for a diagonal F, O(p·l·r) for a full one. */
export function multiplyFactorInto(out: Matrix, B: Matrix, F: WeightFactor): void {
  if (!(F instanceof Float64Array)) {
    multiplyInto(out, B, F);
    return;
  }
  const l = F.length;
  for (let j = 0; j < B.rows; j++)
    for (let k = 0; k < l; k++) out.data[j * l + k] = B.data[j * l + k] * F[k];
}
