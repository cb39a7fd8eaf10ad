import { eigh } from "./eigh.ts";
import { type Matrix, rowBlock, selectColumns } from "./matrix.ts";
import { outerGram, transposeMultiply } from "./products.ts";

/** Rows of a group differ in size by about this factor at most: what it may lose of relative accuracy. */
const SPREAD = 2 ** 13;

/** Smaller groups are as fast without. */
const WORTHWHILE = 32;

/**
 * Does most of what Jacobi's rotations would do, in products: rows of R (p×p, upper triangular, |R_ii|
 * about falling, as a pivoted QR leaves it) that are of about the same size are made nearly orthogonal by the
 * eigenvectors of their Gram matrix. R ← J R, and J, the identity before, becomes that orthogonal matrix.
 *
 * Rounding is relative to the largest row of a group, so rows of very different size never share one:
 * a graded matrix keeps its small singular values, and is what Jacobi does quickly by itself.
 */
export function preconditionRows(R: Matrix, J: Matrix): void {
  const p = R.rows;
  const size = (i: number) => Math.abs(R.data[i * p + i]);
  for (let start = 0, end = 1; start < p; start = end++) {
    const smallest = size(start) / SPREAD;
    while (end < p && size(end) >= smallest) end++;
    const b = end - start;
    if (b < WORTHWHILE || smallest === 0) continue;
    const block = rowBlock(R, start, end);
    const { vectors } = eigh(outerGram(block));
    const descending = selectColumns(
      vectors,
      Array.from({ length: b }, (_, i) => b - 1 - i),
    );
    block.data.set(transposeMultiply(descending, block).data);
    for (let i = 0; i < b; i++)
      for (let k = 0; k < b; k++) J.data[(start + i) * p + start + k] = descending.data[k * b + i];
  }
}
