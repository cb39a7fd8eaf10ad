import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import { type Block, checkBlock, notFiniteError } from "./block.ts";
import { centre } from "./centre.ts";
import { addCentredProduct } from "./centred-product.ts";
import { columnMeans } from "./column-means.ts";
import type { Piece } from "./projected.ts";
import { insertSpan, type Span } from "./spans.ts";

/** What is kept of the columns seen so far: plain data, a piece of B for each block. */
export interface ColumnAccumulator {
  readonly kind: "columns";
  /** p, the columns of X. */
  readonly columns: number;
  /** C·H, n×l. */
  readonly hidden: Matrix;
  spans: readonly Span[];
  /** Σ (x_ij − x̄_j)(h_i − h̄)ᵀ and Σ (x_ij − x̄_j)² for the columns of each block, in the order they came. */
  readonly pieces: Piece[];
}

export interface ColumnAccumulatorOptions {
  readonly columns: number;
  /** H for all n rows. */
  readonly hidden: Rows;
}

/** An empty accumulator for the covariance projection of X seen in blocks of columns. Keeps C·H, n×l. */
export function columnAccumulator({
  columns,
  hidden,
}: ColumnAccumulatorOptions): ColumnAccumulator {
  if (!(Number.isSafeInteger(columns) && columns > 0))
    throw new RatewiseError("domain", {
      in: "columnAccumulator",
      what: `needs columns ≥ 1, got ${columns}`,
    });
  checkBlock("columnAccumulator", "H", hidden);
  const { centred } = centre("columnAccumulator", "H", hidden);
  return { kind: "columns", columns, hidden: centred, spans: [], pieces: [] };
}

/**
 * Adds columns `first` … `first + X.cols − 1`, all n rows of them, to `accumulator`, which changes.
 * O(n·cols·l), O(stored values·l) for CSR; keeps cols·(l + 1) numbers.
 */
export function addColumns(accumulator: ColumnAccumulator, first: number, X: Block): void {
  const { columns, hidden, pieces } = accumulator;
  if (X.rows !== hidden.rows)
    throw shapeError("addColumns", `all ${hidden.rows} rows, as in H`, `${X.rows}`);
  if (!Number.isSafeInteger(first) || first < 0 || first + X.cols > columns)
    throw shapeError(
      "addColumns",
      `columns from 0 to ${columns - 1}`,
      `columns ${first} … ${first + X.cols - 1}`,
    );
  if (X.cols === 0) return;
  checkBlock("addColumns", "X", X);
  const spans = insertSpan("addColumns", "columns", accumulator.spans, {
    start: first,
    end: first + X.cols,
  });
  const means = columnMeans(X);
  if (!means.every(Number.isFinite)) throw notFiniteError("addColumns", "X", X, 0, first);
  const product = matrix(X.cols, hidden.cols);
  const squares = new Float64Array(X.cols);
  addCentredProduct(product.data, squares, means, X, hidden);
  pieces.push({ first, product, squares });
  accumulator.spans = spans;
}

/** Adds the pieces of `part`, which must have seen other columns and the same H, to `accumulator`. O(n·l). */
export function addPieces(accumulator: ColumnAccumulator, part: ColumnAccumulator): void {
  const [H, other] = [accumulator.hidden, part.hidden];
  if (part.columns !== accumulator.columns || other.rows !== H.rows || other.cols !== H.cols)
    throw shapeError(
      "mergeAccumulators",
      `accumulators of ${accumulator.columns} columns with a ${H.rows}×${H.cols} H`,
      `${part.columns} columns with ${other.rows}×${other.cols}`,
    );
  const differs = H.data.findIndex((value, e) => value !== other.data[e]);
  if (differs >= 0)
    throw new RatewiseError("domain", {
      in: "mergeAccumulators",
      what: `needs the same H in every part, got another in row ${Math.floor(differs / H.cols)} (counted from 0)`,
      row: Math.floor(differs / H.cols),
    });
  let { spans } = accumulator;
  for (const span of part.spans) spans = insertSpan("mergeAccumulators", "columns", spans, span);
  accumulator.pieces.push(...part.pieces);
  accumulator.spans = spans;
}
