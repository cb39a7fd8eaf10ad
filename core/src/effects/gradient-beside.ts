import { dot } from "../linalg/dot.ts";
import {
  cholesky,
  choleskySolveVector,
  type Matrix,
  matrix,
  multiply,
  transposeMultiply,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { type GaussianWeights, weightFactor } from "./gaussian-weights.ts";
import type { GradientScores } from "./gradient.ts";
import { type GradientMoments, meanProducts } from "./gradient-moments.ts";
import { checkNoise } from "./projected.ts";

export interface GradientBesideOptions {
  /** τ², as for the effect sizes of projections. */
  readonly noiseVariance: number;
  /** Var(x_j) of each variable over the same rows. */
  readonly columnVariances: Float64Array;
  /** Variables scored together, by index. */
  readonly groups: readonly (readonly number[])[];
}

/** What a group of columns needs to know of a function that is linear beside its hidden units. */
export interface GroupWeights extends GaussianWeights {
  /** ∂/∂x_j of the linear part's units, one row per column of the group: the same in every row of X. */
  readonly slopes: Matrix;
}

/**
 * The scores of {@link gradientScores}, not conditioned on the other variables, of a function with a linear part:
 * f = hᵀw + (linear units)ᵀβ. The derivative in x_j is J_ijᵀw + s_jᵀβ, so a group needs the hidden units' weights and
 * those of its own linear units: l + r weights, whose derivatives are J_ij and s_j.
 *
 * @param moments of the hidden units' derivatives
 * @param weightsOf the joint distribution of (w, β) of a group
 */
export function gradientScoresBeside(
  moments: GradientMoments,
  weightsOf: (group: readonly number[]) => GroupWeights,
  { noiseVariance, columnVariances, groups }: GradientBesideOptions,
): GradientScores {
  const where = "gradientScoresBeside";
  const noise = checkNoise(where, noiseVariance);
  const { hidden: l, rows, variables, second } = moments;
  const scores = groups.map((group) => {
    const weights = weightsOf(group);
    const size = weights.mean.length;
    const C = l > 0 ? meanProducts(moments, weights.mean.slice(0, l)) : matrix(variables, 0);
    const precision = group.map((j) => ((rows - 1) * columnVariances[j]) / noise);
    const v = new Float64Array(size);
    let meanSquared = 0;
    group.forEach((j, at) => {
      const own = productsOf(moments, C, j, at, weights);
      meanSquared += columnVariances[j] * Math.max(0, dot(own, weights.mean));
      for (let k = 0; k < size; k++) v[k] += precision[at] * own[k];
    });
    const F = squareFactor(where, weights, size);
    const projected = transposeMultiplyVector(F, v);
    const weak = (dot(projected, projected) * noise ** 2) / (rows - 1) ** 2;
    if (!second) return { full: 0, weak, meanSquared };
    const S = transposeMultiply(F, multiply(momentsOf(moments, group, precision, weights), F));
    for (let k = 0; k < S.rows; k++) S.data[k * (S.rows + 1)] += 1;
    const full = 0.5 * dot(projected, choleskySolveVector(cholesky(S), projected));
    return { full, weak, meanSquared };
  });
  const column = (name: "full" | "weak" | "meanSquared") =>
    Float64Array.from(scores, (score) => score[name]);
  return {
    full: second && column("full"),
    weak: column("weak"),
    meanSquared: column("meanSquared"),
  };
}

/** (1/n) Σ_i J̃_ij(J̃_ijᵀm) with J̃_ij = (J_ij, s_j). */
function productsOf(
  { hidden: l, rows, first }: GradientMoments,
  C: Matrix,
  j: number,
  at: number,
  { mean, slopes }: GroupWeights,
): Float64Array {
  const out = new Float64Array(mean.length);
  let constant = 0;
  for (let c = 0; c < slopes.cols; c++) constant += slopes.data[at * slopes.cols + c] * mean[l + c];
  let average = constant;
  for (let k = 0; k < l; k++) {
    const own = first[j * l + k] / rows;
    out[k] = C.data[j * l + k] + constant * own;
    average += own * mean[k];
  }
  for (let c = 0; c < slopes.cols; c++) out[l + c] = slopes.data[at * slopes.cols + c] * average;
  return out;
}

/** Σ_j (1/d_j)(1/n) Σ_i J̃_ijJ̃_ijᵀ over a group. */
function momentsOf(
  { hidden: l, rows, first, second }: GradientMoments,
  group: readonly number[],
  precision: readonly number[],
  { mean, slopes }: GroupWeights,
): Matrix {
  const size = mean.length;
  const out = matrix(size, size);
  group.forEach((j, at) => {
    const own = slopes.data.subarray(at * slopes.cols, (at + 1) * slopes.cols);
    const scale = precision[at] / rows;
    for (let a = 0; a < l; a++) {
      for (let b = 0; b < l; b++) out.data[a * size + b] += scale * second![(j * l + a) * l + b];
      for (let c = 0; c < own.length; c++) {
        const value = scale * first[j * l + a] * own[c];
        out.data[a * size + l + c] += value;
        out.data[(l + c) * size + a] += value;
      }
    }
    for (let c = 0; c < own.length; c++)
      for (let d = 0; d < own.length; d++)
        out.data[(l + c) * size + l + d] += precision[at] * own[c] * own[d];
  });
  return out;
}

function squareFactor(where: string, weights: GaussianWeights, size: number): Matrix {
  const F = weightFactor(where, weights, size, 1);
  if (!(F instanceof Float64Array)) return F;
  const out = matrix(size, size);
  for (let k = 0; k < size; k++) out.data[k * (size + 1)] = F[k];
  return out;
}
