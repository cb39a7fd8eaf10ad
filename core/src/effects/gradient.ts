import { RatewiseError, shapeError } from "../errors.ts";
import { dot } from "../linalg/dot.ts";
import {
  cholesky,
  choleskySolveVector,
  identity,
  type Matrix,
  matrix,
  multiply,
  multiplyVector,
  rowBlock,
  transposeMultiply,
} from "../linalg/index.ts";
import { type GaussianWeights, type WeightFactor, weightFactor } from "./gaussian-weights.ts";
import { type GradientMoments, meanProducts } from "./gradient-moments.ts";
import { checkNoise } from "./projected.ts";

export interface GradientOptions {
  /** τ², as for the effect sizes of projections. */
  readonly noiseVariance: number;
  /** Var(x_j) of each variable over the same rows. */
  readonly columnVariances: Float64Array;
  /** Variables scored together, by index; default each by itself. */
  readonly groups?: readonly (readonly number[])[];
  /** Whether the full form conditions on all other variables (the K⁻¹ term); default true. */
  readonly conditional?: boolean;
}

/** Three scores of a variable or group, not normalised; the larger the more the network uses it. */
export interface GradientScores {
  /** ½v_gᵀ[(I+S_g)⁻¹ − K⁻¹]v_g: the mean term of RATE; null without second moments. */
  readonly full: Float64Array | null;
  /** ‖Σ_j Var(x_j)·Fᵀc_j‖², for one variable Var(x_j)²·c_jᵀVc_j: what `full` tends to for many weak variables. */
  readonly weak: Float64Array;
  /** Σ_j Var(x_j)·(1/n)Σ_i(J_ijᵀm)²: the mean squared gradient for a column of variance 1. */
  readonly meanSquared: Float64Array;
}

/**
 * Scores from derivatives, which see interactions where a covariance is blind. The derivatives
 * ∂f_i/∂x_j = J_ijᵀw of one variable over all n rows are a group of n Gaussian effects, with
 *
 *     d_j = τ²/((n−1)Var x_j),   S_j = Fᵀ[(1/n)Σ_i J_ijJ_ijᵀ]F/d_j,   V = F Fᵀ
 *     c_j = (1/n)Σ_i J_ij(J_ijᵀm),   v_j = Fᵀc_j/d_j,   K = I + Σ_j S_j
 *
 * and the closed form of RATE for a group. Free of the units of the columns. A group of variables
 * adds their S and v. O(p·l³) once, O(l³) per group.
 */
export function gradientScores(
  moments: GradientMoments,
  weights: GaussianWeights,
  options: GradientOptions,
): GradientScores {
  const where = "gradientScores";
  const { variables: p, hidden: l, rows, second } = moments;
  const { columnVariances, conditional = true } = options;
  if (columnVariances.length !== p)
    throw shapeError(where, `${p} column variances`, `${columnVariances.length}`);
  if (rows < 2) throw shapeError(where, "at least 2 rows of derivatives", `${rows}`);
  const noise = checkNoise(where, options.noiseVariance);
  const groups = options.groups ?? Array.from({ length: p }, (_, j) => [j]);
  checkGroups(where, groups, p);
  const F = weightFactor(where, weights, l, 1);
  const C = meanProducts(moments, weights.mean);
  const projected = applyFactor(F, C); // rows Fᵀc_j
  const r = projected.cols;

  const weak = new Float64Array(groups.length);
  const meanSquared = new Float64Array(groups.length);
  const full = second ? new Float64Array(groups.length) : null;
  // 1/d_j
  const precision = columnVariances.map((variance) => ((rows - 1) * variance) / noise);
  const S = second ? scaledMoments(moments, F, precision) : null;
  const total = S ? sumOf(S, allIndices(p), r) : null;
  const K = total ? cholesky(addIdentity(total)) : null;
  groups.forEach((group, g) => {
    const v = new Float64Array(r);
    for (const j of group) {
      const squared = dot(rowBlock(C, j, j + 1).data, weights.mean);
      meanSquared[g] += columnVariances[j] * Math.max(0, squared);
      for (let k = 0; k < r; k++) v[k] += precision[j] * projected.data[j * r + k];
    }
    weak[g] = (dot(v, v) * noise ** 2) / (rows - 1) ** 2;
    if (!full || !S || !total || !K) return;
    const own = sumOf(S, group, r);
    const a = choleskySolveVector(cholesky(addIdentity(own)), v);
    if (conditional) {
      // (I+S_g)⁻¹ − K⁻¹ = (I+S_g)⁻¹(S − S_g)K⁻¹: no difference of nearly equal numbers when S is small.
      const b = choleskySolveVector(K, v);
      const rest = matrix(
        r,
        r,
        total.data.map((value, i) => value - own.data[i]),
      );
      full[g] = Math.max(0, 0.5 * dot(a, multiplyVector(rest, b)));
    } else full[g] = 0.5 * dot(a, v);
  });
  return { full, weak, meanSquared };
}

/** S_j of every variable, r×r each. */
function scaledMoments(
  { variables: p, hidden: l, rows, second }: GradientMoments,
  F: WeightFactor,
  precision: Float64Array,
): Matrix[] {
  return Array.from({ length: p }, (_, j) => {
    const G = matrix(l, l, second!.slice(j * l * l, (j + 1) * l * l));
    const scale = precision[j] / rows;
    if (F instanceof Float64Array) {
      for (let a = 0; a < l; a++)
        for (let b = 0; b < l; b++) G.data[a * l + b] *= scale * F[a] * F[b];
      return G;
    }
    for (let i = 0; i < G.data.length; i++) G.data[i] *= scale;
    return transposeMultiply(F, multiply(G, F));
  });
}

/** Rows Fᵀc_j. */
function applyFactor(F: WeightFactor, C: Matrix): Matrix {
  if (!(F instanceof Float64Array)) return multiply(C, F);
  return matrix(
    C.rows,
    C.cols,
    C.data.map((value, i) => value * F[i % C.cols]),
  );
}

function sumOf(S: readonly Matrix[], members: readonly number[], r: number): Matrix {
  const out = matrix(r, r);
  for (const j of members) for (let i = 0; i < out.data.length; i++) out.data[i] += S[j].data[i];
  return out;
}

function addIdentity(S: Matrix): Matrix {
  const out = identity(S.rows);
  for (let i = 0; i < out.data.length; i++) out.data[i] += S.data[i];
  return out;
}

function allIndices(p: number): number[] {
  return Array.from({ length: p }, (_, j) => j);
}

function checkGroups(where: string, groups: readonly (readonly number[])[], p: number): void {
  for (const group of groups)
    for (const j of group)
      if (!(Number.isInteger(j) && j >= 0 && j < p))
        throw new RatewiseError("unknown-name", {
          in: where,
          what: `needs variables below ${p}, got ${j}`,
        });
}
