import { RatewiseError } from "../errors.ts";
import { requireFinite } from "./checks.ts";
import { multiplyByTransposed } from "./householder.ts";
import { orthogonaliseRows } from "./jacobi.ts";
import { identity, type Matrix, matrix, transpose } from "./matrix.ts";
import { norm } from "./norm.ts";
import { completeRows } from "./orthonormal.ts";
import { factorisePivoted } from "./pivoted-qr.ts";
import { preconditionRows } from "./precondition.ts";
import { factoriseColumns } from "./qr.ts";
import { powerOfTwoScale } from "./scale.ts";

/** A = U diag(values) Vᵀ, k = min(n, p). */
export interface SingularValueDecomposition {
  /** n×k, orthonormal columns. */
  readonly U: Matrix;
  /** σ₁ ≥ … ≥ σ_k ≥ 0. */
  readonly values: Float64Array;
  /** p×k, orthonormal columns, those of zero singular values included. Not Vᵀ, which NumPy returns. */
  readonly V: Matrix;
}

/** Singular values below this share of the largest entry are taken to be zero: squares would underflow. */
const SMALLEST = 2 ** -450;

/**
 * Thin singular value decomposition: QR, pivoted QR of R, one-sided Jacobi on the rows of what is left
 * (Drmač & Veselić 2008), after eigenvectors have done the bulk of it. 4np² + some 40p³ operations for
 * n ≥ p; a wide matrix goes through its transpose.
 *
 * Every σ is within c·ε·σ₁ of the truth. More is true when n ≥ p and A = B·D with D diagonal: the relative
 * error of *each* σ is of order ε·κ(B), however different the columns' units (up to 64 times that past
 * p = 32, see precondition.ts). A σ under 2⁻⁴⁵⁰ of the largest entry comes back as zero. Signs of pairs are
 * arbitrary.
 */
export function svd(A: Matrix): SingularValueDecomposition {
  requireFinite("svd", A);
  if (A.rows >= A.cols) return tallSvd(A);
  const { U, values, V } = tallSvd(transpose(A));
  return { U: V, values, V: U };
}

function tallSvd(A: Matrix): SingularValueDecomposition {
  const { rows: n, cols: p } = A;
  const scale = powerOfTwoScale(A);
  const columns = transpose(A);
  for (let i = 0; i < columns.data.length; i++) columns.data[i] *= scale;

  // A = Q₀ R₀,  R₀ P = Q₁ R₁: both triangles are kept transposed, a column a row.
  const outer = n > p ? factoriseColumns(columns.data, p, n) : null;
  const square = outer ? leadingColumns(columns, p) : columns;
  const { reflectors: inner, order } = factorisePivoted(square.data, p, p);

  // J R₁ = Σ Wᵀ with J orthogonal, so R₁ = Jᵀ Σ Wᵀ.
  const rows = transpose(square);
  const J = identity(p);
  preconditionRows(rows, J);
  if (!orthogonaliseRows(rows.data, J.data, p, SMALLEST))
    throw new RatewiseError(
      "not-converged",
      `svd: needs at most 60 Jacobi sweeps, got no convergence at ${n}×${p}; please report the matrix`,
      { rows: n, cols: p },
    );

  const sizes = Float64Array.from({ length: p }, (_, i) => norm(rowOf(rows, i)));
  for (let i = 0; i < p; i++) if (sizes[i] <= SMALLEST) sizes[i] = 0;
  const sorted = Array.from(sizes.keys()).sort((i, j) => sizes[j] - sizes[i]);

  const Vt = matrix(p, p);
  const Ut = matrix(p, n);
  multiplyByTransposed(J.data, p, inner);
  sorted.forEach((from, to) => {
    const row = rowOf(rows, from);
    if (sizes[from] > 0)
      for (let c = 0; c < p; c++) Vt.data[to * p + order[c]] = row[c] / sizes[from];
    Ut.data.set(rowOf(J, from), to * n);
  });
  if (outer) multiplyByTransposed(Ut.data, p, outer);
  completeRows(
    Vt,
    sizes.reduce((rank, size) => rank + Number(size > 0), 0),
  );
  return {
    U: transpose(Ut),
    values: Float64Array.from(sorted, (i) => sizes[i] / scale),
    V: transpose(Vt),
  };
}

const rowOf = (A: Matrix, i: number): Float64Array => A.data.subarray(i * A.cols, (i + 1) * A.cols);

function leadingColumns(A: Matrix, count: number): Matrix {
  const out = matrix(A.rows, count);
  for (let i = 0; i < A.rows; i++) out.data.set(rowOf(A, i).subarray(0, count), i * count);
  return out;
}
