import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import { type Block, checkBlock, notFiniteError } from "./block.ts";
import { centre } from "./centre.ts";
import { addCentredProduct } from "./centred-product.ts";
import { columnMeans } from "./column-means.ts";
import { insertSpan, type Span } from "./spans.ts";

/**
 * What is kept of the rows seen so far: plain data that clones, stores and travels to a worker.
 * All moments are about the means of those same rows.
 */
export interface RowAccumulator {
  readonly kind: "rows";
  /** p, the columns of X. */
  readonly columns: number;
  /** l, the columns of H. */
  readonly width: number;
  /** n, when it was promised. */
  readonly rows: number | null;
  /** Rows seen so far. */
  seen: number;
  spans: readonly Span[];
  readonly meanX: Float64Array;
  readonly meanH: Float64Array;
  /** Σ (x_i − x̄)(h_i − h̄)ᵀ, p×l. */
  readonly product: Matrix;
  /** Σ (x_ij − x̄_j)², p. */
  readonly squares: Float64Array;
}

export interface RowAccumulatorOptions {
  readonly columns: number;
  readonly width: number;
  /** How many rows there will be in all; when given, rows missing at the end are noticed too. */
  readonly rows?: number | null;
}

/** An empty accumulator for the covariance projection of X seen in blocks of rows. Holds p·(l + 2) numbers. */
export function rowAccumulator({
  columns,
  width,
  rows = null,
}: RowAccumulatorOptions): RowAccumulator {
  for (const [name, value] of [
    ["columns", columns],
    ["width", width],
  ] as const)
    if (!(Number.isSafeInteger(value) && value > 0))
      throw new RatewiseError("domain", {
        in: "rowAccumulator",
        what: `needs ${name} ≥ 1, got ${value}`,
      });
  return {
    kind: "rows",
    columns,
    width,
    rows,
    seen: 0,
    spans: [],
    meanX: new Float64Array(columns),
    meanH: new Float64Array(width),
    product: matrix(columns, width),
    squares: new Float64Array(columns),
  };
}

/**
 * Adds rows `first` … `first + X.rows − 1` of X, with H for the same rows, to `accumulator`, which changes.
 *
 * Each block is centred about its own means and joined by the pairwise update of Chan, Golub and
 * LeVeque (1979), which no order of blocks and no drift of a column's level can rob of its digits.
 * O(rows·p·l), O(stored values·l + p·l) for CSR; a block that is refused leaves no trace.
 */
export function addRows(accumulator: RowAccumulator, first: number, X: Block, H: Rows): void {
  const { columns, width, rows } = accumulator;
  if (X.cols !== columns || H.cols !== width)
    throw shapeError(
      "addRows",
      `${columns} columns of X and ${width} of H`,
      `${X.cols} and ${H.cols}`,
    );
  if (X.rows !== H.rows)
    throw shapeError("addRows", `H for the same ${X.rows} rows as X`, `${H.rows} rows`);
  if (!Number.isSafeInteger(first) || first < 0 || (rows !== null && first + X.rows > rows))
    throw shapeError(
      "addRows",
      `rows from 0 to ${rows === null ? "n" : rows - 1}`,
      `rows ${first} … ${first + X.rows - 1}`,
    );
  if (X.rows === 0) return;
  checkBlock("addRows", "X", X);
  checkBlock("addRows", "H", H);
  const spans = insertSpan("addRows", "rows", accumulator.spans, {
    start: first,
    end: first + X.rows,
  });
  const hidden = centre("addRows", "H", H, first);
  const means = columnMeans(X);
  if (!means.every(Number.isFinite)) throw notFiniteError("addRows", "X", X, first);

  const { product, squares } = accumulator;
  addCentredProduct(product.data, squares, means, X, hidden.centred);
  joinMeans(accumulator, X.rows, means, hidden.means);
  accumulator.spans = spans;
}

/** Adds the rows of `part`, none of which `accumulator` may have seen, to `accumulator`. O(p·l). */
export function addAccumulated(accumulator: RowAccumulator, part: RowAccumulator): void {
  const shape = ({ columns, width, rows }: RowAccumulator) =>
    `${columns} columns, width ${width}, ${rows ?? "any number of"} rows`;
  if (shape(part) !== shape(accumulator))
    throw shapeError("mergeAccumulators", `parts alike (${shape(accumulator)})`, shape(part));
  let { spans } = accumulator;
  for (const span of part.spans) spans = insertSpan("mergeAccumulators", "rows", spans, span);
  const [into, from] = [accumulator.product.data, part.product.data];
  for (let e = 0; e < into.length; e++) into[e] += from[e];
  for (let j = 0; j < part.columns; j++) accumulator.squares[j] += part.squares[j];
  joinMeans(accumulator, part.seen, part.meanX, part.meanH);
  accumulator.spans = spans;
}

/**
 * Moments about two means become moments about the common one. With n₁ and n₂ rows, δ and ε the
 * differences of the means of x and h: product += n₁n₂/(n₁+n₂) δεᵀ, and the same for the squares.
 */
function joinMeans(
  accumulator: RowAccumulator,
  count: number,
  meanX: Float64Array,
  meanH: Float64Array,
): void {
  const { seen, columns, width, product, squares } = accumulator;
  const total = seen + count;
  if (count === 0) return;
  const share = count / total;
  const gapH = meanH.map((mean, k) => mean - accumulator.meanH[k]);
  for (let j = 0; j < columns; j++) {
    const gap = meanX[j] - accumulator.meanX[j];
    const weighted = gap * seen * share;
    if (weighted !== 0) {
      squares[j] += weighted * gap;
      for (let k = 0; k < width; k++) product.data[j * width + k] += weighted * gapH[k];
    }
    // The first block's means are taken as they are, so that a constant column stays exactly constant.
    accumulator.meanX[j] = seen === 0 ? meanX[j] : accumulator.meanX[j] + gap * share;
  }
  for (let k = 0; k < width; k++)
    accumulator.meanH[k] = seen === 0 ? meanH[k] : accumulator.meanH[k] + gapH[k] * share;
  accumulator.seen = total;
}
