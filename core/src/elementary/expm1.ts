import { powerOfTwo, scaleByPowerOfTwo } from "./bits.ts";
import { nearestExponent } from "./exp.ts";
import { LN2_HEAD, LN2_TAIL } from "./log.ts";

/**
 * eˣ − 1 without cancellation near 0, in error by less than 1 ulp, with the same bits everywhere. After
 * expm1 of FreeBSD's msun (Sun Microsystems 1993): x = k ln 2 + r, where expm1(r) = r + r²/2 + … is a
 * rational function of r whose polynomial errs by less than 2⁻⁶¹, then 2ᵏ(expm1(r) + 1) − 1.
 */
export function expm1(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < -39) return -1;
  if (Math.abs(x) < 2 ** -54) return x;
  const k = nearestExponent(x);
  const head = x - k * LN2_HEAD;
  const tail = k * LN2_TAIL;
  const r = head - tail;
  const lost = head - r - tail;
  const halfSquare = 0.5 * r * r;
  const error = expm1Error(r, halfSquare);
  if (k === 0) return r - (r * error - halfSquare);
  // exp(x) = 2ᵏ(1 + r − e)
  const e = r * (error - lost) - lost - halfSquare;
  if (k === -1) return 0.5 * (r - e) - 0.5;
  if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
  if (k < 0 || k > 56) return scaleByPowerOfTwo(r - e + 1, k) - 1;
  const unit = powerOfTwo(-k);
  return (k < 20 ? r - e + (1 - unit) : r - (e + unit) + 1) * powerOfTwo(k);
}

/** (r²/2 + r − expm1(r))/r, from the continued fraction of the exponential, with z = r²/2. */
function expm1Error(r: number, z: number): number {
  const half = 0.5 * r;
  const r1 =
    1 +
    z *
      (-0.03333333333333313 +
        z *
          (1.5873015872548146e-3 +
            z * (-7.93650757867488e-5 + z * (4.008217827329362e-6 + z * -2.0109921818362437e-7))));
  const t = 3 - r1 * half;
  return z * ((r1 - t) / (6 - r * t));
}
