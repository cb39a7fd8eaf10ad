import { engine } from "../compute/engine.ts";
import { RatewiseError } from "../errors.ts";
import { requireFinite, requireSquare } from "./checks.ts";
import { divideAndConquer } from "./divide-and-conquer.ts";
import { multiplyByTransposed, type Reflectors } from "./householder.ts";
import { implicitQL } from "./implicit-ql.ts";
import { type Matrix, matrix, selectRows, transpose } from "./matrix.ts";
import { powerOfTwoScale } from "./scale.ts";
import { type Tridiagonal, tridiagonalise } from "./tridiagonal.ts";

/** A = V diag(values) Vᵀ. */
export interface SymmetricEigen {
  /** Ascending. */
  readonly values: Float64Array;
  /** Column i belongs to `values[i]`; orthonormal, each with either sign. */
  readonly vectors: Matrix;
}

/**
 * Eigenvalues, ascending as NumPy's `eigh` has them, and eigenvectors of a symmetric matrix, of which only
 * the lower triangle is read. Reduction to tridiagonal form, divide and conquer, transformation back; at most
 * 6n³ operations. Every eigenvalue is within c·n·ε·‖A‖ of the truth: small ones of a graded matrix have that
 * absolute accuracy only, and eigenvectors of close eigenvalues are an arbitrary basis of their space.
 */
export function eigh(A: Matrix): SymmetricEigen {
  const { tridiagonal, scale } = reduce("eigh", A);
  const { diagonal, offDiagonal, reflectors } = tridiagonal;
  const n = A.rows;
  const solved = divideAndConquer(diagonal, offDiagonal);
  if (!solved) throw notConverged("eigh", n);
  const { values } = solved;
  const order = Array.from(values.keys()).sort((i, j) => values[i] - values[j]);
  const sorted = selectRows(matrix(n, n, solved.rows), order);
  transformBack(sorted, reflectors);
  return {
    values: Float64Array.from(order, (i) => values[i] / scale),
    vectors: transpose(sorted),
  };
}

/** X ← X Qᵀ, where the engine works if it has such a place: every block of reflectors uses all of X. */
function transformBack(X: Matrix, Q: Reflectors): void {
  const workspace = engine().workspace?.();
  try {
    const moved = workspace?.float64(X.data.length) ?? X.data;
    if (workspace) moved.set(X.data);
    multiplyByTransposed(moved, X.rows, Q);
    if (workspace) X.data.set(moved);
  } finally {
    workspace?.free();
  }
}

/** The eigenvalues of `eigh` alone, ascending, at a fifth of the work. */
export function eigenvalues(A: Matrix): Float64Array {
  const { tridiagonal, scale } = reduce("eigenvalues", A);
  if (!implicitQL(tridiagonal.diagonal, tridiagonal.offDiagonal, null))
    throw notConverged("eigenvalues", A.rows);
  return tridiagonal.diagonal.map((value) => value / scale).sort();
}

function reduce(where: string, A: Matrix): { tridiagonal: Tridiagonal; scale: number } {
  requireSquare(where, A);
  requireFinite(where, A);
  const n = A.rows;
  const S = matrix(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) S.data[i * n + j] = S.data[j * n + i] = A.data[i * n + j];
  const scale = powerOfTwoScale(S);
  for (let i = 0; i < S.data.length; i++) S.data[i] *= scale;
  return { tridiagonal: tridiagonalise(S.data, n), scale };
}

function notConverged(where: string, n: number): RatewiseError {
  return new RatewiseError("not-converged", {
    in: where,
    what: `needs at most 30 sweeps an eigenvalue, got no convergence at n = ${n}`,
    advice: "please report the matrix",
    n,
  });
}
