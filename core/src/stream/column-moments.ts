import { type GenotypeBlock, multiplyGenotypes } from "../compute/index.ts";
import { checkBlock, notFiniteError } from "../effects/block.ts";
import { centre } from "../effects/centre.ts";
import { addCentredProduct } from "../effects/centred-product.ts";
import { columnMeans } from "../effects/column-means.ts";
import { shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import type { Rows } from "../linalg/rows.ts";
import { type ColumnBlock, isGenotypes } from "./block-source.ts";

/** Σ_i (x_ij − x̄_j)(h_i − h̄)ᵀ, columns×l, Σ_i (x_ij − x̄_j)², and x̄_j, of the columns of one block. */
export interface ColumnMoments {
  readonly product: Float64Array | Float32Array;
  /** Over observed genotypes; NaN where there is none. */
  readonly means: Float64Array;
  readonly squares: Float64Array;
}

/** The moments of blocks of columns with one H, which is centred once. */
export function columnMoments(
  H: Rows,
  precision: "double" | "single",
): (block: ColumnBlock, first: number) => ColumnMoments {
  checkBlock("streamProjection", "H", H);
  const { centred } = centre("streamProjection", "H", H);
  const narrow = precision === "single" ? Float32Array.from(centred.data) : centred.data;
  return (block, first) =>
    isGenotypes(block)
      ? momentsOfGenotypes(block, narrow, H.cols)
      : momentsOfNumbers(block, centred, first);
}

/** Counts of genotypes are whole numbers, so the sums of squares are exact: Σx² − (Σx)²/observed, missing ones adding nothing. */
function momentsOfGenotypes(
  block: GenotypeBlock,
  H: Float64Array | Float32Array,
  l: number,
): ColumnMoments {
  const { product, sum, sumOfSquares, missing } = multiplyGenotypes(block, H, l, { centred: true });
  const squares = sumOfSquares.map((square, j) => {
    const observed = block.samples - missing[j];
    return observed > 0 ? square - (sum[j] * sum[j]) / observed : 0;
  });
  const means = sum.map((total, j) => total / (block.samples - missing[j]));
  return { product, means, squares };
}

function momentsOfNumbers(block: Rows, H: Matrix, first: number): ColumnMoments {
  if (block.rows !== H.rows)
    throw shapeError("streamProjection", `all ${H.rows} rows, as in H`, `${block.rows}`);
  const means = columnMeans(block);
  if (!means.every(Number.isFinite)) throw notFiniteError("streamProjection", "X", block, 0, first);
  const product = new Float64Array(block.cols * H.cols);
  const squares = new Float64Array(block.cols);
  addCentredProduct(product, squares, means, block, H);
  return { product, means, squares };
}
