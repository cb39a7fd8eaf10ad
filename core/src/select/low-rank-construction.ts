import { choleskySolveInPlace, solveLowerTriangular } from "../linalg/cholesky.ts";
import { eigenvalues } from "../linalg/eigh.ts";
import {
  cholesky,
  type Matrix,
  matrix,
  multiplyTranspose,
  outerGram,
  rowBlock,
  transpose,
  transposeMultiply,
} from "../linalg/index.ts";
import { type Blocks, blockFactors, colourRowsInPlace, whitenRowsInPlace } from "./blocks.ts";
import { HAIR, type KnockoffMethod } from "./dense-construction.ts";
import type { Partition } from "./partition.ts";

/** Σ = diag(D_g) + F Fᵀ: a block diagonal matrix (a diagonal one for groups of one) plus low rank. */
export interface LowRankCovariance {
  readonly groups: Partition;
  readonly blocks: Blocks;
  /** Fᵀ, k×p. */
  readonly factorTransposed: Matrix;
}

/**
 * Copies for Σ = D + F Fᵀ with S_g = c_gD_g. With D = LLᵀ, U = L⁻¹F and K = I + UᵀU, in the coordinates y = L⁻¹x
 *
 *     Σ' = I + UUᵀ,  S' = diag(c),  V' = 2S' − S'Σ'⁻¹S' = diag(2c − c²) + diag(c) U K⁻¹ Uᵀ diag(c)
 *
 * a sum of two parts that are easy to draw from, and feasible for any c ≤ 2. No p×p matrix; O(p·k²).
 */
export interface LowRankConstruction {
  readonly kind: "low-rank";
  readonly groups: Partition;
  /** L_g of each D_g. */
  readonly factors: Blocks;
  /** Uᵀ, k×p. */
  readonly whitened: Matrix;
  /** The Cholesky factor of K. */
  readonly inner: Matrix;
  /** c of the group of each column. */
  readonly distance: Float64Array;
}

/**
 * `equicorrelated` takes c = 2, the farthest; `minimum-variance` the one c that minimises p/c + tr((2Σ' − cI)⁻¹). Either is
 * cut where S_g would pass Σ_gg: beyond it copies would be correlated negatively with their originals.
 */
export function lowRankConstruction(
  { groups, blocks, factorTransposed }: LowRankCovariance,
  method: KnockoffMethod,
): LowRankConstruction {
  const { rows: k, cols: p } = factorTransposed;
  const factors = blockFactors(blocks);
  const whitened = whitenRowsInPlace(matrix(k, p, factorTransposed.data.slice()), groups, factors);
  const K = outerGram(whitened);
  const most = 2 * (1 - HAIR);
  const wanted =
    method === "equicorrelated" ? most : Math.min(most, bestDistance(eigenvalues(K), p));
  for (let i = 0; i < k; i++) K.data[i * k + i] += 1;
  const distance = new Float64Array(p);
  groups.forEach((members) => {
    const c = Math.min(wanted, 1 + smallestShare(whitened, members));
    for (const j of members) distance[j] = c;
  });
  return { kind: "low-rank", groups, factors, whitened, inner: cholesky(K), distance };
}

/** λ_min(U_gU_gᵀ): how much more than D_g the covariance of the group has in every direction. */
function smallestShare({ data, rows: k, cols: p }: Matrix, members: readonly number[]): number {
  if (members.length > k) return 0;
  if (members.length === 1) {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += data[i * p + members[0]] ** 2;
    return sum;
  }
  const own = matrix(members.length, k);
  members.forEach((j, a) => {
    for (let i = 0; i < k; i++) own.data[a * k + i] = data[i * p + j];
  });
  return Math.max(0, eigenvalues(outerGram(own))[0]);
}

/** argmin over c in (0, 2) of p/c + (p − k)/(2 − c) + Σ_i 1/(2 − c + 2e_i), which is convex; its slope by halving. */
function bestDistance(e: Float64Array, p: number): number {
  let low = 0;
  let high = 2;
  const others = Math.max(0, p - e.length);
  for (let turn = 0; turn < 60; turn++) {
    const c = (low + high) / 2;
    let slope = -p / c ** 2 + others / (2 - c) ** 2;
    for (const value of e) slope += 1 / (2 - c + 2 * Math.max(0, value)) ** 2;
    if (slope > 0) high = c;
    else low = c;
  }
  return low;
}

/** Rows of copies are made this many at a time. */
const ROWS = 512;

/** Copies of standardised rows Z from standard normal rows E, n×(p + k). */
export function lowRankCopies(
  construction: LowRankConstruction,
  Z: Matrix,
  drawRows: (start: number, end: number) => Matrix,
): Matrix {
  const out = matrix(Z.rows, Z.cols);
  for (let start = 0; start < Z.rows; start += ROWS) {
    const end = Math.min(start + ROWS, Z.rows);
    out.data.set(
      copyBlock(construction, rowBlock(Z, start, end), drawRows(start, end)).data,
      start * Z.cols,
    );
  }
  return out;
}

function copyBlock(construction: LowRankConstruction, Z: Matrix, E: Matrix): Matrix {
  const { groups, factors, whitened, inner, distance } = construction;
  const { rows: n, cols: p } = Z;
  const k = whitened.rows;
  const Y = whitenRowsInPlace(matrix(n, p, Z.data.slice()), groups, factors);
  const shared = matrix(n, k);
  for (let i = 0; i < n; i++)
    shared.data.set(E.data.subarray(i * (p + k) + p, (i + 1) * (p + k)), i * k);
  // K⁻¹UᵀYᵀ + L_K⁻ᵀ·normals, k×n: the conditional mean and the shared part of the noise go through U together.
  const loadings = choleskySolveInPlace(inner, multiplyTranspose(whitened, Y));
  const random = solveLowerTriangular(inner, transpose(shared), true);
  for (let e = 0; e < loadings.data.length; e++) loadings.data[e] += random.data[e];
  const common = transposeMultiply(loadings, whitened);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++) {
      const c = distance[j];
      const at = i * p + j;
      Y.data[at] =
        (1 - c) * Y.data[at] +
        c * common.data[at] +
        Math.sqrt(c * (2 - c)) * E.data[i * (p + k) + j];
    }
  return colourRowsInPlace(Y, groups, factors);
}
