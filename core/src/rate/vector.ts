/** xᵀy. */
export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/** Between these a sum of squares has neither overflowed nor lost what counts. */
const SAFE_LOW = 1e-200;
const SAFE_HIGH = 1e200;

/** √(xᵀx), scaled by the largest entry where squares would overflow or vanish. */
export function norm(x: Float64Array): number {
  const squares = dot(x, x);
  if (squares > SAFE_LOW && squares < SAFE_HIGH) return Math.sqrt(squares);
  let largest = 0;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** Norm of each row of a row-major matrix with `cols` columns; NaN or infinite where an entry is. */
export function rowNorms(data: Float64Array, rows: number, cols: number): Float64Array {
  const out = new Float64Array(rows);
  for (let j = 0, at = 0; j < rows; j++, at += cols) {
    // Two sums, so that one addition need not wait for the other.
    let even = 0;
    let odd = 0;
    let k = at;
    for (const end = at + cols - 1; k < end; k += 2) {
      even += data[k] * data[k];
      odd += data[k + 1] * data[k + 1];
    }
    if (k < at + cols) even += data[k] * data[k];
    const squares = even + odd;
    out[j] =
      squares > SAFE_LOW && squares < SAFE_HIGH
        ? Math.sqrt(squares)
        : norm(data.subarray(at, at + cols));
  }
  return out;
}
