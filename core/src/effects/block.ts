import { RatewiseError, shapeError } from "../errors.ts";
import type { Rows } from "../linalg/rows.ts";
import { checkSparse, isSparse, type SparseMatrix } from "../linalg/sparse-matrix.ts";

/** Rows of a table: all their numbers, or those other than 0. */
export type Block = Rows | SparseMatrix;

/** Throws unless the arrays have the lengths that `rows` and `cols` promise, and CSR is well formed. */
export function checkBlock(where: string, what: string, block: Block): void {
  if (isSparse(block)) checkSparse(where, what, block);
  else if (block.data.length !== block.rows * block.cols)
    throw shapeError(
      where,
      `${block.rows * block.cols} numbers for the ${block.rows}×${block.cols} ${what}`,
      `${block.data.length}`,
    );
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
  while (block.starts[i + 1] <= e) i++;
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
