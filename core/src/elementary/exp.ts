import { powerOfTwo, scaleByPowerOfTwo } from "./bits.ts";
import { LN2_HEAD, LN2_TAIL } from "./log.ts";

/** The whole k for which |x − k ln 2| is at most about ½ ln 2. */
export function nearestExponent(x: number): number {
  return Math.floor(x * Math.LOG2E + 0.5);
}

/**
 * exp(x − k ln 2) − 1 for the k of {@link nearestExponent}. With r the reduced argument and
 * c = r − r²P(r²), exp(r) = 1 + r + rc/(2 − c); the polynomial P errs by less than 2⁻⁵⁹.
 */
export function reducedExp(x: number, k: number): number {
  const head = x - k * LN2_HEAD;
  const tail = k * LN2_TAIL;
  const r = head - tail;
  const z = r * r;
  const c = r - z * reducedExpTerms(z);
  return (r * c) / (2 - c) - tail + head;
}

/** (r − 2(eʳ − 1)/(eʳ + 1))/r² as a polynomial in z = r². */
export function reducedExpTerms(z: number): number {
  return (
    0.16666666666666602 +
    z *
      (-2.7777777777015593e-3 +
        z * (6.613756321437934e-5 + z * (-1.6533902205465252e-6 + z * 4.1381367970572385e-8)))
  );
}

/**
 * eˣ, in error by less than 1 ulp, with the same bits everywhere. After exp of FreeBSD's msun (Sun
 * Microsystems 1993): eˣ = 2ᵏ exp(x − k ln 2).
 */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < -745.1332191019412) return 0;
  const k = nearestExponent(x);
  const y = 1 + reducedExp(x, k);
  return k > -1022 && k < 1024 ? y * powerOfTwo(k) : scaleByPowerOfTwo(y, k);
}
