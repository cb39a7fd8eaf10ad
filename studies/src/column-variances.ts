import type { Matrix } from "@ratewise/core";

/** Σ(x_ij − x̄_j)²/(n − 1) of every column. */
export function columnVariances({ data, rows, cols }: Matrix): Float64Array {
  const mean = new Float64Array(cols);
  const square = new Float64Array(cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) mean[j] += data[i * cols + j] / rows;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) square[j] += (data[i * cols + j] - mean[j]) ** 2;
  return square.map((sum) => sum / (rows - 1));
}
