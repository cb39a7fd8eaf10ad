import {
  cholesky,
  choleskySolveVector,
  gram,
  type Matrix,
  transposeMultiplyVector,
} from "../../src/linalg/index.ts";
import { columnScore, type Score } from "../../src/select/index.ts";

/** Squared correlations with y: a score without a network. */
export function squaredCorrelations(X: Matrix, y: Float64Array): Float64Array {
  const { data, rows: n, cols: p } = X;
  const centre = y.reduce((sum, value) => sum + value, 0) / n;
  const mean = new Float64Array(p);
  const cross = new Float64Array(p);
  const square = new Float64Array(p);
  for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) mean[j] += data[i * p + j] / n;
  let spread = 0;
  for (let i = 0; i < n; i++) {
    spread += (y[i] - centre) ** 2;
    for (let j = 0; j < p; j++) {
      const x = data[i * p + j] - mean[j];
      cross[j] += x * (y[i] - centre);
      square[j] += x * x;
    }
  }
  return cross.map((c, j) => (square[j] > 0 ? (c * c) / (square[j] * spread) : 0));
}

export const linearScore: Score = columnScore(squaredCorrelations);

/** Squared coefficients of ridge regression: a direct score without a network. */
export const directScore: Score = columnScore((X, y) => {
  const K = gram(X);
  for (let j = 0; j < X.cols; j++) K.data[j * (X.cols + 1)] += 0.01 * X.rows;
  return choleskySolveVector(cholesky(K), transposeMultiplyVector(X, y)).map((b) => b * b);
});
