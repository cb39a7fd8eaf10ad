import type { Rows } from "./rows.ts";

/** The sum of the numbers, divided by how many there are. Where a sum of x/n is taken instead, the last bit may differ. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Σwx/Σw; the plain mean where all count the same. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number> | null): number {
  if (!weights) return meanOf(values);
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += weights[i] * values[i];
    total += weights[i];
  }
  return sum / total;
}

/** Σ(x − about)², default about the mean. */
export function squaresOf(values: ArrayLike<number>, about: number = meanOf(values)): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - about) ** 2;
  return sum;
}

/** s/√n with s² = Σ(x − x̄)²/(n − 1), the standard error of the mean. */
export function errorOfMean(values: ArrayLike<number>): number {
  return Math.sqrt(squaresOf(values) / (values.length - 1) / values.length);
}

/** The mean of each column as the sum of its x/n. */
export function meansOfColumns({ data, rows, cols }: Rows): Float64Array {
  const means = new Float64Array(cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) means[j] += data[i * cols + j] / rows;
  return means;
}

/** Σ(x − about)² of each column. */
export function squaresOfColumns({ data, rows, cols }: Rows, about: Float64Array): Float64Array {
  const squares = new Float64Array(cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) squares[j] += (data[i * cols + j] - about[j]) ** 2;
  return squares;
}

/** Σ(x − x̄)²/(n − 1) of each column. */
export function variancesOfColumns(X: Rows): Float64Array {
  return squaresOfColumns(X, meansOfColumns(X)).map((sum) => sum / (X.rows - 1));
}
