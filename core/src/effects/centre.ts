import { type Matrix, matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import { notFiniteError } from "./block.ts";
import { columnMeans } from "./column-means.ts";

/**
 * C·H as a new double-precision matrix, with the means taken off. They are taken off twice: the second
 * time removes the rounding of the first, so that every column sums to zero as nearly as it can.
 */
export function centre(
  where: string,
  what: string,
  block: Rows,
  firstRow = 0,
): { readonly centred: Matrix; readonly means: Float64Array } {
  const { rows, cols } = block;
  const centred = matrix(rows, cols, Float64Array.from(block.data));
  const means = columnMeans(centred);
  if (!means.every(Number.isFinite)) throw notFiniteError(where, what, block, firstRow);
  subtractFromRows(centred, means);
  const left = columnMeans(centred);
  subtractFromRows(centred, left);
  for (let j = 0; j < cols; j++) means[j] += left[j];
  return { centred, means };
}

function subtractFromRows({ data, rows, cols }: Matrix, row: Float64Array): void {
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) data[i * cols + j] -= row[j];
}
