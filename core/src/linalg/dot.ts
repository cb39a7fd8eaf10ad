/** xᵀy, one sum in order. */
export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/**
 * Σ_i a[from + i]·b[offset + i] for i < n. Four sums side by side, since one alone would wait for its own last addition: faster
 * than {@link dot} on long stretches, with other last bits.
 */
export function dotFrom(
  a: Float64Array,
  from: number,
  b: Float64Array,
  offset: number,
  n: number,
): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[from + i] * b[offset + i];
    s1 += a[from + i + 1] * b[offset + i + 1];
    s2 += a[from + i + 2] * b[offset + i + 2];
    s3 += a[from + i + 3] * b[offset + i + 3];
  }
  for (; i < n; i++) s0 += a[from + i] * b[offset + i];
  return s0 + s1 + (s2 + s3);
}

/** y ← y + α·a[from …]. */
export function addScaled(y: Float64Array, alpha: number, a: Float64Array, from: number): void {
  for (let i = 0; i < y.length; i++) y[i] += alpha * a[from + i];
}
