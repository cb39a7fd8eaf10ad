import {
  eigh,
  type Matrix,
  matrix,
  multiply,
  qr,
  transpose,
  transposeMultiply,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import { hypotenuse } from "../linalg/norm.ts";
import { svd } from "../linalg/svd.ts";
import { type GroupDependence, nonNegative } from "./dependence.ts";
import { gramEigen, otherRows, triangularFactor } from "./gram-eigen.ts";
import { DOMINANT, type LowRank, shrink } from "./low-rank.ts";
import { forEachMemberBlock, type Whitened, whitenedRows } from "./whitened.ts";

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

/** Up to this many times l others are taken row by row: the most accurate way, and no dearer than the l×l algebra. */
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
  const { basis, spectrum } = spectrumOf(lowRank, members);
  const { Q, q } = basis;
  const k = q.length;

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
    return transposeMultiplyVector(spectrum.vectors, along);
  };
  return {
    excess: spectrum.excess,
    mean: coordinates(whitenedMean, (omega) => 1 / Math.sqrt(omega)),
    scaledMean: coordinates(scaledMean, Math.sqrt),
  };
}

function spectrumOf(
  lowRank: LowRank,
  members: readonly number[],
): { basis: GroupBasis; spectrum: Spectrum } {
  const { U } = lowRank;
  if (U.rows - members.length > FEW * U.cols) {
    const basis = groupBasis(U, members, false);
    const spectrum = spectrumByDifference(lowRank, basis);
    if (spectrum) return { basis, spectrum };
  }
  const basis = groupBasis(U, members, true);
  return { basis, spectrum: spectrumByRows(U, members, basis) };
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
 * ε and their directions from the rows of the others. With Φ their triangular factor, Q complete and
 * N = ΦQ diag(1+q)^(−½) = A diag(ν) Bᵀ,
 *
 *     M = Ω_g^½Λ_gΩ_g^½ − I = FᵀF,   F = diag(ν/√(1+ν²)) Bᵀ diag(√q)
 *
 * so ε are squared singular values, small ones accurate beside large ones. O(p·l²).
 */
function spectrumByRows(U: Whitened, members: readonly number[], { Q, q }: GroupBasis): Spectrum {
  const rows = triangularFactor(U.cols, otherRows(U, members));
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
 * The same from S and S_g alone, O(l³) whatever p: with R = S − S_g, K = I + S and G = I + S_g, the identity
 * G⁻¹ − K⁻¹ = G⁻¹R K⁻¹ gives
 *
 *     M = diag(√(q/(1+q))) · QᵀR K⁻¹Q · diag(√(q(1+q)))
 *
 * @returns null where S_g is nearly all of S, so that R loses its digits, or where M then comes out indefinite.
 */
function spectrumByDifference({ eigen }: LowRank, { Q, q }: GroupBasis): Spectrum | null {
  const k = q.length;
  const inverse = shrink(eigen, Q, (s) => 1 / (1 + s));
  const all = shrink(eigen, Q, (s) => s / (1 + s));
  const own = multiply(Q, scaleRows(transposeMultiply(Q, inverse), q));
  const rest = matrix(Q.rows, k);
  for (let i = 0; i < rest.data.length; i++) rest.data[i] = all.data[i] - own.data[i];
  for (let c = 0; c < k; c++) if (columnNorm(rest, c) < DOMINANT * columnNorm(all, c)) return null;
  const core = transposeMultiply(Q, rest);
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
  return excess && { excess, vectors };
}

function descending(values: Float64Array, vectors: Matrix): GroupBasis {
  const order = Array.from(values.keys()).sort((i, j) => values[j] - values[i]);
  // Sums of squares: an eigenvalue below zero is rounding of one that is zero beside the largest.
  const q = Float64Array.from(order, (i) => Math.max(0, values[i]));
  return { Q: selectColumns(vectors, order), q };
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
