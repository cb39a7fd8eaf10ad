import type { FloatArray } from "../compute/index.ts";
import { weightedMean } from "../linalg/moments.ts";
import type { Layout } from "./layout.ts";
import { negativeLogLikelihood } from "./likelihood.ts";
import type { RowWeights } from "./row-weights.ts";

/**
 * Mean loss of predictions f (rows×outputs) at the posterior mean: squared error for the identity
 * link, −log p for classes. Smaller is better.
 */
export function meanLoss(
  layout: Layout,
  f: FloatArray,
  y: FloatArray,
  rows: Uint32Array,
  weights: RowWeights = null,
): number {
  const losses = rowLosses(layout, f, y, rows);
  return weightedMean(losses, weights && Float64Array.from(rows, (row) => weights[row]));
}

/** The same of each row. */
export function rowLosses(
  { link, outputs }: Pick<Layout, "link" | "outputs">,
  f: FloatArray,
  y: FloatArray,
  rows: Uint32Array,
): Float64Array {
  const row = new Float64Array(outputs);
  const slope = new Float64Array(outputs);
  return Float64Array.from(rows, (at, i) => {
    for (let c = 0; c < outputs; c++) row[c] = f[i * outputs + c];
    return link === "identity"
      ? (row[0] - y[at]) ** 2
      : negativeLogLikelihood(link, row, y[at], 0, slope);
  });
}

/** y − f of each row, or for classes its indicators less the probabilities: what is left to explain, rows×outputs. */
export function leftOf(
  { link, outputs }: Pick<Layout, "link" | "outputs">,
  f: FloatArray,
  y: FloatArray,
  rows: Uint32Array,
): Float64Array {
  const left = new Float64Array(rows.length * outputs);
  const row = new Float64Array(outputs);
  const slope = new Float64Array(outputs);
  rows.forEach((at, i) => {
    for (let c = 0; c < outputs; c++) row[c] = f[i * outputs + c];
    if (link === "identity") slope[0] = row[0] - y[at];
    else negativeLogLikelihood(link, row, y[at], 0, slope);
    for (let c = 0; c < outputs; c++) left[i * outputs + c] = -slope[c];
  });
  return left;
}
