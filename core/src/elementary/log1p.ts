import { highWord, powerOfTwo } from "./bits.ts";
import { LN2_HEAD, LN2_TAIL, logRemainder, ROOT_HALF } from "./log.ts";

/**
 * log(1 + x) without cancellation near 0, in error by less than 1 ulp, with the same bits everywhere. After
 * log1p of FreeBSD's msun (Sun Microsystems 1993): 1 + x = 2ᵏ(1 + f), and what rounding took from 1 + x
 * comes back divided by it.
 */
export function log1p(x: number): number {
  if (!(x > -1)) return x === -1 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (Math.abs(x) < 2 ** -53 || x === Number.POSITIVE_INFINITY) return x;
  let k = 0;
  let f = x;
  let lost = 0;
  if (!(x > -0.29289 && x < 0.41421)) {
    const sum = 1 + x;
    k = ((highWord(sum) + (0x3ff00000 - ROOT_HALF)) >> 20) - 1023;
    if (k < 54) lost = (k >= 2 ? 1 - (sum - x) : x - (sum - 1)) / sum;
    f = sum * powerOfTwo(-k) - 1;
  }
  const halfSquare = 0.5 * f * f;
  const s = f / (2 + f);
  return s * (halfSquare + logRemainder(s)) + (k * LN2_TAIL + lost) - halfSquare + f + k * LN2_HEAD;
}
