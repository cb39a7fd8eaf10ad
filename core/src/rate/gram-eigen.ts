import { RatewiseError } from "../errors.ts";
import {
  eigh,
  firstNonFinite,
  type Matrix,
  matrix,
  qr,
  type SymmetricEigen,
} from "../linalg/index.ts";
import { addGramInPlace } from "../linalg/products.ts";
import { svd } from "../linalg/svd.ts";
import { forEachBlock, type Whitened } from "./whitened.ts";

/** Above this ratio of the extreme eigenvalues of I + S, the error ε·s_max of forming S would reach the smallest. */
const LARGE = 1e6;

/** Calls its argument with each block of rows, in the same order every time. */
export type Blocks = (visit: (block: Matrix) => void) => void;

/**
 * Eigenvalues and eigenvectors of S = Σ blockᵀblock. From S itself, one pass of O(p·l²); when S is so uneven
 * that I + S would lose digits, from the singular values of the rows, whose triangular factor takes
 * another pass. The order of the pairs is not fixed.
 */
export function gramEigen(cols: number, blocks: Blocks): SymmetricEigen {
  const S = matrix(cols, cols);
  blocks((block) => addGramInPlace(S, block));
  if (firstNonFinite(S.data) >= 0)
    throw new RatewiseError("domain", {
      in: "rate",
      what: "needs noise within 300 orders of magnitude of the posterior variance, got a ratio that overflows",
      advice: "rescale the noise",
    });
  const eigen = eigh(S);
  if (cols === 0 || eigen.values[cols - 1] < LARGE * (1 + Math.max(0, eigen.values[0])))
    return eigen;
  const { values, V } = svd(triangularFactor(cols, blocks));
  return { values: values.map((value) => value * value), vectors: V };
}

/** Upper triangular R (at most cols×cols) with RᵀR = Σ blockᵀblock: QR of each block below the last R. */
export function triangularFactor(cols: number, blocks: Blocks): Matrix {
  let R = matrix(0, cols);
  blocks((block) => {
    const stacked = matrix(R.rows + block.rows, cols);
    stacked.data.set(R.data);
    stacked.data.set(block.data, R.data.length);
    R = qr(stacked).R;
  });
  // svd wants at least as many rows as columns for its V to be square
  if (R.rows === cols) return R;
  const padded = matrix(cols, cols);
  padded.data.set(R.data);
  return padded;
}

/** The rows of U outside `members`; theirs are zero, which changes no sum over rows. */
export function otherRows(U: Whitened, members: readonly number[]): Blocks {
  const inside = new Set(members);
  return (visit) =>
    forEachBlock(U, (block, start) => {
      for (let i = 0; i < block.rows; i++)
        if (inside.has(start + i)) block.data.fill(0, i * block.cols, (i + 1) * block.cols);
      visit(block);
    });
}
