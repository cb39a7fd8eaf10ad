import { matrix, multiplyInto, rowBlock } from "../linalg/index.ts";
import type { Dependence } from "./dependence.ts";
import { DOMINANT, type LowRank, shrink } from "./low-rank.ts";
import { lowRankGroup } from "./low-rank-group.ts";
import { dot } from "./vector.ts";
import { BLOCK, forEachBlock, whitenedRows } from "./whitened.ts";

/**
 * Dependence in diag(d) + A Aᵀ, never forming a p×p matrix. With z_j = Vᵀu_j, r_j = ‖u_j‖² and
 * h_j = u_jᵀ(I+S)⁻¹u_j,
 *
 *     ε_j = (1 − h_j)(1 + r_j) − 1 = u_jᵀ(S − u_ju_jᵀ)(I + S)⁻¹u_j = Σ_k z_jk² s_k/(1+s_k) − r_j h_j
 *
 * of which the last keeps its digits when S is small. It loses them where u_j is nearly all of S in its own
 * direction: there it is summed over the other rows. Such a variable has leverage u_jᵀS⁺u_j ≥ 1 − DOMINANT
 * (Chebyshev's sum inequality), leverages sum to at most l, and so the whole stays O(p·l²).
 */
export function lowRankDependence(lowRank: LowRank, mean: Float64Array): Dependence {
  const { U, eigen } = lowRank;
  const { values: s, vectors: V } = eigen;
  const excess = new Float64Array(U.rows);
  const variance = new Float64Array(U.rows);
  const rotated = matrix(Math.min(BLOCK, U.rows), U.cols);
  forEachBlock(U, (block, start) => {
    const Z = multiplyInto(rowBlock(rotated, 0, block.rows), block, V);
    for (let i = 0; i < block.rows; i++) {
      let r = 0;
      let h = 0;
      let shared = 0;
      for (let k = 0; k < U.cols; k++) {
        const square = Z.data[i * U.cols + k] ** 2;
        const shrunk = square / (1 + s[k]);
        r += square;
        h += shrunk;
        shared += shrunk * s[k];
      }
      const j = start + i;
      const difference = shared - r * h;
      variance[j] = (1 + r) / U.scale[j] ** 2;
      excess[j] =
        difference > DOMINANT * shared || r === 0 ? difference : dominantExcess(lowRank, j, r);
    }
  });
  return { excess, variance, group: (members) => lowRankGroup(lowRank, mean, members) };
}

/**
 * ε_j as a sum of squares. With R = Σ_{k≠j} u_ku_kᵀ, t = (I+S)⁻¹u_j and y = R t,
 * ε_j = (1+r)[tᵀRt + yᵀ(I + u_ju_jᵀ)⁻¹y], y split along and across u_j. O(p·l).
 */
function dominantExcess({ U, eigen }: LowRank, j: number, r: number): number {
  const u = whitenedRows(U, [j]).data;
  const t = shrink(eigen, { data: u, rows: U.cols, cols: 1 }, (s) => 1 / (1 + s)).data;
  const y = new Float64Array(U.cols);
  let squares = 0;
  forEachBlock(U, (block, start) => {
    for (let i = 0; i < block.rows; i++) {
      if (start + i === j) continue;
      const row = block.data.subarray(i * U.cols, (i + 1) * U.cols);
      const projection = dot(row, t);
      squares += projection * projection;
      for (let k = 0; k < U.cols; k++) y[k] += row[k] * projection;
    }
  });
  const along = dot(y, u) / r;
  let across = 0;
  for (let k = 0; k < U.cols; k++) across += (y[k] - along * u[k]) ** 2;
  return (1 + r) * (squares + across) + along * along * r;
}
