import { RatewiseError, shapeError } from "../errors.ts";
import type { Rows } from "./rows.ts";

/** A dense row-major matrix: entry (i, j) is `data[i * cols + j]`. No strides, no offsets. */
export interface Matrix extends Rows {
  readonly data: Float64Array;
}

/** Wraps `data` without copying it; a fresh zero matrix when `data` is left out. */
export function matrix(rows: number, cols: number, data?: Float64Array): Matrix {
  if (!(Number.isSafeInteger(rows) && rows >= 0 && Number.isSafeInteger(cols) && cols >= 0))
    throw shapeError("matrix", "whole numbers of rows and columns", `${rows}×${cols}`);
  const values = data ?? zeros(rows, cols);
  if (values.length !== rows * cols)
    throw shapeError("matrix", `${rows * cols} numbers for ${rows}×${cols}`, `${values.length}`);
  return { data: values, rows, cols };
}

function zeros(rows: number, cols: number): Float64Array {
  try {
    return new Float64Array(rows * cols);
  } catch (cause) {
    throw new RatewiseError("memory", {
      in: "matrix",
      what: `needs ${Math.ceil((rows * cols * 8) / 1e9)} GB for ${rows}×${cols} numbers, more than there is`,
      advice: "work on blocks of rows or columns",
      rows,
      cols,
      cause,
    });
  }
}

/** Copies nested arrays, one array a row. No rows at all make a 0×0 matrix. */
export function fromRows(rows: readonly ArrayLike<number>[]): Matrix {
  const cols = rows[0]?.length ?? 0;
  const out = matrix(rows.length, cols);
  rows.forEach((row, i) => {
    if (row.length !== cols)
      throw shapeError("fromRows", `${cols} numbers in row ${i}, as in row 0`, `${row.length}`);
    out.data.set(row, i * cols);
  });
  return out;
}

/** The n×n identity. */
export function identity(n: number): Matrix {
  const out = matrix(n, n);
  for (let i = 0; i < n; i++) out.data[i * n + i] = 1;
  return out;
}

/** Rows `start ≤ i < end`, sharing memory: a block of rows is contiguous, so it needs no stride. */
export function rowBlock(a: Matrix, start: number, end: number): Matrix {
  return matrix(end - start, a.cols, a.data.subarray(start * a.cols, end * a.cols));
}

/** A copy of the given rows, in the given order; an index may come twice. */
export function selectRows(A: Matrix, indices: ArrayLike<number>): Matrix {
  const out = matrix(indices.length, A.cols);
  for (let i = 0; i < indices.length; i++) {
    const from = checkedIndex("selectRows", "row", indices[i], A.rows) * A.cols;
    out.data.set(A.data.subarray(from, from + A.cols), i * A.cols);
  }
  return out;
}

/** A copy of the given columns, in the given order; an index may come twice. */
export function selectColumns(A: Matrix, indices: ArrayLike<number>): Matrix {
  const k = indices.length;
  const out = matrix(A.rows, k);
  for (let j = 0; j < k; j++) checkedIndex("selectColumns", "column", indices[j], A.cols);
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < k; j++) out.data[i * k + j] = A.data[i * A.cols + indices[j]];
  return out;
}

/** Aᵀ, copied in square tiles so that neither side walks the cache with a long stride. */
export function transpose(A: Matrix): Matrix {
  const { data, rows, cols } = A;
  const out = matrix(cols, rows);
  const tile = 32;
  for (let top = 0; top < rows; top += tile) {
    const bottom = Math.min(top + tile, rows);
    for (let left = 0; left < cols; left += tile) {
      const right = Math.min(left + tile, cols);
      for (let i = top; i < bottom; i++)
        for (let j = left; j < right; j++) out.data[j * rows + i] = data[i * cols + j];
    }
  }
  return out;
}

function checkedIndex(where: string, kind: string, index: number, length: number): number {
  if (!(Number.isInteger(index) && index >= 0 && index < length))
    throw shapeError(where, `${kind} indices from 0 to ${length - 1}`, `${index}`);
  return index;
}
