import { solveLowerTriangular } from "../linalg/cholesky.ts";
import { identity, type Matrix, matrix, rowBlock, transpose } from "../linalg/matrix.ts";
import { multiplyTranspose } from "../linalg/products.ts";
import { defaultRcond } from "../linalg/pseudo-inverse.ts";
import { qr } from "../linalg/qr.ts";
import { svd } from "../linalg/svd.ts";

/** Above this condition number the triangle of a QR factorisation no longer decides the rank: the SVD does. */
const CONDITION_LIMIT = 1e7;

/**
 * (ZᵀZ + κI)⁻¹Zᵀ for an n×p matrix Z whose columns sum to zero; its limit Z⁺ for κ = 0.
 *
 * The QR factorisation of Z or Zᵀ, whichever stands tall, with √κ·I below it: [Z; √κI] = [Q₁; Q₂]R gives
 * R⁻¹Q₁ᵀ, [Zᵀ; √κI] gives Q₁R⁻ᵀ. O(n·p·min(n, p)). Where R is too near to singular, the SVD Z = UΣVᵀ
 * takes over: V·diag(σ/(σ² + κ))·Uᵀ, with σ up to max(n, p)·ε·σ₁, which may be nothing but rounding,
 * taken as zero.
 */
export function centredInverse(Z: Matrix, penalty: number): Matrix {
  if (Z.cols === 0) return matrix(0, Z.rows);
  return inverseByQr(Z, penalty) ?? inverseBySvd(Z, penalty);
}

/** Null where R is too near to singular. */
export function inverseByQr(Z: Matrix, penalty: number): Matrix | null {
  const wide = Z.cols >= Z.rows;
  const tall = wide ? transpose(Z) : Z;
  const below = penalty > 0 ? ridgeRows(tall.cols, penalty) : wide ? constantRow(Z) : null;
  const { Q, R } = qr(below ? stack(tall, below) : tall);
  const inverseR = solveLowerTriangular(transpose(R), identity(R.rows), true);
  if (!(condition(R, inverseR) < CONDITION_LIMIT)) return null;
  const top = rowBlock(Q, 0, tall.rows);
  return wide ? multiplyTranspose(top, inverseR) : multiplyTranspose(inverseR, top);
}

function ridgeRows(size: number, penalty: number): Matrix {
  const rows = identity(size);
  for (let k = 0; k < size; k++) rows.data[k * size + k] = Math.sqrt(penalty);
  return rows;
}

/**
 * The columns of Z sum to zero, so those of Zᵀ depend on one another: Zᵀ1 = 0. A row c·1ᵀ below it fills
 * the gap and changes nothing else, since 1 is orthogonal to the rest. c: the size of a typical singular value.
 */
function constantRow(Z: Matrix): Matrix {
  const n = Z.rows;
  let squares = 0;
  for (const value of Z.data) squares += value * value;
  return matrix(1, n, new Float64Array(n).fill(Math.sqrt(squares) / n));
}

function stack(top: Matrix, bottom: Matrix): Matrix {
  const out = matrix(top.rows + bottom.rows, top.cols);
  out.data.set(top.data);
  out.data.set(bottom.data, top.data.length);
  return out;
}

/**
 * max_j ‖column j of R‖·‖row j of R⁻¹‖: the square root of the largest variance inflation. It does not
 * depend on the columns' units, and NaN and infinity (a zero on R's diagonal) count as too large.
 */
function condition(R: Matrix, inverseR: Matrix): number {
  const k = R.rows;
  let largest = 0;
  for (let j = 0; j < k; j++) {
    let column = 0;
    let row = 0;
    for (let i = 0; i < k; i++) {
      column += R.data[i * k + j] ** 2;
      row += inverseR.data[j * k + i] ** 2;
    }
    const inflation = Math.sqrt(column) * Math.sqrt(row);
    if (!(inflation <= largest)) largest = inflation;
    if (Number.isNaN(largest)) return largest;
  }
  return largest;
}

function inverseBySvd(Z: Matrix, penalty: number): Matrix {
  const { U, values, V } = svd(Z);
  const k = values.length;
  const smallest = defaultRcond(Z) * values[0];
  const filter = values.map((s) => (s > smallest ? 1 / (s + penalty / s) : 0));
  const scaled = V.data.map((value, at) => value * filter[at % k]);
  return multiplyTranspose(matrix(V.rows, k, scaled), U);
}
