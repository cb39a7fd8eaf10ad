import type { Matrix } from "../linalg/index.ts";
import { isSparse, type SparseMatrix } from "../linalg/sparse-matrix.ts";

/** What trees learn from: a matrix, or its entries other than 0. NaN is a missing value. */
export type TreeInput = Matrix | SparseMatrix;

/**
 * Calls `visit` with each row as `cols` numbers from `offset` of `data`. A sparse row is written out into one
 * buffer that is used again for the next.
 */
export function eachRow(
  X: TreeInput,
  visit: (data: Float64Array, offset: number, row: number) => void,
): void {
  if (!isSparse(X)) {
    for (let i = 0; i < X.rows; i++) visit(X.data, i * X.cols, i);
    return;
  }
  const { starts, columns, values } = X;
  const row = new Float64Array(X.cols);
  for (let i = 0; i < X.rows; i++) {
    for (let k = starts[i]; k < starts[i + 1]; k++) row[columns[k]] = values[k];
    visit(row, 0, i);
    for (let k = starts[i]; k < starts[i + 1]; k++) row[columns[k]] = 0;
  }
}
