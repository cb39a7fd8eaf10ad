import { shapeError } from "../errors.ts";

/** A dense row-major matrix: entry (i, j) is `data[i * cols + j]`. No strides, no offsets. */
export interface Matrix {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/** Wraps `data` without copying it; a fresh zero matrix when `data` is left out. */
export function matrix(
  rows: number,
  cols: number,
  data: Float64Array = new Float64Array(rows * cols),
): Matrix {
  if (data.length !== rows * cols)
    throw shapeError("matrix", `${rows * cols} numbers for ${rows}×${cols}`, `${data.length}`);
  return { data, rows, cols };
}

/** Rows `start ≤ i < end`, sharing memory: a block of rows is contiguous, so it needs no stride. */
export function rowBlock(a: Matrix, start: number, end: number): Matrix {
  return matrix(end - start, a.cols, a.data.subarray(start * a.cols, end * a.cols));
}
