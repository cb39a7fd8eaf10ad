import { RatewiseError } from "../errors.ts";
import { firstNonFinite } from "../linalg/checks.ts";
import { type Matrix, matrix, rowBlock } from "../linalg/matrix.ts";
import { multiplyVectorInto } from "../linalg/products.ts";
import type { EffectSizes } from "./effect-sizes.ts";
import { type GaussianWeights, multiplyFactorInto, weightFactor } from "./gaussian-weights.ts";

/**
 * What a projection P (p×n) makes of the hidden units, before any weights are known: one of these
 * serves every class and every contrast of a network, and every refit of its last layer.
 */
export interface Projected {
  readonly names: readonly string[];
  /** B = P H, p×l. */
  readonly hidden: Matrix;
  /** diag(P Pᵀ): the squared length of each row of P. */
  readonly squaredNorms: Float64Array;
}

export interface NoiseOptions {
  /** τ², the variance of a new response around f; without it the effect sizes carry no noise. */
  readonly noiseVariance?: number;
}

/**
 * Effect sizes β̃ = P(Hw + b) for weights w ~ N(m, V):
 *
 *     mean = B m,    factor = B·F with V = F Fᵀ,    noise = τ² diag(P Pᵀ)
 *
 * Every P here is centred, so a constant b, and any constant taken off a column of H, drops out.
 * O(p·l) for a diagonal V, O(p·l²) for a full one.
 */
export function projectedEffects(
  projected: Projected,
  weights: GaussianWeights,
  options: NoiseOptions = {},
): EffectSizes {
  const { names, hidden, squaredNorms } = projected;
  const pieces = [{ first: 0, product: hidden, squares: squaredNorms }];
  return weighPieces("projectedEffects", pieces, 1, names, weights, options);
}

/** Rows `first` … of (scale·B) and of (scale²·diag(P Pᵀ)), before the scale. */
export interface Piece {
  readonly first: number;
  readonly product: Matrix;
  readonly squares: Float64Array;
}

/** The effect sizes whose B stands in pieces, which need never be put together. */
export function weighPieces(
  where: string,
  pieces: readonly Piece[],
  scale: number,
  names: readonly string[],
  weights: GaussianWeights,
  { noiseVariance }: NoiseOptions,
): EffectSizes {
  const p = names.length;
  const F = weightFactor(where, weights, pieces[0].product.cols, scale);
  const m = weights.mean.map((weight) => weight * scale);
  const mean = new Float64Array(p);
  const factor = matrix(p, F instanceof Float64Array ? F.length : F.cols);
  const noise = noiseVariance === undefined ? null : new Float64Array(p);
  const perSquare = noiseVariance === undefined ? 0 : checkNoise(where, noiseVariance) * scale ** 2;
  for (const { first, product, squares } of pieces) {
    const end = first + product.rows;
    multiplyVectorInto(mean.subarray(first, end), product, m);
    multiplyFactorInto(rowBlock(factor, first, end), product, F);
    if (noise) for (let j = first; j < end; j++) noise[j] = perSquare * squares[j - first];
  }
  return checkFinite(where, { names, mean, factor, noise });
}

/** The inputs were finite, so what is not must have overflowed. */
function checkFinite(where: string, effects: EffectSizes): EffectSizes {
  const { names, mean, factor, noise } = effects;
  const inFactor = firstNonFinite(factor.data);
  const candidates = [
    firstNonFinite(mean),
    inFactor < 0 ? -1 : Math.floor(inFactor / factor.cols),
    noise ? firstNonFinite(noise) : -1,
  ];
  const at = candidates.find((variable) => variable >= 0);
  if (at === undefined) return effects;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs finite effect sizes, got an overflow for variable "${names[at]}"`,
    advice: "rescale its column",
    variable: at,
  });
}

export function checkNoise(where: string, noiseVariance: number): number {
  if (noiseVariance > 0 && noiseVariance < Number.POSITIVE_INFINITY) return noiseVariance;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs a noise variance that is positive and finite, got ${noiseVariance}`,
    advice: "omit it for no noise",
    noiseVariance,
  });
}
