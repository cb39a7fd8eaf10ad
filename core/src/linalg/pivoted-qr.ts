import {
  applyReflector,
  identityReflectors,
  type Reflectors,
  reflectorInto,
} from "./householder.ts";

/** A P = Q R; column j of A P is column `order[j]` of A. */
export interface PivotedQR {
  readonly reflectors: Reflectors;
  readonly order: Int32Array;
}

/**
 * QR factorisation with column pivoting (Businger & Golub 1965): the largest remaining column goes next,
 * so |R_jj| falls and reveals the rank. Overwrites `columns` (Aᵀ: row j is column j of A, p×n, n ≥ p)
 * with Rᵀ; entries are to be of size 1. 4np² operations; norms are computed afresh rather than downdated,
 * which costs a third more and cannot go wrong. Memory-bound, so it gains nothing from the engine.
 */
export function factorisePivoted(columns: Float64Array, p: number, n: number): PivotedQR {
  const reflectors = identityReflectors(p, n, 0);
  const order = Int32Array.from({ length: p }, (_, j) => j);
  for (let j = 0; j < p; j++) {
    let pivot = j;
    let largest = -1;
    for (let c = j; c < p; c++) {
      const size = sumOfSquares(columns, c * n + j, (c + 1) * n);
      if (size > largest) [pivot, largest] = [c, size];
    }
    swapRows(columns, n, j, pivot);
    [order[j], order[pivot]] = [order[pivot], order[j]];

    const column = columns.subarray(j * n + j, (j + 1) * n);
    const v = reflectors.vectors.subarray(j * n + j, (j + 1) * n);
    const { tau, beta } = reflectorInto(v, column);
    reflectors.tau[j] = tau;
    column.fill(0);
    column[0] = beta;
    for (let c = j + 1; c < p; c++) applyReflector(columns, c * n + j, v, tau);
  }
  return { reflectors, order };
}

function swapRows(X: Float64Array, n: number, i: number, j: number): void {
  if (i === j) return;
  const row = X.slice(i * n, (i + 1) * n);
  X.copyWithin(i * n, j * n, (j + 1) * n);
  X.set(row, j * n);
}

function sumOfSquares(X: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += X[i] * X[i];
  return sum;
}
