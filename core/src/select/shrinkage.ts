import { gram, type Matrix, matrix, outerGram } from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import { type Blocks, correlationBlocks } from "./blocks.ts";
import { type Partition, singletons } from "./partition.ts";

/** A little is always shrunk, so that repeated columns have an inverse. */
const LEAST = 1e-4;

/** Blocks T_g, and λ in (1 − λ)R + λ·diag(T_g). */
export interface Shrinkage {
  readonly lambda: number;
  readonly target: Blocks;
}

/**
 * How far to shrink the correlations R of standardised columns towards their within-group part. The λ of least expected
 * squared error (Ledoit and Wolf 2004; Schäfer and Strimmer 2005) over the pairs in different groups,
 *
 *     λ = Σ Var(r_jk) / Σ r_jk²,   Var(r_jk) = n/(n−1)³ Σ_i (z_ij z_ik − mean)²
 *
 * from row sums and ‖R‖², without the p×p matrix when n < p. The blocks are shrunk towards the
 * identity in the same way. O(min(n, p)·n·p).
 */
export function estimateShrinkage(Z: Matrix, groups: Partition, lambda?: number): Shrinkage {
  const blocks = correlationBlocks(Z, groups);
  const target = groups.map((members, g) => {
    if (members.length === 1) return blocks[g];
    const inside = lambda ?? intensity(selectColumns(Z, members), singletons(members.length));
    return towardsIdentity(blocks[g], inside);
  });
  return { lambda: lambda ?? intensity(Z, groups, blocks), target };
}

function intensity(
  Z: Matrix,
  groups: Partition,
  blocks: Blocks = correlationBlocks(Z, groups),
): number {
  const { data, rows: n, cols: p } = Z;
  if (groups.length < 2) return LEAST;
  const products = n < p ? outerGram(Z) : gram(Z); // equal Frobenius norms
  let squares = products.data.reduce((sum, value) => sum + value * value, 0) / (n - 1) ** 2;
  for (const block of blocks) squares -= block.data.reduce((sum, r) => sum + r * r, 0);
  // Σ_i Σ_{j,k in different groups} (z_ij z_ik)²
  let fourth = 0;
  for (let i = 0; i < n; i++) {
    let whole = 0;
    for (const members of groups) {
      let part = 0;
      for (const j of members) part += data[i * p + j] ** 2;
      whole += part;
      fourth -= part * part;
    }
    fourth += whole * whole;
  }
  const means = squares * ((n - 1) / n) ** 2;
  const variance = (n / ((n - 1) ** 2 * (n - 1))) * Math.max(0, fourth - n * means);
  return squares > 0 ? Math.min(1, Math.max(LEAST, variance / squares)) : 1;
}

function towardsIdentity(R: Matrix, lambda: number): Matrix {
  const size = R.rows;
  return matrix(
    size,
    size,
    R.data.map((r, e) => (e % (size + 1) === 0 ? 1 : (1 - lambda) * r)),
  );
}
