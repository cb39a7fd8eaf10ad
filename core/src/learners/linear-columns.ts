/** Σ_i a[i + from]·b[i + offset]. Four sums side by side: the order is fixed, and a processor can overlap them. */
export function dot(
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

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}
