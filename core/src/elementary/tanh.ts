import { powerOfTwo } from "./bits.ts";
import { nearestExponent, reducedExp } from "./exp.ts";

/**
 * The hyperbolic tangent, in error by less than 1 ulp, with the same bits everywhere. Below 0.625 the
 * rational function x + x³P(x²)/Q(x²) of Cephes (Moshier 1989), above 1 − 2/(e²ˣ + 1).
 */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (!(size < 22)) return Number.isNaN(x) ? x : Math.sign(x);
  if (size < 0.625) return size < 2 ** -28 ? x : x + x * tanhExcess(x * x);
  return x < 0 ? -farTanh(size) : farTanh(size);
}

/** tanh(x)/x − 1 as a function of z = x² ≤ 0.4. */
function tanhExcess(z: number): number {
  const p = (-0.9643991794250523 * z - 99.28772310019185) * z - 1.6146876844170845e3;
  const q = ((z + 112.81167849163293) * z + 2.2354883906010045e3) * z + 4.844063053251255e3;
  return (z * p) / q;
}

/** What rounding takes from the exponential, the sum and the difference is put back: plainly they cost 2 ulp. */
function farTanh(x: number): number {
  const k = nearestExponent(2 * x);
  const excess = reducedExp(2 * x, k);
  const mantissa = 1 + excess;
  const power = powerOfTwo(k);
  const exponential = mantissa * power;
  const sum = exponential + 1;
  const lost = (excess - (mantissa - 1)) * power + (exponential - sum + 1);
  const quotient = 2 / sum;
  const far = 1 - quotient;
  return far + (1 - far - quotient + (quotient * lost) / sum);
}
