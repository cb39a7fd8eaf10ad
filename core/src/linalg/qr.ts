import { requireFinite } from "./checks.ts";
import {
  applyReflector,
  identityReflectors,
  multiplyByBlock,
  multiplyByTransposed,
  REFLECTOR_BLOCK,
  type Reflectors,
  reflectorInto,
} from "./householder.ts";
import { type Matrix, matrix, transpose } from "./matrix.ts";

/** A = Q R, Q n×k with orthonormal columns, R k×p upper triangular, k = min(n, p). */
export interface QR {
  readonly Q: Matrix;
  readonly R: Matrix;
}

/**
 * Thin QR factorisation by blocked Householder reflections, 2p²(n − p/3) operations for R and as many
 * for Q when n ≥ p. Column by column backward stable: the error in column j is of order ε‖a_j‖
 * whatever the scale of the others (Higham 2002, Theorem 19.4). The diagonal of R has either sign.
 */
export function qr(A: Matrix): QR {
  requireFinite("qr", A);
  const { rows: n, cols: p } = A;
  const k = Math.min(n, p);
  const columns = transpose(A);
  const reflectors = factoriseColumns(columns.data, p, n);
  const Qt = matrix(k, n);
  for (let i = 0; i < k; i++) Qt.data[i * n + i] = 1;
  multiplyByTransposed(Qt.data, k, reflectors);
  const R = matrix(k, p);
  for (let i = 0; i < k; i++)
    for (let j = i; j < p; j++) R.data[i * p + j] = columns.data[j * n + i];
  return { Q: transpose(Qt), R };
}

/**
 * Overwrites `columns` (Aᵀ: row j is column j of A, p×n) with Rᵀ and returns Q as its reflectors.
 * A panel of columns is reduced one by one, then applied to the columns after it in one product.
 */
export function factoriseColumns(columns: Float64Array, p: number, n: number): Reflectors {
  const k = Math.min(n, p);
  const Q = identityReflectors(k, n, 0);
  for (let start = 0; start < k; start += REFLECTOR_BLOCK) {
    const end = Math.min(start + REFLECTOR_BLOCK, k);
    for (let j = start; j < end; j++) {
      const column = columns.subarray(j * n + j, (j + 1) * n);
      const v = Q.vectors.subarray(j * n + j, (j + 1) * n);
      const { tau, beta } = reflectorInto(v, column);
      Q.tau[j] = tau;
      column.fill(0);
      column[0] = beta;
      for (let next = j + 1; next < end; next++) applyReflector(columns, next * n + j, v, tau);
    }
    multiplyByBlock(columns.subarray(end * n), p - end, Q, start, end);
  }
  return Q;
}
