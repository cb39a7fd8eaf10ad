/** xᵀy. */
export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/** √(xᵀx), scaled by the largest entry where squares would overflow or vanish. */
export function norm(x: Float64Array): number {
  const squares = dot(x, x);
  if (squares > 1e-200 && squares < 1e200) return Math.sqrt(squares);
  let largest = 0;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** Norm of each row of a row-major matrix with `cols` columns. */
export function rowNorms(data: Float64Array, rows: number, cols: number): Float64Array {
  const out = new Float64Array(rows);
  for (let j = 0; j < rows; j++) out[j] = norm(data.subarray(j * cols, (j + 1) * cols));
  return out;
}
