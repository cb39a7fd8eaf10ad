import { choleskyInverse, type Matrix, matrix, outerGram, qr, transpose } from "../linalg/index.ts";
import { norm } from "./vector.ts";

/** Ω = diag(sd) C diag(sd) of full rank, p×p: formed only when p ≤ l, where it is no larger than A. */
export interface FullRank {
  readonly sd: Float64Array;
  /** Lower triangular L with C = L Lᵀ. */
  readonly factor: Matrix;
  /** C, unit diagonal; formed when first asked for. */
  readonly correlation: () => Matrix;
  /** C⁻¹; its diagonal holds the variance inflation factors 1/(1 − R_j²). */
  readonly inverse: Matrix;
}

/**
 * The correlations and their inverse from the rows of [A, √D] by QR, which keeps twice the digits of a
 * Cholesky factor of A Aᵀ + D; a triangular A (a dense covariance's factor) is taken as it is.
 * 2p²(l + p) operations.
 *
 * @returns null when some variable is a linear combination of the others up to rounding:
 * 1 − R_j² ≤ max(p, l)·ε.
 */
export function invertFullRank(A: Matrix, diagonal: Float64Array | null): FullRank | null {
  const { rows: p, cols: l } = A;
  if (p > l && diagonal === null) return null;
  const { rows, sd } = unitRows(A, diagonal);
  if (sd.includes(0)) return null;
  const factor = lowerFactor(rows);
  for (let j = 0; j < p; j++) if (factor.data[j * p + j] === 0) return null;
  const inverse = choleskyInverse(factor);
  const limit = 1 / (Math.max(p, l) * Number.EPSILON);
  for (let j = 0; j < p; j++) if (!(inverse.data[j * p + j] < limit)) return null;
  let correlation: Matrix | undefined;
  return {
    sd,
    factor,
    inverse,
    correlation: () => {
      correlation ??= outerGram(factor);
      return correlation;
    },
  };
}

/** The rows of [A, √D] divided by their norms, and the norms: √(A Aᵀ + D)_jj. */
function unitRows(A: Matrix, diagonal: Float64Array | null): { rows: Matrix; sd: Float64Array } {
  const { rows: p, cols: l } = A;
  const rows = matrix(p, diagonal ? l + p : l);
  const sd = new Float64Array(p);
  for (let j = 0; j < p; j++) {
    const row = rows.data.subarray(j * rows.cols, (j + 1) * rows.cols);
    row.set(A.data.subarray(j * l, (j + 1) * l));
    if (diagonal) row[l + j] = Math.sqrt(diagonal[j]);
    sd[j] = norm(row);
    for (let k = 0; k < row.length; k++) row[k] /= sd[j];
  }
  return { rows, sd };
}

/** L = Rᵀ with rows = L Qᵀ, its diagonal made positive. */
function lowerFactor(rows: Matrix): Matrix {
  if (rows.rows === rows.cols && isLowerTriangular(rows)) return rows;
  const L = transpose(qr(transpose(rows)).R);
  for (let k = 0; k < L.cols; k++)
    if (L.data[k * L.cols + k] < 0) for (let j = k; j < L.rows; j++) L.data[j * L.cols + k] *= -1;
  return L;
}

function isLowerTriangular({ data, rows, cols }: Matrix): boolean {
  for (let i = 0; i < rows; i++)
    for (let j = i + 1; j < cols; j++) if (data[i * cols + j] !== 0) return false;
  return true;
}
