import { engine } from "../compute/engine.ts";
import { log } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { requireFinite, requireLength, shapeOf } from "./checks.ts";
import { cholesky, choleskyLogDeterminant, choleskySolveInPlace } from "./cholesky.ts";
import { type Matrix, matrix } from "./matrix.ts";
import { gram, multiply, transposeMultiply } from "./products.ts";

/** D + A Aᵀ ready to be solved with: D diagonal and positive, A p×l. Nothing p×p is ever formed. */
export interface DiagonalPlusLowRank {
  /** √D, p numbers. */
  readonly scale: Float64Array;
  /** U = D^(−½) A, p×l. */
  readonly whitened: Matrix;
  /** L with I + UᵀU = L Lᵀ, l×l. */
  readonly factor: Matrix;
}

/**
 * Factorises D + A Aᵀ = D^½ (I + U Uᵀ) D^½ through the l×l matrix I + UᵀU (Woodbury's identity).
 * p·l² + l³/3 operations. Whitening first makes everything below independent of the columns' units.
 */
export function factoriseDiagonalPlusLowRank(D: Float64Array, A: Matrix): DiagonalPlusLowRank {
  const where = "factoriseDiagonalPlusLowRank";
  requireLength(where, "D", D, A.rows);
  requireFinite(where, A);
  const bad = D.findIndex((value) => !(value > 0 && value < Number.POSITIVE_INFINITY));
  if (bad >= 0)
    throw new RatewiseError(
      "domain",
      `${where}: needs a positive diagonal, got ${D[bad]} at ${bad}; leave that variable out, or give it noise`,
      { index: bad },
    );
  const l = A.cols;
  const scale = D.map(Math.sqrt);
  const whitened = matrix(A.rows, l);
  for (let j = 0; j < A.rows; j++)
    for (let k = 0; k < l; k++) whitened.data[j * l + k] = A.data[j * l + k] / scale[j];
  const K = gram(whitened);
  for (let k = 0; k < l; k++) K.data[k * l + k] += 1;
  return { scale, whitened, factor: cholesky(K) };
}

/**
 * X with (D + A Aᵀ) X = B, column by column of B: D^(−½)(I − U K⁻¹ Uᵀ)D^(−½)B. 4pl operations a column.
 * A difference: where A Aᵀ is 10ᵏ times D in B's direction, k digits of the answer are lost.
 */
export function woodburySolve(F: DiagonalPlusLowRank, B: Matrix): Matrix {
  if (B.rows !== F.scale.length)
    throw shapeError("woodburySolve", `${F.scale.length} rows in B, as in D`, shapeOf(B));
  const X = divideRows(matrix(B.rows, B.cols, B.data.slice()), F.scale);
  const inner = choleskySolveInPlace(F.factor, transposeMultiply(F.whitened, X));
  const correction = multiply(F.whitened, inner);
  for (let i = 0; i < X.data.length; i++) X.data[i] -= correction.data[i];
  return divideRows(X, F.scale);
}

/** x with (D + A Aᵀ) x = b. */
export function woodburySolveVector(F: DiagonalPlusLowRank, b: Float64Array): Float64Array {
  requireLength("woodburySolveVector", "b", b, F.scale.length);
  return woodburySolve(F, matrix(b.length, 1, b)).data;
}

/**
 * log |D + A Aᵀ| = Σ log D_jj + log |I + UᵀU|. The sum is compensated (Kahan): over 10⁵ like variables
 * a plain one is wrong in the twelfth digit.
 */
export function woodburyLogDeterminant(F: DiagonalPlusLowRank): number {
  let sum = 0;
  let lost = 0;
  for (const root of F.scale) {
    const term = 2 * log(root) - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  return sum + choleskyLogDeterminant(F.factor);
}

/** h_j = u_jᵀ K⁻¹ u_j = ‖L⁻¹u_j‖², between 0 and 1: the share of Ω_jj's inverse that A Aᵀ takes away. */
export function woodburyLeverage(F: DiagonalPlusLowRank): Float64Array {
  return rowLeverages(F.whitened, F.factor);
}

/** ‖L⁻¹u_j‖² of each row u_j of U, with L lower triangular: p·l² operations, nothing of U's size is kept. */
export function rowLeverages(U: Matrix, L: Matrix): Float64Array {
  const out = new Float64Array(U.rows);
  engine().leverage(U.rows, U.cols, U.data, U.cols, L.data, L.cols, out);
  return out;
}

/** The diagonal of (D + A Aᵀ)⁻¹: (1 − h_j)/D_jj. p·l² operations; relative error of order ε/(1 − h_j). */
export function woodburyInverseDiagonal(F: DiagonalPlusLowRank): Float64Array {
  return woodburyLeverage(F).map((h, j) => (1 - h) / F.scale[j] ** 2);
}

function divideRows(X: Matrix, scale: Float64Array): Matrix {
  for (let i = 0; i < X.rows; i++)
    for (let j = 0; j < X.cols; j++) X.data[i * X.cols + j] /= scale[i];
  return X;
}
