import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import type { Layout } from "./layout.ts";
import { type RowWeights, weightOf } from "./row-weights.ts";

/** Training sees (y − centre)/spread. */
export interface Scale {
  readonly centre: number;
  readonly spread: number;
}

/** Mean and standard deviation over the training rows, by their weights; classes are left as they are. */
export function responseScale(
  { link }: Layout,
  y: FloatArray,
  rows: Uint32Array,
  weights: RowWeights = null,
): Scale {
  if (link !== "identity") return { centre: 0, spread: 1 };
  const total = weightOf(rows, weights);
  const weight = (row: number) => (weights ? weights[row] : 1);
  let centre = 0;
  for (const i of rows) centre += (weight(i) * y[i]) / total;
  let squares = 0;
  for (const i of rows) squares += weight(i) * (y[i] - centre) ** 2;
  const spread = Math.sqrt(squares / Math.max(1, total - 1));
  return { centre, spread: spread > 0 ? spread : 1 };
}

/** Puts the output layer into the response's units: f ← centre + spread·f, τ² ← spread²·τ². */
export function scaleOutputInPlace(
  { hidden, outputs, mean, logSd, bias, logNoise, link }: Layout,
  theta: FloatArray,
  { centre, spread }: Scale,
): void {
  if (link !== "identity") return;
  for (let k = 0; k < outputs * hidden; k++) {
    theta[mean + k] *= spread;
    theta[logSd + k] += log(spread);
  }
  theta[bias] = theta[bias] * spread + centre;
  theta[logNoise] += 2 * log(spread);
}
