import type { Matrix } from "../linalg/index.ts";

/** What an attribution (n×p, one row an observation) says of each variable over all rows: (1/n)Σ_i|S_ij|. */
export function meanAbsolute({ data, rows, cols }: Matrix): Float64Array {
  const out = new Float64Array(cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) out[j] += Math.abs(data[i * cols + j]) / rows;
  return out;
}
