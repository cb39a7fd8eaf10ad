import { matrix, qr, rowBlock, transpose, transposeMultiplyVector } from "../linalg/index.ts";
import { rowLeverages } from "../linalg/leverage.ts";
import { multiplyInto } from "../linalg/products.ts";
import { svd } from "../linalg/svd.ts";
import type { Dependence } from "./dependence.ts";
import { otherRows, triangularFactor } from "./gram-eigen.ts";
import { DOMINANT, type LowRank } from "./low-rank.ts";
import { lowRankGroup } from "./low-rank-group.ts";
import { BLOCK, scaleInto, type Whitened, whitenedRows } from "./whitened.ts";

/** Every eigenvalue of S at least this: nothing is lost in r − h. */
const AMPLE = 1;

/**
 * Dependence in diag(d) + A Aᵀ, never forming a p×p matrix. With z_j = Vᵀu_j, r_j = ‖u_j‖² and
 * h_j = u_jᵀ(I+S)⁻¹u_j,
 *
 *     ε_j = (1 − h_j)(1 + r_j) − 1 = u_jᵀ(S − u_ju_jᵀ)(I + S)⁻¹u_j = Σ_k z_jk² s_k/(1+s_k) − r_j h_j
 *
 * of which the last keeps its digits when S is small. It loses them where u_j is nearly all of S in its own
 * direction; those variables are scored from the rows of the others. Each has leverage u_jᵀS⁺u_j ≥ 1 − DOMINANT
 * (Chebyshev's sum inequality) and leverages sum to at most l, so there are few and the whole stays O(p·l²).
 */
export function lowRankDependence(lowRank: LowRank, mean: Float64Array): Dependence {
  const { U, eigen } = lowRank;
  const found: Found = {
    excess: new Float64Array(U.rows),
    variance: new Float64Array(U.rows),
    dominant: [],
  };
  if (eigen.values.every((value) => value >= AMPLE)) scoreByLeverageInto(found, lowRank);
  else scoreByRotationInto(found, lowRank);
  const { excess, variance, dominant } = found;
  if (dominant.length > 0) scoreDominantInto(excess, U, dominant);
  return { excess, variance, group: (members) => lowRankGroup(lowRank, mean, members) };
}

interface Found {
  readonly excess: Float64Array;
  readonly variance: Float64Array;
  /** Variables whose excess has to be computed otherwise. */
  readonly dominant: number[];
}

/** From r_j, h_j and Σ_k z_jk² s_k/(1+s_k). */
function scoreInto(
  { excess, variance, dominant }: Found,
  j: number,
  scale: number,
  r: number,
  h: number,
  shared: number,
): void {
  excess[j] = shared - r * h;
  variance[j] = (1 + r) / (scale * scale);
  if (r > 0 && !(excess[j] > DOMINANT * shared)) dominant.push(j);
}

/** With all s_k ≥ 1, h ≤ r/2: their difference is as good as the sum that it equals, for half the work. */
function scoreByLeverageInto(found: Found, { U, eigen }: LowRank): void {
  const { values: s, vectors: V } = eigen;
  const root = transpose(V);
  for (let k = 0; k < s.length; k++)
    scaleInto(root.data, k * s.length, root.data, k * s.length, s.length, Math.sqrt(1 + s[k]));
  const leverages = rowLeverages(U.factor, transpose(qr(root).R));
  for (let j = 0; j < U.rows; j++) {
    const scale = U.scale[j];
    const r = (U.norms[j] * scale) ** 2;
    const h = leverages[j] * scale * scale;
    scoreInto(found, j, scale, r, h, r - h);
  }
}

function scoreByRotationInto(found: Found, { U, eigen }: LowRank): void {
  const { values: s, vectors: V } = eigen;
  const rotated = matrix(Math.min(BLOCK, U.rows), U.cols);
  const lost = s.map((value) => 1 / (1 + value));
  const kept = s.map((value) => value / (1 + value));
  const sums = new Float64Array(3);
  for (let start = 0; start < U.rows; start += BLOCK) {
    const rows = Math.min(BLOCK, U.rows - start);
    // Rotated before it is whitened, which is one number per row: no copy of the block.
    const Z = multiplyInto(rowBlock(rotated, 0, rows), rowBlock(U.factor, start, start + rows), V);
    for (let i = 0; i < rows; i++) {
      const scale = U.scale[start + i];
      weighSquaresInto(sums, Z.data, i * U.cols, scale, lost, kept);
      scoreInto(found, start + i, scale, sums[0], sums[1], sums[2]);
    }
  }
}

/** Σ z², Σ z²·lost and Σ z²·kept of z = scale·x, x from `from`; of plain arrays, for speed. */
function weighSquaresInto(
  out: Float64Array,
  x: Float64Array,
  from: number,
  scale: number,
  lost: Float64Array,
  kept: Float64Array,
): void {
  let all = 0;
  let first = 0;
  let second = 0;
  for (let k = 0; k < lost.length; k++) {
    const z = x[from + k] * scale;
    const square = z * z;
    all += square;
    first += square * lost[k];
    second += square * kept[k];
  }
  out[0] = all;
  out[1] = first;
  out[2] = second;
}

/**
 * ε_j without a difference: with R = Σ_{k≠j} u_ku_kᵀ = Y diag(ρ) Yᵀ and z = Yᵀu_j,
 * ε_j = Σ z²ρ/(1+ρ) / (1 + Σ z²/(1+ρ)). One QR pass over the rows that are not dominant, O(p·l²), then
 * O(l³) for each that is.
 */
function scoreDominantInto(excess: Float64Array, U: Whitened, dominant: readonly number[]): void {
  const ordinary = triangularFactor(U.cols, otherRows(U, dominant));
  for (const j of dominant) {
    const others = whitenedRows(
      U,
      dominant.filter((k) => k !== j),
    );
    const R = triangularFactor(U.cols, (visit) => {
      visit(ordinary);
      visit(others);
    });
    const { values, V: Y } = svd(R);
    const z = transposeMultiplyVector(Y, whitenedRows(U, [j]).data);
    let shared = 0;
    let own = 0;
    for (let k = 0; k < z.length; k++) {
      const rho = values[k] ** 2;
      shared += z[k] ** 2 * (rho / (1 + rho));
      own += z[k] ** 2 / (1 + rho);
    }
    excess[j] = shared / (1 + own);
  }
}
