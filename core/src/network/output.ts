import type { FloatArray } from "../compute/index.ts";
import { exp } from "../elementary/index.ts";
import type { Layout } from "./layout.ts";

/** E f = h_iᵀm_c + b_c, rows×outputs, from the last hidden layer. */
export function meanOutput(
  { hidden: l, outputs, mean, bias }: Layout,
  theta: FloatArray,
  H: FloatArray,
  rows: number,
): Float64Array {
  const out = new Float64Array(rows * outputs);
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < outputs; c++) {
      let sum = theta[bias + c];
      for (let k = 0; k < l; k++) sum += H[i * l + k] * theta[mean + c * l + k];
      out[i * outputs + c] = sum;
    }
  return out;
}

/** Var f = Σ_k h_ik² v_ck, rows×outputs. */
export function outputVariance(
  { hidden: l, outputs, logSd }: Layout,
  theta: FloatArray,
  H: FloatArray,
  rows: number,
): Float64Array {
  const v = Float64Array.from({ length: outputs * l }, (_, k) => exp(2 * theta[logSd + k]));
  const out = new Float64Array(rows * outputs);
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < outputs; c++) {
      let sum = 0;
      for (let k = 0; k < l; k++) sum += H[i * l + k] ** 2 * v[c * l + k];
      out[i * outputs + c] = sum;
    }
  return out;
}
