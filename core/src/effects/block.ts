import { RatewiseError, shapeError } from "../errors.ts";

/** Rows of a table, row-major, in either precision. A `Matrix` is one. */
export interface DenseBlock {
  readonly data: Float64Array | Float32Array;
  readonly rows: number;
  readonly cols: number;
}

/**
 * Rows of a table in compressed sparse row form: row i holds `values[e]` in column `columns[e]` for
 * `rowStarts[i] ≤ e < rowStarts[i + 1]`, and zeros elsewhere. Columns may come in any order, once each.
 */
export interface SparseBlock {
  readonly values: Float64Array | Float32Array;
  readonly columns: Int32Array | Uint32Array;
  readonly rowStarts: Int32Array | Uint32Array | Float64Array;
  readonly rows: number;
  readonly cols: number;
}

export type Block = DenseBlock | SparseBlock;

export function isSparse(block: Block): block is SparseBlock {
  return "rowStarts" in block;
}

/** Throws unless the arrays have the lengths that `rows` and `cols` promise, and CSR is well formed. */
export function checkBlock(where: string, what: string, block: Block): void {
  const { rows, cols } = block;
  if (!isSparse(block)) {
    if (block.data.length !== rows * cols)
      throw shapeError(
        where,
        `${rows * cols} numbers for the ${rows}×${cols} ${what}`,
        `${block.data.length}`,
      );
    return;
  }
  const { values, columns, rowStarts } = block;
  if (rowStarts.length !== rows + 1 || rowStarts[0] !== 0 || rowStarts[rows] !== values.length)
    throw shapeError(
      where,
      `${rows + 1} row starts from 0 to the number of values (${values.length}) in ${what}`,
      `${rowStarts.length} from ${rowStarts[0]} to ${rowStarts[rowStarts.length - 1]}`,
    );
  if (columns.length !== values.length)
    throw shapeError(where, `a column for each value of ${what}`, `${columns.length} columns`);
  checkEntries(where, what, block);
}

function checkEntries(where: string, what: string, block: SparseBlock): void {
  const { columns, rowStarts, rows, cols } = block;
  for (let i = 0; i < rows; i++)
    if (!(rowStarts[i] <= rowStarts[i + 1]))
      throw shapeError(where, `row starts of ${what} that never fall`, `a fall after row ${i}`);
  const lastRow = new Int32Array(cols).fill(-1);
  for (let i = 0; i < rows; i++) {
    for (let e = rowStarts[i]; e < rowStarts[i + 1]; e++) {
      const j = columns[e];
      if (!(j >= 0 && j < cols))
        throw shapeError(where, `columns 0 … ${cols - 1} in ${what}`, `${j} in row ${i}`);
      if (lastRow[j] === i)
        throw new RatewiseError("domain", {
          in: where,
          what: `needs each column once a row in ${what}, got column ${j} twice in row ${i}`,
          advice: "add the two values first",
          row: i,
          column: j,
        });
      lastRow[j] = i;
    }
  }
}

/** The first entry that is not a finite number, as `[row, column]`; null when all are finite. */
export function firstNotFinite(block: Block): readonly [number, number] | null {
  const { cols } = block;
  const numbers = isSparse(block) ? block.values : block.data;
  let e = 0;
  while (e < numbers.length && Number.isFinite(numbers[e])) e++;
  if (e === numbers.length) return null;
  if (!isSparse(block)) return [Math.floor(e / cols), e % cols];
  let i = 0;
  while (block.rowStarts[i + 1] <= e) i++;
  return [i, block.columns[e]];
}

/** The error for {@link firstNotFinite}, with the position counted in the whole table. */
export function notFiniteError(
  where: string,
  what: string,
  block: Block,
  firstRow = 0,
  firstColumn = 0,
): RatewiseError {
  const at = firstNotFinite(block);
  if (at === null)
    return new RatewiseError("domain", {
      in: where,
      what: `needs numbers in ${what} whose sums are finite, got an overflow`,
      advice: "rescale the columns",
    });
  const [row, column] = [firstRow + at[0], firstColumn + at[1]];
  return new RatewiseError("domain", {
    in: where,
    what: `needs finite numbers in ${what}, got NaN or infinity in row ${row}, column ${column} (counted from 0)`,
    advice: "drop or fill it",
    row,
    column,
  });
}
