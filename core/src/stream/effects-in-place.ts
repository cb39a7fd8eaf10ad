import { multiplyFactorInto, weightFactor } from "../effects/gaussian-weights.ts";
import {
  type EffectSizes,
  type GaussianWeights,
  type NoiseOptions,
  type Projected,
  projectedEffects,
} from "../effects/index.ts";
import { checkNoise } from "../effects/projected.ts";
import { matrix, multiplyVector, rowBlock } from "../linalg/index.ts";

/** Rows of B weighed at a time. */
const BLOCK = 4096;

/**
 * As projectedEffects, but the factor takes the place of B = `projected.hidden`, which is lost: for a million variables
 * that is half the memory. Where V has not full rank, the factor is narrower and stands apart.
 */
export function projectedEffectsInPlace(
  projected: Projected,
  weights: GaussianWeights,
  options: NoiseOptions = {},
): EffectSizes {
  const where = "projectedEffectsInPlace";
  const { names, hidden: B, squaredNorms } = projected;
  const F = weightFactor(where, weights, B.cols, 1);
  if (!(F instanceof Float64Array) && F.cols !== B.cols)
    return projectedEffects(projected, weights, options);
  const { noiseVariance } = options;
  const tau2 = noiseVariance === undefined ? 0 : checkNoise(where, noiseVariance);
  const noise = noiseVariance === undefined ? null : squaredNorms.map((square) => tau2 * square);
  const mean = multiplyVector(B, weights.mean);
  const weighed = matrix(Math.min(BLOCK, B.rows), B.cols);
  for (let start = 0; start < B.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, B.rows);
    const out = rowBlock(weighed, 0, end - start);
    multiplyFactorInto(out, rowBlock(B, start, end), F);
    B.data.set(out.data, start * B.cols);
  }
  return { names, mean, factor: B, noise };
}
