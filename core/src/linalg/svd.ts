import { RatewiseError } from "../errors.ts";
import { requireFinite } from "./checks.ts";
import { multiplyByTransposed } from "./householder.ts";
import { orthogonaliseRows } from "./jacobi.ts";
import { identity, type Matrix, matrix, selectRows, transpose } from "./matrix.ts";
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
 * Thin singular value decomposition: QR, pivoted QR of R, QR of its transpose, then one-sided Jacobi on the
 * rows of what is left (Drmač & Veselić 2008) after eigenvectors have done the bulk of it. About
 * 4np² + 30p³ operations for n ≥ p; a wide matrix goes through its transpose.
 *
 * Every σ is within c·ε·σ₁ of the truth. More is true when n ≥ p and A = B·D with D diagonal: the relative
 * error of *each* σ is of order ε·κ(B), however different the columns' units (up to 10⁴ times that past
 * p = 32, the price of speed: see precondition.ts). A σ under 2⁻⁴⁵⁰ of the largest entry comes back as
 * zero. Signs of pairs are arbitrary.
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

  // A = Q₀ R₀,  R₀ P = Q₁ R₁,  R₁ᵀ = Q₂ R₂. The last makes rows of different size nearly orthogonal.
  const outer = n > p ? factoriseColumns(columns.data, p, n) : null;
  const square = outer ? leadingColumns(columns, p) : columns;
  const { reflectors: inner, order } = factorisePivoted(square.data, p, p);
  const lower = transpose(square);
  const right = factoriseColumns(lower.data, p, p);

  // J R₂ = Σ Wᵀ with J orthogonal, so A = (Q₀ Q₁ W) Σ (P Q₂ Jᵀ)ᵀ.
  const rows = transpose(lower);
  const J = identity(p);
  preconditionRows(rows, J);
  if (!orthogonaliseRows(rows.data, J.data, p, SMALLEST))
    throw new RatewiseError("not-converged", {
      in: "svd",
      what: `needs at most 60 Jacobi sweeps, got no convergence at ${n}×${p}`,
      advice: "please report the matrix",
      rows: n,
      cols: p,
    });
  const sizes = Float64Array.from({ length: p }, (_, i) => norm(rowOf(rows, i)));
  for (let i = 0; i < p; i++) if (sizes[i] <= SMALLEST) sizes[i] = 0;
  const sorted = Array.from(sizes.keys()).sort((i, j) => sizes[j] - sizes[i]);

  const Wt = selectRows(rows, sorted);
  for (let i = 0; i < p; i++) {
    const size = sizes[sorted[i]];
    if (size > 0) for (let c = 0; c < p; c++) Wt.data[i * p + c] /= size;
  }
  completeRows(
    Wt,
    sizes.reduce((rank, size) => rank + Number(size > 0), 0),
  );
  multiplyByTransposed(Wt.data, p, inner);
  const Ut = outer ? paddedRows(Wt, n) : Wt;
  if (outer) multiplyByTransposed(Ut.data, p, outer);

  const Jt = selectRows(J, sorted);
  multiplyByTransposed(Jt.data, p, right);
  const Vt = matrix(p, p);
  for (let i = 0; i < p; i++)
    for (let c = 0; c < p; c++) Vt.data[i * p + order[c]] = Jt.data[i * p + c];
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

function paddedRows(A: Matrix, cols: number): Matrix {
  const out = matrix(A.rows, cols);
  for (let i = 0; i < A.rows; i++) out.data.set(rowOf(A, i), i * cols);
  return out;
}
