import { dot } from "../linalg/dot.ts";
import { norm as scaledNorm } from "../linalg/norm.ts";

/** Between these a sum of squares has neither overflowed nor lost what counts. */
const SAFE_LOW = 1e-200;
const SAFE_HIGH = 1e200;

/** √(xᵀx), which saves the division by the largest entry wherever squares neither overflow nor vanish. */
export function norm(x: Float64Array): number {
  const squares = dot(x, x);
  return squares > SAFE_LOW && squares < SAFE_HIGH ? Math.sqrt(squares) : scaledNorm(x);
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
