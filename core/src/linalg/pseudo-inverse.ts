import { engine } from "../compute/engine.ts";
import { type Matrix, matrix } from "./matrix.ts";
import { svd } from "./svd.ts";

/**
 * The share of the largest singular value up to which one counts as zero: max(n, p)·ε, as in NumPy's
 * `matrix_rank`, SciPy's `pinv` and MATLAB. NumPy's `pinv` has 1e-15 instead.
 */
export function defaultRcond(A: Matrix): number {
  return Math.max(A.rows, A.cols) * Number.EPSILON;
}

/**
 * The Moore–Penrose inverse A⁺ = V Σ⁺ Uᵀ (p×n), singular values up to `defaultRcond` of the largest taken as zero. The
 * cost of the SVD and of one product. To solve with a positive definite matrix use the Cholesky factor.
 */
export function pseudoInverse(A: Matrix): Matrix {
  const { U, values, V } = svd(A);
  const k = values.length;
  const smallest = defaultRcond(A) * values[0];
  let rank = 0;
  while (rank < k && values[rank] > smallest) rank++;
  const scaled = V.data.map((value, at) => (at % k < rank ? value / values[at % k] : 0));
  const out = matrix(A.cols, A.rows);
  if (rank > 0)
    engine().gemm(false, true, A.cols, A.rows, rank, 1, scaled, k, U.data, k, 0, out.data, A.rows);
  return out;
}
