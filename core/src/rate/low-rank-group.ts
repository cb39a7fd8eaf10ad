import { RatewiseError } from "../errors.ts";
import {
  eigh,
  type Matrix,
  matrix,
  multiply,
  qr,
  type SymmetricEigen,
  selectColumns,
  svd,
  transpose,
  transposeMultiply,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { hypotenuse } from "../linalg/norm.ts";
import { type GroupDependence, nonNegative } from "./dependence.ts";
import { gramEigen, triangularFactor } from "./gram-eigen.ts";
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

/** ε and the eigenvectors (columns, in the basis P) of Ω_g^½Λ_gΩ_g^½ − I. */
interface Spectrum {
  readonly excess: Float64Array;
  readonly vectors: Matrix;
}

/** Fewer others than this many times l are summed directly, at the cost of the l×l algebra that a group costs anyway. */
const FEW = 4;

/**
 * A group in the eigenbasis of S_g, whose partners P are the eigenvectors of Ω_g = I + U_gU_gᵀ.
 * Eigenproblems of size k = min(|g|, l) and O(l²·k + |g|·l·k) for the rest.
 */
export function lowRankGroup(
  lowRank: LowRank,
  mean: Float64Array,
  members: readonly number[],
): GroupDependence {
  const { U } = lowRank;
  const few = U.rows - members.length <= FEW * U.cols;
  const basis = groupBasis(U, members, few);
  const { Q, q } = basis;
  const k = q.length;
  const { excess, vectors } = few
    ? fewOthers(U, members, basis)
    : manyOthers(lowRank, members, basis);

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

/** The smaller of the two problems: U_gᵀ by QR and SVD when |g| ≤ l, else S_g. `complete`: k = l, with q = 0. */
function groupBasis(U: Whitened, members: readonly number[], complete: boolean): GroupBasis {
  const l = U.cols;
  if (members.length > l) {
    const { values, vectors } = gramEigen(l, (visit) => forEachMemberBlock(U, members, visit));
    return descending(values, vectors);
  }
  const rows = whitenedRows(U, members);
  const square = complete ? matrix(l, l) : null;
  square?.data.set(rows.data);
  const { Q, R } = qr(transpose(square ?? rows));
  const { U: left, values } = svd(R);
  return { Q: multiply(Q, left), q: values.map((value) => value * value) };
}

/**
 * ε and their directions when the others are few. With Φ the triangular factor of their rows, Q complete and
 * N = ΦQ diag(1+q)^(−½) = A diag(ν) Bᵀ,
 *
 *     M = Ω_g^½Λ_gΩ_g^½ − I = FᵀF,   F = diag(ν/√(1+ν²)) Bᵀ diag(√q)
 *
 * so ε are squared singular values, small ones accurate beside large ones. O(l³).
 */
function fewOthers(U: Whitened, members: readonly number[], { Q, q }: GroupBasis): Spectrum {
  const inGroup = new Set(members);
  const rest: number[] = [];
  for (let j = 0; j < U.rows; j++) if (!inGroup.has(j)) rest.push(j);
  const rows = triangularFactor(U.cols, (visit) => forEachMemberBlock(U, rest, visit));
  const N = scaleColumns(
    multiply(rows, Q),
    q.map((value) => 1 / Math.sqrt(1 + value)),
  );
  const { values: nu, V: B } = svd(N);
  const F = scaleColumns(transpose(B), q.map(Math.sqrt));
  scaleRows(
    F,
    nu.map((value) => value / hypotenuse(1, value)),
  );
  const { values, V } = svd(F);
  return { excess: values.map((value) => value * value), vectors: V };
}

/**
 * The same when they are many: with R = S − S_g, K = I + S and G = I + S_g, the identity
 * G⁻¹ − K⁻¹ = G⁻¹R K⁻¹ gives
 *
 *     M = diag(√(q/(1+q))) · QᵀR K⁻¹Q · diag(√(q(1+q)))
 *
 * in which nothing cancels.
 */
function manyOthers(
  { U, eigen }: LowRank,
  members: readonly number[],
  basis: GroupBasis,
): Spectrum {
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
  if (excess) return { excess, vectors };
  throw new RatewiseError(
    "not-positive-definite",
    `rate: needs noise large enough for double precision, got a negative eigenvalue (${values[0]}) in a group of ${members.length}; use more noise or a nugget`,
    { members: members.slice(0, 20) },
  );
}

function descending(values: Float64Array, vectors: Matrix): GroupBasis {
  const order = Array.from(values.keys()).sort((i, j) => values[j] - values[i]);
  // Sums of squares: an eigenvalue below zero is rounding of one that is zero beside the largest.
  const q = Float64Array.from(order, (i) => Math.max(0, values[i]));
  return { Q: selectColumns(vectors, order), q };
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
  const own = multiply(Q, scaleRows(transposeMultiply(Q, J), q));
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

function scaleRows(A: Matrix, scale: Float64Array): Matrix {
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < A.cols; j++) A.data[i * A.cols + j] *= scale[i];
  return A;
}

function scaleColumns(A: Matrix, scale: Float64Array): Matrix {
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < A.cols; j++) A.data[i * A.cols + j] *= scale[j];
  return A;
}

function columnNorm(A: Matrix, c: number): number {
  let sum = 0;
  for (let i = 0; i < A.rows; i++) sum += A.data[i * A.cols + c] ** 2;
  return Math.sqrt(sum);
}
