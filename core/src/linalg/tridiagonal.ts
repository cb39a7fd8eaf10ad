import { engine } from "../compute/engine.ts";
import { identityReflectors, type Reflectors, reflectorInto } from "./householder.ts";

/** A = Q T Qᵀ with T symmetric tridiagonal. */
export interface Tridiagonal {
  readonly diagonal: Float64Array;
  /** Entry i couples i and i + 1; the last one is zero. */
  readonly offDiagonal: Float64Array;
  readonly reflectors: Reflectors;
}

/** Columns reduced before the rest of the matrix is updated in one product. */
const PANEL = 32;

/**
 * Householder reduction of a symmetric matrix (both triangles stored; overwritten) to tridiagonal form,
 * 4n³/3 operations, half of them in one rank-2·PANEL product a panel (LAPACK's dlatrd):
 *
 *     w = τ(A v − ½τ(vᵀA v)v),   A ← A − v wᵀ − w vᵀ
 *
 * Inside a panel A stays as it was and the pending v wᵀ + w vᵀ are subtracted where a column is read.
 */
export function tridiagonalise(A: Float64Array, n: number): Tridiagonal {
  // Every column of the matrix is used by every later one: it had better lie where the engine works.
  const workspace = n > PANEL ? engine().workspace?.() : undefined;
  const array = (length: number): Float64Array =>
    workspace?.float64(length) ?? new Float64Array(length);
  try {
    const moved = array(n * n);
    moved.set(A);
    return reduce(moved, n, array);
  } finally {
    workspace?.free();
  }
}

function reduce(A: Float64Array, n: number, array: (length: number) => Float64Array): Tridiagonal {
  const diagonal = new Float64Array(n);
  const offDiagonal = new Float64Array(n);
  const reflectors = identityReflectors(n, n, 1);
  // Rows [V; W] and [W; V] of one panel, so that V Wᵀ + W Vᵀ is one product.
  const left = array(2 * PANEL * n);
  const right = array(2 * PANEL * n);

  for (let start = 0; start < n; start += PANEL) {
    const end = Math.min(start + PANEL, n);
    const b = end - start;
    left.fill(0);
    right.fill(0);
    for (let c = start; c < end; c++) {
      const done = c - start;
      const column = A.slice(c * n, (c + 1) * n);
      for (let j = 0; j < 2 * b; j++) {
        if (j % b < done) subtractMultiple(column, left, j * n, right[j * n + c], c, n);
      }
      diagonal[c] = column[c];
      if (c === n - 1) break;
      const next = c + 1;
      const v = reflectors.vectors.subarray(c * n, (c + 1) * n);
      const { tau, beta } = reflectorInto(v.subarray(next), column.subarray(next));
      reflectors.tau[c] = tau;
      offDiagonal[c] = beta;

      const w = new Float64Array(n);
      symmetricTimes(A.subarray(next * n + next), n - next, n, v.subarray(next), w.subarray(next));
      for (let j = 0; j < 2 * b; j++) {
        if (j % b < done)
          subtractMultiple(w, left, j * n, dotOver(v, right, j * n, next, n), next, n);
      }
      const half = 0.5 * tau * dotOver(v, w, 0, next, n);
      for (let i = next; i < n; i++) w[i] = tau * (w[i] - half * v[i]);
      left.set(v, done * n);
      left.set(w, (b + done) * n);
      right.set(w, done * n);
      right.set(v, (b + done) * n);
    }
    const m = n - end;
    if (m > 0) {
      const rest = A.subarray(end * n + end);
      engine().gemm(
        true,
        false,
        m,
        m,
        2 * b,
        -1,
        left.subarray(end),
        n,
        right.subarray(end),
        n,
        1,
        rest,
        n,
      );
    }
  }
  return { diagonal, offDiagonal, reflectors };
}

/** y ← A x for the leading n×n of A, row-major with ld columns, both triangles stored. */
function symmetricTimes(
  A: Float64Array,
  n: number,
  ld: number,
  x: Float64Array,
  y: Float64Array,
): void {
  const { symmetricVector, gemm } = engine();
  if (symmetricVector) symmetricVector(n, A, ld, x, y);
  else gemm(false, false, n, 1, n, 1, A, ld, x, 1, 0, y, 1);
}

/** x_i ← x_i − factor · row_i, start ≤ i < end, the row beginning at `at`. */
function subtractMultiple(
  x: Float64Array,
  rows: Float64Array,
  at: number,
  factor: number,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) x[i] -= factor * rows[at + i];
}

/** Σ x_i·row_i over a stretch of a row, one sum in order as `dot` has it: the four sums of `dotFrom` have other last bits. */
function dotOver(
  x: Float64Array,
  rows: Float64Array,
  at: number,
  start: number,
  end: number,
): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += x[i] * rows[at + i];
  return sum;
}
