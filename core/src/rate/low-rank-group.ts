import { RatewiseError } from "../errors.ts";
import {
  eigh,
  gram,
  type Matrix,
  matrix,
  multiply,
  outerGram,
  qr,
  type SymmetricEigen,
  transpose,
  transposeMultiply,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { type GroupDependence, nonNegative } from "./dependence.ts";
import { DOMINANT, type LowRank, shrink } from "./low-rank.ts";
import {
  addInPlace,
  forEachBlock,
  forEachMemberBlock,
  type Whitened,
  whitenedRows,
} from "./whitened.ts";

/** S_g = U_gᵀU_g = Q diag(q) Qᵀ: Q orthonormal l×k, q ≥ 0 descending, k = min(|g|, l). */
interface GroupBasis {
  readonly Q: Matrix;
  readonly q: Float64Array;
}

/**
 * A group in the eigenbasis of S_g, whose partners are the eigenvectors of Ω_g = I + U_gU_gᵀ. With
 * R = S − S_g, K = I + S and G = I + S_g, the identity G⁻¹ − K⁻¹ = G⁻¹R K⁻¹ gives
 *
 *     M = Ω_g^½Λ_gΩ_g^½ − I = diag(√(q/(1+q))) · QᵀR K⁻¹Q · diag(√(q(1+q)))
 *
 * in which nothing cancels. Eigenproblems of size k = min(|g|, l) and O(l²·k + |g|·l·k) for the rest.
 */
export function lowRankGroup(
  { U, eigen }: LowRank,
  mean: Float64Array,
  members: readonly number[],
): GroupDependence {
  const basis = groupBasis(U, members);
  const { Q, q } = basis;
  const k = q.length;
  const core = transposeMultiply(Q, restTimesInverse(U, eigen, members, basis));
  const M = matrix(k, k);
  for (let i = 0; i < k; i++) {
    for (let j = i; j < k; j++) {
      // Symmetric in theory. Above the diagonal the column has the smaller q and the smaller rounding error.
      const value =
        core.data[i * k + j] * Math.sqrt(q[i] / (1 + q[i])) * Math.sqrt(q[j] * (1 + q[j]));
      M.data[i * k + j] = value;
      M.data[j * k + i] = value;
    }
  }
  const { values, vectors } = eigh(M);
  const excess = nonNegative(values);
  if (!excess)
    throw new RatewiseError(
      "not-positive-definite",
      `rate: needs noise large enough for double precision, got a negative eigenvalue (${values[0]}) in a group of ${members.length}; use more noise or a nugget`,
      { members: members.slice(0, 20) },
    );

  const whitenedMean = new Float64Array(U.cols);
  const scaledMean = new Float64Array(U.cols);
  forEachMemberBlock(U, members, (block, slice) => {
    const addProduct = (out: Float64Array, weight: (j: number) => number): void => {
      const product = transposeMultiplyVector(block, Float64Array.from(slice, weight));
      for (let i = 0; i < out.length; i++) out[i] += product[i];
    };
    addProduct(whitenedMean, (j) => mean[j] * U.scale[j]);
    addProduct(scaledMean, (j) => mean[j] / U.scale[j]);
  });
  // P diag(√q) Qᵀ = U_g: the coordinates of x along P are QᵀU_gᵀx/√q, zero where U_g is.
  const coordinates = (UtX: Float64Array, power: (omega: number) => number): Float64Array => {
    const along = transposeMultiplyVector(Q, UtX);
    for (let i = 0; i < k; i++)
      along[i] = q[i] > 0 ? (along[i] / Math.sqrt(q[i])) * power(1 + q[i]) : 0;
    return transposeMultiplyVector(vectors, along);
  };
  return {
    excess,
    mean: coordinates(whitenedMean, (omega) => 1 / Math.sqrt(omega)),
    scaledMean: coordinates(scaledMean, Math.sqrt),
  };
}

/** The smaller of the two eigenproblems: |g| ≤ l through a QR factorisation of U_gᵀ, else S_g itself. */
function groupBasis(U: Whitened, members: readonly number[]): GroupBasis {
  if (members.length <= U.cols) {
    const { Q, R } = qr(transpose(whitenedRows(U, members)));
    const { values, vectors } = eigh(outerGram(R));
    return descending(values, multiply(Q, vectors));
  }
  const S = matrix(U.cols, U.cols);
  forEachMemberBlock(U, members, (block) => addInPlace(S, gram(block)));
  const { values, vectors } = eigh(S);
  return descending(values, vectors);
}

function descending(values: Float64Array, vectors: Matrix): GroupBasis {
  const k = values.length;
  const Q = matrix(vectors.rows, k);
  for (let i = 0; i < vectors.rows; i++)
    for (let j = 0; j < k; j++) Q.data[i * k + j] = vectors.data[i * k + (k - 1 - j)];
  // Sums of squares: an eigenvalue below zero is rounding of one that is zero beside the largest.
  return { Q, q: values.map((value) => Math.max(0, value)).reverse() };
}

/** R K⁻¹Q, R = S − S_g. Summed over the rows outside g where those are fewer or where S_g nearly is S. */
function restTimesInverse(
  U: Whitened,
  eigen: SymmetricEigen,
  members: readonly number[],
  { Q, q }: GroupBasis,
): Matrix {
  const J = shrink(eigen, Q, (s) => 1 / (1 + s));
  if (2 * members.length >= U.rows) return sumOverRest(U, members, J);
  const all = shrink(eigen, Q, (s) => s / (1 + s));
  const coordinates = transposeMultiply(Q, J);
  for (let i = 0; i < q.length; i++)
    for (let c = 0; c < J.cols; c++) coordinates.data[i * J.cols + c] *= q[i];
  const own = multiply(Q, coordinates);
  const rest = matrix(J.rows, J.cols);
  for (let i = 0; i < rest.data.length; i++) rest.data[i] = all.data[i] - own.data[i];
  for (let c = 0; c < J.cols; c++)
    if (columnNorm(rest, c) < DOMINANT * columnNorm(all, c)) return sumOverRest(U, members, J);
  return rest;
}

/** Σ_{k ∉ g} u_k(u_kᵀJ). */
function sumOverRest(U: Whitened, members: readonly number[], J: Matrix): Matrix {
  const out = matrix(J.rows, J.cols);
  const inGroup = new Set(members);
  forEachBlock(U, (block, start) => {
    for (let i = 0; i < block.rows; i++)
      if (inGroup.has(start + i)) block.data.fill(0, i * block.cols, (i + 1) * block.cols);
    addInPlace(out, transposeMultiply(block, multiply(block, J)));
  });
  return out;
}

function columnNorm(A: Matrix, c: number): number {
  let sum = 0;
  for (let i = 0; i < A.rows; i++) sum += A.data[i * A.cols + c] ** 2;
  return Math.sqrt(sum);
}
