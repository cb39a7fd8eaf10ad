import type { FloatArray } from "../compute/index.ts";
import type { Layout } from "./layout.ts";
import { negativeLogLikelihood } from "./likelihood.ts";

/**
 * Mean loss of predictions f (rows×outputs) at the posterior mean: squared error for the identity
 * link, −log p for classes. Smaller is better.
 */
export function meanLoss(
  { link, outputs }: Layout,
  f: FloatArray,
  y: FloatArray,
  rows: Uint32Array,
): number {
  const row = new Float64Array(outputs);
  const slope = new Float64Array(outputs);
  let sum = 0;
  for (let i = 0; i < rows.length; i++) {
    for (let c = 0; c < outputs; c++) row[c] = f[i * outputs + c];
    sum +=
      link === "identity"
        ? (row[0] - y[rows[i]]) ** 2
        : negativeLogLikelihood(link, row, y[rows[i]], 0, slope);
  }
  return sum / rows.length;
}
