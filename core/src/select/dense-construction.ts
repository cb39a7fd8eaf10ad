import { solveLowerTriangular } from "../linalg/cholesky.ts";
import { eigenvalues } from "../linalg/eigh.ts";
import {
  cholesky,
  choleskySolve,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  transpose,
} from "../linalg/index.ts";
import { type Blocks, blockFactors, blockOf } from "./blocks.ts";
import { minimumVarianceScales } from "./minimum-variance.ts";
import type { Partition } from "./partition.ts";

/**
 * How far copies stay from their originals. `equicorrelated` moves all groups by the same share of their covariance, as
 * far as possible; `minimum-variance` (MVR, Spector and Janson 2022) chooses the shares so that no column can be rebuilt from
 * the others and the copies, which costs O(p³) a sweep and has more power where columns are correlated.
 */
export type KnockoffMethod = "equicorrelated" | "minimum-variance";

/** X̃ = X(I − Σ⁻¹S) + N(0, V), V = 2S − SΣ⁻¹S, for a covariance Σ in full and S block diagonal. */
export interface DenseConstruction {
  readonly kind: "dense";
  readonly groups: Partition;
  /** S_g of each group. */
  readonly distances: Blocks;
  /** Σ⁻¹S, p×p. */
  readonly slope: Matrix;
  /** L with L Lᵀ = V. */
  readonly noise: Matrix;
}

/** V is singular where S reaches 2Σ: stay this share below. */
export const HAIR = 1e-6;

/** The copies' law from a correlation matrix Σ. S_g = γ_gΣ_gg, with γ_g at most 1. O(p³). */
export function denseConstruction(
  Sigma: Matrix,
  groups: Partition,
  method: KnockoffMethod,
): DenseConstruction {
  const p = Sigma.rows;
  const blocks = groups.map((members) => blockOf(Sigma, members));
  const most = 2 * smallestRelativeEigenvalue(Sigma, groups, blockFactors(blocks));
  const together = new Float64Array(groups.length).fill(Math.min(1, (1 - HAIR) * most));
  const scales =
    method === "equicorrelated"
      ? together
      : minimumVarianceScales(
          Sigma,
          groups,
          blocks,
          together.map((scale) => scale / 2),
        );
  const distances = blocks.map((block, g) =>
    matrix(
      block.rows,
      block.rows,
      block.data.map((value) => value * scales[g]),
    ),
  );
  const S = spread(distances, groups, p);
  const slope = choleskySolve(cholesky(Sigma), S);
  const V = multiply(S, slope);
  for (let e = 0; e < V.data.length; e++) V.data[e] = 2 * S.data[e] - V.data[e];
  return { kind: "dense", groups, distances, slope, noise: cholesky(V) };
}

/** λ_min of B^(−½)ΣB^(−½), B the block diagonal of Σ. */
function smallestRelativeEigenvalue(Sigma: Matrix, groups: Partition, factors: Blocks): number {
  const L = spread(factors, groups, Sigma.rows);
  // Members of a group need not be in order, so the spread factor is triangular only after sorting columns by group.
  const order = groups.flat();
  const sorted = blockOf(L, order);
  const half = solveLowerTriangular(sorted, blockOf(Sigma, order));
  return Math.max(0, eigenvalues(solveLowerTriangular(sorted, transpose(half)))[0]);
}

/** The block diagonal matrix in full. */
export function spread(blocks: Blocks, groups: Partition, p: number): Matrix {
  const out = matrix(p, p);
  groups.forEach((members, g) => {
    const { data, cols } = blocks[g];
    for (let a = 0; a < cols; a++)
      for (let b = 0; b < cols; b++) out.data[members[a] * p + members[b]] = data[a * cols + b];
  });
  return out;
}

/** Rows of Z(I − Σ⁻¹S) + E Lᵀ: copies of standardised rows Z from standard normal E, n×p. */
export function denseCopies(
  { slope, noise }: Pick<DenseConstruction, "slope" | "noise">,
  Z: Matrix,
  E: Matrix,
): Matrix {
  const out = multiply(Z, slope);
  const random = multiplyTranspose(E, noise);
  for (let e = 0; e < out.data.length; e++) out.data[e] = Z.data[e] - out.data[e] + random.data[e];
  return out;
}
