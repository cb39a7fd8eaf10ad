import { type Matrix, matrix, rowBlock } from "../linalg/matrix.ts";
import { transposeMultiplyInto } from "../linalg/products.ts";
import type { Rows } from "../linalg/rows.ts";
import { isSparse, type SparseMatrix } from "../linalg/sparse-matrix.ts";
import type { Block } from "./block.ts";
import { centredTileInto } from "./centred-tile.ts";
import { storedPerColumn } from "./column-means.ts";

/** A tile of 256×256 doubles is 512 KB: it stays in a second-level cache while it is multiplied. */
const TILE = 256;

/**
 * For the columns x_j of one block, with h centred over the same rows (Σ_i h_i = 0):
 *
 *     product_j += Σ_i (x_ij − x̄_j) h_iᵀ,     squares_j += Σ_i (x_ij − x̄_j)²
 *
 * `product` is cols×l, `means` holds x̄. O(rows·cols·l) and one tile of memory; CSR costs O(stored values·l).
 *
 * Columns are centred before they are multiplied, so the sums are as small as they can be: an error
 * e in x̄_j enters only as e·Σ_i h_i, which is rounding times rounding. CSR cannot subtract from the
 * zeros it leaves out; there x_ij is multiplied as it stands, unless the column stores all its rows.
 * That loses little, since r rows with one zero among them have |x̄_j| < √r·sd_j.
 */
export function addCentredProduct(
  product: Float64Array,
  squares: Float64Array,
  means: Float64Array,
  block: Block,
  hidden: Matrix,
): void {
  if (isSparse(block)) addSparse(product, squares, means, block, hidden);
  else addDense(product, squares, means, block, hidden);
}

function addDense(
  product: Float64Array,
  squares: Float64Array,
  means: Float64Array,
  block: Rows,
  hidden: Matrix,
): void {
  const { rows, cols } = block;
  const l = hidden.cols;
  const numbers = new Float64Array(Math.min(rows, TILE) * Math.min(cols, TILE));
  const sums = new Float64Array(Math.min(cols, TILE) * l);
  for (let j0 = 0; j0 < cols; j0 += TILE) {
    const width = Math.min(TILE, cols - j0);
    const mean = means.subarray(j0, j0 + width);
    const square = squares.subarray(j0, j0 + width);
    const sum = matrix(width, l, sums.subarray(0, width * l));
    for (let i0 = 0; i0 < rows; i0 += TILE) {
      const height = Math.min(TILE, rows - i0);
      const tile = matrix(height, width, numbers.subarray(0, height * width));
      centredTileInto(numbers, square, block, i0 * cols + j0, height, mean);
      transposeMultiplyInto(sum, tile, rowBlock(hidden, i0, i0 + height));
      for (let e = 0; e < width * l; e++) product[j0 * l + e] += sums[e];
    }
  }
}

function addSparse(
  product: Float64Array,
  squares: Float64Array,
  means: Float64Array,
  block: SparseMatrix,
  hidden: Matrix,
): void {
  const { values, columns, starts, rows, cols } = block;
  const l = hidden.cols;
  const h = hidden.data;
  const stored = storedPerColumn(block);
  for (let i = 0; i < rows; i++) {
    const hi = i * l;
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const j = columns[e];
      const centred = values[e] - means[j];
      squares[j] += centred * centred;
      const x = stored[j] === rows ? centred : values[e];
      const out = j * l;
      for (let k = 0; k < l; k++) product[out + k] += x * h[hi + k];
    }
  }
  for (let j = 0; j < cols; j++) squares[j] += (rows - stored[j]) * means[j] ** 2;
}
