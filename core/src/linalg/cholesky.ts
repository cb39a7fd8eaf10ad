import { engine } from "../compute/engine.ts";
import { log } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { requireFinite, requireLength, requireSquare, shapeOf } from "./checks.ts";
import { type Matrix, matrix } from "./matrix.ts";

/** A factor, or the pivot at which there was none to be had. */
export type CholeskyOutcome =
  | { readonly result: "ok"; readonly value: Matrix }
  | { readonly result: "not-positive-definite"; readonly value: null; readonly pivot: number };

/**
 * The lower triangular L with A = L Lᵀ; failure is a value, for callers that have another way.
 *
 * Reads the lower triangle of A alone and leaves A as it was. n³/3 operations.
 * Backward stable: ‖A − L Lᵀ‖ ≤ c n ε ‖A‖ (Higham 2002, Theorem 10.3).
 */
export function tryCholesky(A: Matrix): CholeskyOutcome {
  return factorise("tryCholesky", A);
}

/** As tryCholesky, but throws `not-positive-definite`, with the pivot, when there is no factor. */
export function cholesky(A: Matrix): Matrix {
  const outcome = factorise("cholesky", A);
  if (outcome.result === "ok") return outcome.value;
  throw new RatewiseError("not-positive-definite", {
    in: "cholesky",
    what: `needs a positive definite matrix, got pivot ${outcome.pivot} of ${A.rows} not positive`,
    advice: "look for repeated or constant columns, or add a small number to the diagonal",
    pivot: outcome.pivot,
    n: A.rows,
  });
}

function factorise(where: string, A: Matrix): CholeskyOutcome {
  requireSquare(where, A);
  requireFinite(where, A);
  const L = matrix(A.rows, A.cols, A.data.slice());
  const pivot = engine().cholesky(L.rows, L.data, L.cols);
  if (pivot < 0) return { result: "ok", value: L };
  return { result: "not-positive-definite", value: null, pivot };
}

/** X with L Lᵀ X = B. 2n² operations per column of B. */
export function choleskySolve(L: Matrix, B: Matrix): Matrix {
  return choleskySolveInPlace(L, matrix(B.rows, B.cols, B.data.slice()));
}

/** B ← (L Lᵀ)⁻¹ B, returned. */
export function choleskySolveInPlace(L: Matrix, B: Matrix): Matrix {
  checkFactor("choleskySolve", L, B);
  engine().solveTriangular(false, L.rows, B.cols, L.data, L.cols, B.data, B.cols);
  engine().solveTriangular(true, L.rows, B.cols, L.data, L.cols, B.data, B.cols);
  return B;
}

/** x with L Lᵀ x = b. */
export function choleskySolveVector(L: Matrix, b: Float64Array): Float64Array {
  requireLength("choleskySolveVector", "b", b, L.rows);
  return choleskySolveInPlace(L, matrix(b.length, 1, b.slice())).data;
}

/** L⁻¹ B, or L⁻ᵀ B when `transposed`: half a solve, as whitening and quadratic forms need it. */
export function solveLowerTriangular(L: Matrix, B: Matrix, transposed = false): Matrix {
  checkFactor("solveLowerTriangular", L, B);
  const X = matrix(B.rows, B.cols, B.data.slice());
  engine().solveTriangular(transposed, L.rows, X.cols, L.data, L.cols, X.data, X.cols);
  return X;
}

/** log |A| = 2 Σ log L_ii. Sums logarithms: the determinant itself overflows at a few hundred rows. */
export function choleskyLogDeterminant(L: Matrix): number {
  requireSquare("choleskyLogDeterminant", L);
  let sum = 0;
  for (let i = 0; i < L.rows; i++) sum += log(L.data[i * L.cols + i]);
  return 2 * sum;
}

/** Columns of L⁻¹ formed at a time: wide enough for the engine, narrow enough to skip the zeros. */
const BLOCK = 64;

/**
 * A⁻¹ = L⁻ᵀL⁻¹ from its factor, exactly symmetric. n³ operations. For A⁻¹B use choleskySolve, which
 * is cheaper and more accurate.
 */
export function choleskyInverse(L: Matrix): Matrix {
  requireSquare("choleskyInverse", L);
  const n = L.rows;
  const inverseFactor = matrix(n, n);
  for (let start = 0; start < n; start += BLOCK) {
    const { data, rows, cols } = inverseFactorBlock(L, start);
    for (let i = 0; i < rows; i++)
      inverseFactor.data.set(data.subarray(i * cols, (i + 1) * cols), (start + i) * n + start);
  }
  const inverse = matrix(n, n);
  engine().syrk(true, n, n, 1, inverseFactor.data, n, 0, inverse.data, n);
  return inverse;
}

/** Columns start … start + BLOCK of L⁻¹, rows `start` and below: those above are zero. */
function inverseFactorBlock(L: Matrix, start: number): Matrix {
  const n = L.rows;
  const block = matrix(n - start, Math.min(BLOCK, n - start));
  for (let j = 0; j < block.cols; j++) block.data[j * block.cols + j] = 1;
  const corner = L.data.subarray(start * n + start);
  engine().solveTriangular(false, block.rows, block.cols, corner, n, block.data, block.cols);
  return block;
}

function checkFactor(where: string, L: Matrix, B: Matrix): void {
  requireSquare(where, L);
  if (B.rows !== L.rows)
    throw shapeError(where, `${L.rows} rows in B, as in the factor`, shapeOf(B));
}
