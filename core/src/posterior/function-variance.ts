import { shapeError } from "../errors.ts";
import { type Matrix, multiply } from "../linalg/index.ts";

/** Var f = h_iᵀVh_i at every row of H, for l variances or a full l×l covariance. O(n·l), O(n·l²). */
export function functionVariances(H: Matrix, covariance: Float64Array | Matrix): Float64Array {
  const l = covariance instanceof Float64Array ? covariance.length : covariance.rows;
  if (H.cols !== l)
    throw shapeError("functionVariances", `${l} hidden units, as the covariance`, `${H.cols}`);
  const out = new Float64Array(H.rows);
  const HV = covariance instanceof Float64Array ? null : multiply(H, covariance);
  for (let e = 0; e < H.data.length; e++)
    out[Math.floor(e / l)] +=
      H.data[e] * (HV ? HV.data[e] : H.data[e] * (covariance as Float64Array)[e % l]);
  return out;
}
