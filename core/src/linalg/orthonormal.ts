import type { Matrix } from "./matrix.ts";
import { norm } from "./norm.ts";

/**
 * Fills rows `rank`, `rank` + 1, … of A so that all rows are orthonormal, given that the first `rank` are.
 * Each new row is the unit vector that the rows so far reach least, made orthogonal to them twice
 * ("twice is enough", Giraud et al. 2005); what is left of it has norm ≥ 1/√cols, so no digits go.
 */
export function completeRows(A: Matrix, rank: number): void {
  const { data, rows, cols } = A;
  if (rank >= rows) return;
  const reach = new Float64Array(cols);
  for (let i = 0; i < rank; i++) addSquares(reach, data, i * cols);
  for (let i = rank; i < rows; i++) {
    const row = data.subarray(i * cols, (i + 1) * cols);
    row.fill(0);
    row[reach.indexOf(Math.min(...reach))] = 1;
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < i; k++) {
        let dot = 0;
        for (let c = 0; c < cols; c++) dot += data[k * cols + c] * row[c];
        for (let c = 0; c < cols; c++) row[c] -= dot * data[k * cols + c];
      }
    }
    const length = norm(row);
    for (let c = 0; c < cols; c++) row[c] /= length;
    addSquares(reach, data, i * cols);
  }
}

function addSquares(sums: Float64Array, data: Float64Array, start: number): void {
  for (let c = 0; c < sums.length; c++) sums[c] += data[start + c] ** 2;
}
