import type { Rows } from "../linalg/rows.ts";
import { isSparse, type SparseMatrix } from "../linalg/sparse-matrix.ts";
import type { Block } from "./block.ts";
import { sumsFromFirstRow } from "./centred-tile.ts";

/**
 * Mean of every column. Sums run over differences from the column's first value, so a constant column
 * has exactly its value as mean and columns far from zero keep their digits. One entry that is not
 * finite makes its column's mean so. O(rows·cols), or O(stored values + cols) for CSR.
 */
export function columnMeans(block: Block): Float64Array {
  return isSparse(block) ? sparseMeans(block) : denseMeans(block);
}

function denseMeans(block: Rows): Float64Array {
  const { data, rows, cols } = block;
  if (rows === 0) return new Float64Array(cols);
  return sumsFromFirstRow(block).map((sum, j) => data[j] + sum / rows);
}

function sparseMeans(block: SparseMatrix): Float64Array {
  const { values, columns, rows, cols } = block;
  const stored = storedPerColumn(block);
  const shift = new Float64Array(cols);
  for (let e = values.length - 1; e >= 0; e--)
    if (stored[columns[e]] === rows) shift[columns[e]] = values[e];
  const means = new Float64Array(cols);
  for (let e = 0; e < values.length; e++) means[columns[e]] += values[e] - shift[columns[e]];
  for (let j = 0; j < cols; j++) means[j] = shift[j] + means[j] / Math.max(rows, 1);
  return means;
}

/** How many values each column of a CSR block stores; `rows` of them means the column has no zeros left out. */
export function storedPerColumn({ columns, cols }: SparseMatrix): Int32Array {
  const stored = new Int32Array(cols);
  for (let e = 0; e < columns.length; e++) stored[columns[e]]++;
  return stored;
}
