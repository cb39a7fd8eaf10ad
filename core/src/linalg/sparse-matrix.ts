import { RatewiseError, shapeError } from "../errors.ts";
import type { Rows } from "./rows.ts";

/**
 * A matrix of which only some entries are kept, by rows (CSR): those of row i are `values[k]` in column
 * `columns[k]` for starts[i] ≤ k < starts[i + 1]. Entries that are not kept are 0. A column may come once in a row, in
 * any order.
 */
export interface SparseMatrix {
  readonly rows: number;
  readonly cols: number;
  /** rows + 1 places, the first 0. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

export function isSparse(X: Rows | SparseMatrix): X is SparseMatrix {
  return "starts" in X;
}

/** Wraps the three arrays without copying them. */
export function sparseMatrix(
  rows: number,
  cols: number,
  starts: Int32Array,
  columns: Int32Array,
  values: Float64Array,
): SparseMatrix {
  const X = { rows, cols, starts, columns, values };
  checkSparse("sparseMatrix", "X", X);
  return X;
}

/** Throws unless the arrays have the lengths that `rows` and `cols` promise and hold every entry once. */
export function checkSparse(where: string, what: string, X: SparseMatrix): void {
  const { rows, cols, starts, columns, values } = X;
  if (starts.length !== rows + 1 || starts[0] !== 0 || starts[rows] !== values.length)
    throw shapeError(
      where,
      `${rows + 1} row starts from 0 to the number of values (${values.length}) in ${what}`,
      `${starts.length} from ${starts[0]} to ${starts[starts.length - 1]}`,
    );
  if (columns.length !== values.length)
    throw shapeError(where, `a column for each value of ${what}`, `${columns.length} columns`);
  for (let i = 0; i < rows; i++)
    if (!(starts[i] <= starts[i + 1]))
      throw shapeError(where, `row starts of ${what} that never fall`, `a fall after row ${i}`);
  const lastRow = new Int32Array(cols).fill(-1);
  for (let i = 0; i < rows; i++) {
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const j = columns[e];
      if (!(j >= 0 && j < cols))
        throw shapeError(where, `columns 0 … ${cols - 1} in ${what}`, `${j} in row ${i}`);
      if (lastRow[j] === i)
        throw new RatewiseError("domain", {
          in: where,
          what: `needs each column once per row in ${what}, got column ${j} twice in row ${i}`,
          advice: "add the two values first",
          row: i,
          column: j,
        });
      lastRow[j] = i;
    }
  }
}
