import type { FloatArray } from "../compute/index.ts";
import type { BatchNormalisationStage } from "./layout.ts";

/** Added to variances, as elsewhere. The training kernel has the same. */
export const VARIANCE_EPSILON = 1e-5;
/** In prediction z = factor·x + shift for each channel, by the running moments. */
export function predictionScale(
  { channels, weights, bias, mean, variance }: BatchNormalisationStage,
  theta: FloatArray,
): { factor: Float64Array; shift: Float64Array } {
  const factor = new Float64Array(channels);
  const shift = new Float64Array(channels);
  for (let c = 0; c < channels; c++) {
    factor[c] = theta[weights + c] / Math.sqrt(theta[variance + c] + VARIANCE_EPSILON);
    shift[c] = theta[bias + c] - factor[c] * theta[mean + c];
  }
  return { factor, shift };
}
