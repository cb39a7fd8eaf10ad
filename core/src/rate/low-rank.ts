import { type Matrix, multiply, type SymmetricEigen, transposeMultiply } from "../linalg/index.ts";
import { gramEigen } from "./gram-eigen.ts";
import { forEachBlock, type Whitened } from "./whitened.ts";

/** Below this share of S the rest S − S_g is taken from its rows: a difference would lose more than two digits. */
export const DOMINANT = 1e-2;

/** Ω = D^½(I + U Uᵀ)D^½ with S = UᵀU = V diag(s) Vᵀ: what all scores of one posterior share. */
export interface LowRank {
  readonly U: Whitened;
  readonly eigen: SymmetricEigen;
}

/** One or two passes over the rows of U, O(p·l²), and an l×l eigenproblem. */
export function decompose(U: Whitened): LowRank {
  return { U, eigen: gramEigen(U.cols, (visit) => forEachBlock(U, visit)) };
}

/** V diag(f(s)) Vᵀ B. */
export function shrink(
  { values, vectors }: SymmetricEigen,
  B: Matrix,
  f: (s: number) => number,
): Matrix {
  const coordinates = transposeMultiply(vectors, B);
  for (let k = 0; k < values.length; k++) {
    const weight = f(values[k]);
    for (let c = 0; c < B.cols; c++) coordinates.data[k * B.cols + c] *= weight;
  }
  return multiply(vectors, coordinates);
}
