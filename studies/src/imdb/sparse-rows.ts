import { type SparseMatrix, sparseMatrix } from "@ratewise/core/learners";

/** The given rows, in the given order. */
export function selectSparseRows(X: SparseMatrix, rows: ArrayLike<number>): SparseMatrix {
  const starts = new Int32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++)
    starts[i + 1] = starts[i] + X.starts[rows[i] + 1] - X.starts[rows[i]];
  const columns = new Int32Array(starts[rows.length]);
  const values = new Float64Array(starts[rows.length]);
  for (let i = 0; i < rows.length; i++) {
    columns.set(X.columns.subarray(X.starts[rows[i]], X.starts[rows[i] + 1]), starts[i]);
    values.set(X.values.subarray(X.starts[rows[i]], X.starts[rows[i] + 1]), starts[i]);
  }
  return sparseMatrix(rows.length, X.cols, starts, columns, values);
}

/** The entries by columns: those of column j are `rows[e]`, `values[e]` for starts[j] ≤ e < starts[j + 1]. */
export interface SparseColumns {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

export function sparseColumns({
  rows,
  cols,
  starts,
  columns,
  values,
}: SparseMatrix): SparseColumns {
  const ends = new Int32Array(cols + 1);
  for (const j of columns) ends[j + 1]++;
  for (let j = 0; j < cols; j++) ends[j + 1] += ends[j];
  const at = ends.slice(0, cols);
  const out = {
    starts: ends,
    rows: new Int32Array(values.length),
    values: new Float64Array(values.length),
  };
  for (let i = 0; i < rows; i++)
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const place = at[columns[e]]++;
      out.rows[place] = i;
      out.values[place] = values[e];
    }
  return out;
}

/** In single precision with its zeros written out, which is what training takes. */
export function denseRows({ rows, cols, starts, columns, values }: SparseMatrix): {
  readonly data: Float32Array;
  readonly rows: number;
  readonly cols: number;
} {
  const data = new Float32Array(rows * cols);
  for (let i = 0; i < rows; i++)
    for (let e = starts[i]; e < starts[i + 1]; e++) data[i * cols + columns[e]] = values[e];
  return { data, rows, cols };
}
