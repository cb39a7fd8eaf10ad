import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import type { Layout } from "./layout.ts";

/** Training sees (y − centre)/spread. */
export interface Scale {
  readonly centre: number;
  readonly spread: number;
}

/** Mean and standard deviation over the training rows; classes are left as they are. */
export function responseScale({ link }: Layout, y: FloatArray, rows: Uint32Array): Scale {
  if (link !== "identity") return { centre: 0, spread: 1 };
  let centre = 0;
  for (const i of rows) centre += y[i] / rows.length;
  let squares = 0;
  for (const i of rows) squares += (y[i] - centre) ** 2;
  const spread = Math.sqrt(squares / Math.max(1, rows.length - 1));
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
