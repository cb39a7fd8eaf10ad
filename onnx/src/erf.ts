import * as elementary from "@ratewise/core/elementary";

/**
 * The error function, 2/√π ∫₀ˣ exp(−t²)dt, in error by less than 4e-16: its Taylor series with the factor exp(−x²) taken out
 * (Abramowitz and Stegun 7.1.6, all terms positive) up to 3, beyond that the continued fraction of the complement (7.1.14).
 * The networks of core have an erf of their own, with other last bits.
 */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(size)) return x;
  if (size >= 6) return Math.sign(x);
  const scale = elementary.exp(-size * size);
  if (size > 3) {
    let fraction = size;
    for (let k = 60; k >= 1; k--) fraction = size + k / 2 / fraction;
    return Math.sign(x) * (1 - scale / (Math.sqrt(Math.PI) * fraction));
  }
  let term = size;
  let sum = size;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (2 * size * size) / (2 * k + 1);
    sum += term;
  }
  return Math.sign(x) * (2 / Math.sqrt(Math.PI)) * scale * sum;
}
