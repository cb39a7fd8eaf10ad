import { shapeError } from "../errors.ts";

/**
 * A matrix of which only some entries are kept, by rows (CSR): those of row i are `values[k]` in column
 * `columns[k]` for starts[i] ≤ k < starts[i + 1]. Entries that are not kept are 0.
 */
export interface SparseMatrix {
  readonly rows: number;
  readonly cols: number;
  /** rows + 1 places, the first 0. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Wraps the three arrays without copying them. A column may come once in a row, in any order. */
export function sparseMatrix(
  rows: number,
  cols: number,
  starts: Int32Array,
  columns: Int32Array,
  values: Float64Array,
): SparseMatrix {
  if (starts.length !== rows + 1 || starts[0] !== 0)
    throw shapeError("sparseMatrix", `${rows + 1} starts, the first 0`, `${starts.length} of them`);
  if (columns.length !== values.length || starts[rows] !== values.length)
    throw shapeError(
      "sparseMatrix",
      `as many columns and values as the last start says (${starts[rows]})`,
      `${columns.length} and ${values.length}`,
    );
  const seenIn = new Int32Array(cols).fill(-1);
  for (let i = 0; i < rows; i++)
    if (starts[i] > starts[i + 1])
      throw shapeError("sparseMatrix", "starts that do not fall", `a fall after row ${i}`);
  for (let i = 0; i < rows; i++) {
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const j = columns[k];
      if (!(j >= 0 && j < cols))
        throw shapeError("sparseMatrix", `columns from 0 to ${cols - 1}`, `${j} in row ${i}`);
      if (seenIn[j] === i)
        throw shapeError("sparseMatrix", "each column once a row", `column ${j} twice in row ${i}`);
      seenIn[j] = i;
    }
  }
  return { rows, cols, starts, columns, values };
}
