import { highWord, powerOfTwo } from "./bits.ts";

/** ln 2 in two parts, the first with 21 zero bits at its end: its multiples by an exponent are exact. */
export const LN2_HEAD = 0.6931471803691238;
export const LN2_TAIL = 1.9082149292705877e-10;

/** The upper word of √½. */
export const ROOT_HALF = 0x3fe6a09e;

/**
 * What log(1 + f) has beyond f − f²/2, divided by s = f/(2 + f), less f²/2, for 1 + f from √½ to √2:
 * with log(1 + f) = 2 artanh s = 2s + s·R(s²), R is a polynomial that errs by less than 2⁻⁵⁸·⁴⁵.
 */
export function logRemainder(s: number): number {
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd =
    z *
    (0.6666666666666735 +
      w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  return odd + even;
}

/**
 * The natural logarithm, in error by less than 1 ulp, with the same bits everywhere. After log of
 * FreeBSD's msun (Sun Microsystems 1993): x = 2ᵏ(1 + f) with 1 + f from √½ to √2, then k ln 2 + log(1 + f).
 */
export function log(x: number): number {
  let k = 0;
  if (!(x >= 2.2250738585072014e-308)) {
    if (x === 0) return Number.NEGATIVE_INFINITY;
    if (!(x > 0)) return Number.NaN;
    x *= 2 ** 54;
    k = -54;
  }
  if (x === Number.POSITIVE_INFINITY) return x;
  const shift = ((highWord(x) + (0x3ff00000 - ROOT_HALF)) >> 20) - 1023;
  k += shift;
  const f = x * powerOfTwo(-shift) - 1;
  const halfSquare = 0.5 * f * f;
  const s = f / (2 + f);
  return s * (halfSquare + logRemainder(s)) + k * LN2_TAIL - halfSquare + f + k * LN2_HEAD;
}
