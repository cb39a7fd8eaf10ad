import { clearLowWord, highWord, powerOfTwo, scaleByPowerOfTwo } from "./bits.ts";
import { reducedExpTerms } from "./exp.ts";

/** A logarithm to base 2 as head + tail, the head with 32 zero bits at its end. */
interface Log2 {
  head: number;
  tail: number;
}
const log2: Log2 = { head: 0, tail: 0 };

/**
 * xʸ with the special cases of `Math.pow`, in error by less than 1 ulp, with the same bits everywhere. After
 * pow of FreeBSD's msun (Sun Microsystems 2004): log₂|x| in two doubles, times y, then 2 to that power.
 */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (Math.abs(y) === Number.POSITIVE_INFINITY) {
    if (size === 1) return Number.NaN;
    return size > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  const negative = x < 0 || Object.is(x, -0);
  const odd = Math.abs(y % 2) === 1;
  if (size === 0 || size === Number.POSITIVE_INFINITY) {
    const limit = y > 0 ? size : 1 / size;
    return negative && odd ? -limit : limit;
  }
  if (negative && !Number.isInteger(y)) return Number.NaN;
  return negative && odd ? -positivePow(size, y) : positivePow(size, y);
}

function positivePow(x: number, y: number): number {
  if (x === 1 || y === 1) return x;
  if (y === 2) return x * x;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -1) return 1 / x;
  if (Math.abs(y) > 2 ** 31) {
    // Past 2⁶⁴ every x but 1 leaves the range; before it, those further than 2⁻²⁰ from 1.
    if (Math.abs(y) > 2 ** 64 || Math.abs(x - 1) > 2 ** -20)
      return x > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
    log2NearOne(log2, x);
  } else {
    log2Into(log2, x);
  }
  const yHead = clearLowWord(y);
  const tail = (y - yHead) * log2.head + y * log2.tail;
  return powerOfTwoSum(yHead * log2.head, tail);
}

/** 1/ln 2 in two parts. */
const PER_LN2_HEAD = 1.4426950216293335;
const PER_LN2_TAIL = 1.9259629911266175e-8;

/** log₂ x for |x − 1| ≤ 2⁻²⁰, from four terms of the series. */
function log2NearOne(out: Log2, x: number): void {
  const t = x - 1;
  const w = t * t * (0.5 - t * (1 / 3 - t * 0.25));
  const u = PER_LN2_HEAD * t;
  const v = t * PER_LN2_TAIL - w * Math.LOG2E;
  out.head = clearLowWord(u + v);
  out.tail = v - (out.head - u);
}

/** 2/(3 ln 2), and log₂ 1.5 */
const SCALE = 0.9617966939259756;
const SCALE_HEAD = 0.9617967009544373;
const SCALE_TAIL = -7.028461650952758e-9;
const LOG2_OF_3_HALVES_HEAD = 0.5849624872207642;
const LOG2_OF_3_HALVES_TAIL = 1.350039202129749e-8;

/**
 * log₂ x, to about 2⁻⁶⁸ of it: x = 2ⁿ·b·(1 + s)/(1 − s) with b = 1 or 1.5 and the quotient between √¾ and √1.5;
 * then 2 artanh s = (2/3)s(3 + s² + …) over ln 2.
 */
function log2Into(out: Log2, x: number): void {
  let n = 0;
  if (x < 2 ** -1022) {
    x *= 2 ** 53;
    n = -53;
  }
  let shift = (highWord(x) >> 20) - 1023;
  let m = x * powerOfTwo(-shift);
  if (m >= 1.7320508) {
    m *= 0.5;
    shift++;
  }
  n += shift;
  const far = m >= 1.2247448;
  const b = far ? 1.5 : 1;
  const u = m - b;
  const v = 1 / (m + b);
  const s = u * v;
  const sHead = clearLowWord(s);
  const sumHead = clearLowWord(m + b);
  const sTail = v * (u - sHead * sumHead - sHead * (m - (sumHead - b)));
  const squareHead = sHead * sHead;
  const series = log2Series(s * s) + sTail * (sHead + s);
  const termsHead = clearLowWord(3 + squareHead + series);
  const termsTail = series - (termsHead - 3 - squareHead);
  const productHead = sHead * termsHead;
  const productTail = sTail * termsHead + termsTail * s;
  const pHead = clearLowWord(productHead + productTail);
  const pTail = productTail - (pHead - productHead);
  const head = SCALE_HEAD * pHead;
  const tail = SCALE_TAIL * pHead + pTail * SCALE + (far ? LOG2_OF_3_HALVES_TAIL : 0);
  const offset = far ? LOG2_OF_3_HALVES_HEAD : 0;
  out.head = clearLowWord(head + tail + offset + n);
  out.tail = tail - (out.head - n - offset - head);
}

/** (3/2)·(2 artanh(s)/s − 2) − s² as a polynomial in z = s². */
function log2Series(z: number): number {
  return (
    z *
    z *
    (0.5999999999999946 +
      z *
        (0.4285714285785502 +
          z *
            (0.33333332981837743 +
              z * (0.272728123808534 + z * (0.23066074577556175 + z * 0.20697501780033842)))))
  );
}

/** ln 2 in two parts, the first of 21 bits. */
const LN2_SHORT = 0.6931471824645996;
const LN2_REST = -1.904654299957768e-9;

/** 2 to the power head + tail. */
function powerOfTwoSum(head: number, tail: number): number {
  const sum = head + tail;
  if (sum >= 1024.5) return Number.POSITIVE_INFINITY;
  if (sum < -1076) return 0;
  const n = Math.floor(sum + 0.5);
  const rest = head - n;
  const t = clearLowWord(tail + rest);
  const u = t * LN2_SHORT;
  const v = (tail - (t - rest)) * Math.LN2 + t * LN2_REST;
  const r = u + v;
  const lost = v - (r - u);
  const z = r * r;
  const c = r - z * reducedExpTerms(z);
  const correction = (r * c) / (c - 2) - (lost + r * lost);
  return scaleByPowerOfTwo(1 - (correction - r), n);
}
