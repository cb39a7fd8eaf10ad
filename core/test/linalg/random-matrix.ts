import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normalInto } from "../../src/random/index.ts";

/** Standard normal entries, fixed by the seed and the shape. */
export function randomMatrix(seed: number, rows: number, cols: number): Matrix {
  const out = matrix(rows, cols);
  normalInto(out.data, fold(keyFromSeed(seed), "matrix", rows, cols));
  return out;
}

/** The product by its definition, independent of the engine. */
export function naiveProduct(A: Matrix, B: Matrix): Matrix {
  const out = matrix(A.rows, B.cols);
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < B.cols; j++)
      for (let k = 0; k < A.cols; k++)
        out.data[i * B.cols + j] += A.data[i * A.cols + k] * B.data[k * B.cols + j];
  return out;
}

/** A with its columns multiplied by `scales`. */
export function scaleColumns(A: Matrix, scales: ArrayLike<number>): Matrix {
  return matrix(
    A.rows,
    A.cols,
    A.data.map((value, at) => value * scales[at % A.cols]),
  );
}

/** Largest absolute entry. */
export const largest = (A: Matrix): number => A.data.reduce((m, v) => Math.max(m, Math.abs(v)), 0);

/** Rows and columns over which the decompositions are tried: empty, single, prime, wide, tall, square. */
export const shapes: readonly (readonly [rows: number, cols: number])[] = [
  [0, 0],
  [0, 3],
  [3, 0],
  [1, 1],
  [1, 5],
  [5, 1],
  [2, 2],
  [7, 7],
  [13, 5],
  [5, 13],
  [31, 31],
  [97, 41],
  [41, 97],
  [130, 67],
];
