/** An angle less the nearest multiple of π/2: head + tail, to 2⁻¹¹⁰ of it or better. */
export interface Reduced {
  head: number;
  tail: number;
}

/** π/2 in three parts of 33 bits, whose multiples below 2²⁰ are exact, and the rest of it. */
const HALF_PI = [
  1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32,
] as const;

/** Up to here {@link reduceMedium} is exact enough. */
const MEDIUM = 2 ** 20;

/**
 * Takes the nearest multiple of π/2 from `x` (finite, |x| > π/4) and returns which one, modulo 4. In three
 * parts (Cody and Waite 1980) for |x| < 2²⁰, else with all the digits of 2/π that can matter (Payne and Hanek 1983).
 */
export function reduceInto(out: Reduced, x: number): number {
  return Math.abs(x) < MEDIUM ? reduceMedium(out, x) : reduceLarge(out, x);
}

function reduceMedium(out: Reduced, x: number): number {
  const n = Math.floor(x * 0.6366197723675814 + 0.5);
  const first = x - n * HALF_PI[0];
  const second = n * HALF_PI[1];
  const sum = first - second;
  const middle = sumError(first, -second, sum);
  const third = n * HALF_PI[2];
  const rest = middle - third;
  const last = sumError(middle, -third, rest) - n * HALF_PI[3];
  out.head = sum + rest;
  out.tail = sumError(sum, rest, out.head) + last;
  return n & 3;
}

/** What the rounded sum of a and b lacks, exactly (Knuth 1969). */
function sumError(a: number, b: number, sum: number): number {
  const ofB = sum - a;
  return a - (sum - ofB) + (b - ofB);
}

/** ⌊2¹²⁰⁰·2/π⌋: the last bit of a double is worth up to 2⁹⁷¹, and cancellation takes some 62 bits more. */
const TWO_OVER_PI_BITS = 1200n;
const TWO_OVER_PI = BigInt(
  "0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424" +
    "dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d6" +
    "39835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74" +
    "f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b",
);
/** ⌊2²⁰⁰·π/2⌋ */
const ANGLE_BITS = 200n;
const HALF_PI_FIXED = 0x1921fb54442d18469898cc51701b839a252049c1114cf98e804n;

/** In whole numbers of any size, which takes some microseconds. */
function reduceLarge(out: Reduced, x: number): number {
  // Below 2⁵³ there may be bits behind the point, but no more than 32 of them.
  const shift = Math.abs(x) < 2 ** 53 ? 32 : 0;
  const turns = (BigInt(x * 2 ** shift) * TWO_OVER_PI) >> BigInt(shift);
  const n = ((turns >> (TWO_OVER_PI_BITS - 1n)) + 1n) >> 1n;
  const fraction = (turns - (n << TWO_OVER_PI_BITS)) >> (TWO_OVER_PI_BITS - ANGLE_BITS);
  const angle = (fraction * HALF_PI_FIXED) >> ANGLE_BITS;
  const head = Number(angle);
  out.head = head * 2 ** -200;
  out.tail = Number(angle - BigInt(head)) * 2 ** -200;
  return Number(BigInt.asUintN(2, n));
}
