import { RatewiseError } from "../errors.ts";
import { solveLowerTriangular } from "../linalg/cholesky.ts";
import {
  eigh,
  gram,
  type Matrix,
  matrix,
  multiply,
  qr,
  transpose,
  transposeMultiply,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { selectColumns, selectRows } from "../linalg/matrix.ts";
import { type Dependence, type GroupDependence, nonNegative } from "./dependence.ts";
import type { FullRank } from "./full-rank.ts";

/** Where Λ_gΩ_g − I is smaller than this, it is formed without the identity and keeps its digits. */
const WEAK = 0.5;

/**
 * Dependence from C and C⁻¹. Row j of C·C⁻¹ = I reads
 *
 *     ε_j = (C⁻¹)_jj − 1 = −Σ_{k≠j} C_jk (C⁻¹)_kj
 *
 * of which the first is accurate when variables depend strongly, the second when they do so weakly. O(p²).
 */
export function fullRankDependence(full: FullRank, mean: Float64Array): Dependence {
  const { inverse, sd } = full;
  const p = sd.length;
  const excess = new Float64Array(p);
  for (let j = 0; j < p; j++) {
    excess[j] = inverse.data[j * p + j] - 1;
    if (excess[j] > WEAK) continue;
    const C = full.correlation();
    let sum = 0;
    for (let k = 0; k < p; k++) if (k !== j) sum -= C.data[j * p + k] * inverse.data[j * p + k];
    // Terms C_jk² to first order: below zero only where all of them are rounding.
    excess[j] = Math.max(0, sum);
  }
  return {
    excess,
    variance: sd.map((value) => value * value),
    group: (members) => groupDependence(full, mean, members),
  };
}

/**
 * With C = L Lᵀ and C_g = B Bᵀ, B from the rows of L by QR: M = BᵀΛ_gB − I = TᵀT − I with T = L⁻¹E_gB (E_g the
 * columns g of the identity), or where that is weak B⁻¹(−C_g₋Λ₋g)B. Neither C_g nor Λ_g is factorised: variables
 * that nearly repeat each other inside g would cost twice the digits. O(|g|·p²).
 */
function groupDependence(
  full: FullRank,
  mean: Float64Array,
  members: readonly number[],
): GroupDependence {
  const { sd } = full;
  const k = members.length;
  const B = transpose(qr(transpose(selectRows(full.factor, members))).R);
  const T = matrix(sd.length, k);
  for (let i = 0; i < k; i++) T.data.set(B.data.subarray(i * k, (i + 1) * k), members[i] * k);
  let M = gram(solveLowerTriangular(full.factor, T));
  for (let i = 0; i < k; i++) M.data[i * k + i] -= 1;
  if (M.data.every((value) => Math.abs(value) < WEAK)) M = weakDependence(full, members, B);
  const { values, vectors } = eigh(symmetrised(M));
  const excess = nonNegative(values);
  if (!excess)
    throw new RatewiseError("not-positive-definite", {
      in: "rate",
      what: `needs a covariance well inside full rank, got a negative eigenvalue (${values[0]}) in a group of ${k}`,
      advice: "add noise or a nugget",
      members: members.slice(0, 20),
    });
  const column = (f: (j: number) => number): Matrix => matrix(k, 1, Float64Array.from(members, f));
  const whitened = solveLowerTriangular(
    B,
    column((j) => mean[j] / sd[j]),
  );
  const scaled = transposeMultiply(
    B,
    column((j) => mean[j] * sd[j]),
  );
  return {
    excess,
    mean: transposeMultiplyVector(vectors, whitened.data),
    scaledMean: transposeMultiplyVector(vectors, scaled.data),
  };
}

/** −B⁻¹C_g₋Λ₋gB, from Ω_gΛ_g + Ω_g₋Λ₋g = I. */
function weakDependence(
  { correlation, inverse, sd }: FullRank,
  members: readonly number[],
  B: Matrix,
): Matrix {
  const inGroup = new Set(members);
  const rest = Array.from(sd.keys()).filter((j) => !inGroup.has(j));
  const shared = multiply(block(correlation(), members, rest), block(inverse, rest, members));
  const M = solveLowerTriangular(B, multiply(shared, B));
  for (let i = 0; i < M.data.length; i++) M.data[i] *= -1;
  return M;
}

function block(A: Matrix, rows: readonly number[], cols: readonly number[]): Matrix {
  return selectColumns(selectRows(A, rows), cols);
}

function symmetrised(A: Matrix): Matrix {
  const n = A.rows;
  const out = matrix(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) out.data[i * n + j] = (A.data[i * n + j] + A.data[j * n + i]) / 2;
  return out;
}
