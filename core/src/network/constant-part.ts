import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import { matrix } from "../linalg/index.ts";
import type { Layout } from "./layout.ts";
import type { LinearPart } from "./linear-part.ts";
import { type RowWeights, weightOf } from "./row-weights.ts";

/** What is known without any column: the mean response, or the logits of the classes' shares. Its one combination is 0. */
export function constantPart(
  columns: number,
  y: FloatArray,
  { link, outputs }: Pick<Layout, "link" | "outputs">,
  rows: Uint32Array,
  weights: RowWeights = null,
): LinearPart {
  const total = weightOf(rows, weights);
  const weight = (row: number) => (weights ? weights[row] : 1);
  const bias = new Float64Array(outputs);
  if (link === "identity") for (const row of rows) bias[0] += (weight(row) * y[row]) / total;
  else {
    // Half a row more of each class: a class in no row keeps a probability.
    const counts = new Float64Array(Math.max(2, outputs)).fill(0.5);
    for (const row of rows) counts[y[row]] += weight(row);
    if (link === "logistic") bias[0] = log(counts[1] / counts[0]);
    else for (let c = 0; c < outputs; c++) bias[c] = log(counts[c] / total);
  }
  const [combinations, none] = [matrix(columns, 1), matrix(outputs, 1)];
  return { combinations, weights: none, bias, priorVariance: Float64Array.of(1) };
}
