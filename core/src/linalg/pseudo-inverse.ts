import { engine } from "../compute/engine.ts";
import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix } from "./matrix.ts";
import { svd } from "./svd.ts";

/**
 * The share of the largest singular value up to which one counts as zero: max(n, p)·ε, as in NumPy's
 * `matrix_rank`, SciPy's `pinv` and MATLAB. NumPy's `pinv` has 1e-15 instead; pass it to get the same.
 */
export function defaultRcond(A: Matrix): number {
  return Math.max(A.rows, A.cols) * Number.EPSILON;
}

/**
 * The Moore–Penrose inverse A⁺ = V Σ⁺ Uᵀ (p×n), singular values σ ≤ rcond·σ₁ taken as zero. The cost of
 * the SVD and of one product. To solve with a positive definite matrix use the Cholesky factor.
 */
export function pseudoInverse(A: Matrix, rcond: number = defaultRcond(A)): Matrix {
  checkRcond("pseudoInverse", rcond);
  const { U, values, V } = svd(A);
  const rank = countAbove(values, rcond);
  const k = values.length;
  const scaled = V.data.map((value, at) => (at % k < rank ? value / values[at % k] : 0));
  const out = matrix(A.cols, A.rows);
  if (rank > 0)
    engine().gemm(false, true, A.cols, A.rows, rank, 1, scaled, k, U.data, k, 0, out.data, A.rows);
  return out;
}

/** The number of singular values with σ > rcond·σ₁. */
export function numericalRank(A: Matrix, rcond: number = defaultRcond(A)): number {
  checkRcond("numericalRank", rcond);
  return countAbove(svd(A).values, rcond);
}

function countAbove(values: Float64Array, rcond: number): number {
  let count = 0;
  while (count < values.length && values[count] > rcond * values[0]) count++;
  return count;
}

function checkRcond(where: string, rcond: number): void {
  if (!(rcond >= 0 && rcond < 1))
    throw new RatewiseError("domain", `${where}: needs 0 ≤ rcond < 1, got ${rcond}`, { rcond });
}
