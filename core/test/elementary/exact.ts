/**
 * The elementary functions in whole numbers of any size, by series, to about 60 digits: slow, plain, and
 * independent of what they check.
 */

/** A real number: digits·2^scale. */
export interface Real {
  readonly digits: bigint;
  readonly scale: number;
}

/** Bits behind the point of what the series work on. */
const P = 256;
const ONE = 1n << BigInt(P);

const shifted = (value: bigint, by: number): bigint =>
  by >= 0 ? value << BigInt(by) : value >> BigInt(-by);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const bitLength = (value: bigint): number => absolute(value).toString(2).length;
const times = (a: bigint, b: bigint): bigint => (a * b) >> BigInt(P);
const fixed = ({ digits, scale }: Real, bits = P): bigint => shifted(digits, scale + bits);
const ofFixed = (digits: bigint): Real => ({ digits, scale: -P });

/** The exact value of a finite double. */
export function real(x: number): Real {
  const bits = new BigUint64Array(new Float64Array([x]).buffer)[0]!;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  const digits = exponent === 0 ? fraction : fraction | (1n << 52n);
  return { digits: bits >> 63n ? -digits : digits, scale: Math.max(exponent, 1) - 1075 };
}

/** |found − exact| in units of the last place that a double near `exact` has. */
export function ulpError(found: number, exact: Real): number {
  const top = exact.digits === 0n ? -1074 : bitLength(exact.digits) + exact.scale - 1;
  const unit = Math.max(top, -1022) - 52;
  // The first double that is too large stands for infinity, as in IEEE 754's rounding.
  const double = real(Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, found)));
  const value =
    Math.abs(found) < Number.POSITIVE_INFINITY
      ? double.digits
      : double.digits + (found > 0 ? 1n : -1n);
  const in40 = (r: Real) => shifted(r.digits, r.scale - unit + 40);
  return Number(absolute(in40({ digits: value, scale: double.scale }) - in40(exact))) / 2 ** 40;
}

/** Σ over odd k of ±zᵏ/k: artanh (sign 1) or arctan (sign −1) of the fixed-point z, |z| < ½. */
function arctangent(z: bigint, sign: 1n | -1n, bits = P): bigint {
  const square = (z * z) >> BigInt(bits);
  let sum = 0n;
  for (let power = z, k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = (sign * power * square) >> BigInt(bits);
  }
  return sum;
}

const LN2 = 2n * arctangent(ONE / 3n, 1n);

/** π by Machin's formula, to the bits that reducing the largest double takes. */
const PI_BITS = 1400;
const PI =
  16n * arctangent((1n << BigInt(PI_BITS)) / 5n, -1n, PI_BITS) -
  4n * arctangent((1n << BigInt(PI_BITS)) / 239n, -1n, PI_BITS);

const divideRound = (a: bigint, b: bigint): bigint => {
  const quotient = (2n * a + b) / (2n * b);
  return 2n * a + b < 0n && quotient * 2n * b !== 2n * a + b ? quotient - 1n : quotient;
};

function logReal({ digits, scale }: Real): bigint {
  // The mantissa from 2/3 to 4/3, so that logarithms near 0 are not differences.
  let k = bitLength(digits) + scale;
  if (3n * digits < 2n * shifted(1n, bitLength(digits))) k--;
  const m = shifted(digits, scale - k + P);
  return BigInt(k) * LN2 + 2n * arctangent(((m - ONE) << BigInt(P)) / (m + ONE), 1n);
}

function expFixed(x: bigint): Real {
  const k = divideRound(x, LN2);
  const r = x - k * LN2;
  let sum = 0n;
  for (let term = ONE, n = 1n; term !== 0n && term !== -1n; n++) {
    sum += term;
    term = times(term, r) / n;
  }
  return { digits: sum, scale: Number(k) - P };
}

function sineOf(x: Real, quarters: bigint): Real {
  const half = PI >> 1n;
  const angle = fixed(x, PI_BITS);
  const n = divideRound(angle, half);
  const r = (angle - n * half) >> BigInt(PI_BITS - P);
  const turn = BigInt.asUintN(2, n + quarters);
  let sum = 0n;
  let term = turn & 1n ? ONE : r;
  for (let k = turn & 1n ? 1n : 2n; term !== 0n && term !== -1n; k += 2n) {
    sum += term;
    term = -times(times(term, r), r) / (k * (k + 1n));
  }
  return ofFixed(turn & 2n ? -sum : sum);
}

/**
 * The double m·2ᵉ that of those with m < 2⁵³ comes nearest to a multiple of π/2, or nearly so: m is the
 * denominator of a convergent of the continued fraction of 2ᵉ·2/π.
 */
export function nearQuarterTurn(e: number): number {
  let [a, b] = [1n << 300n, shifted(1n, e + 1 + PI_BITS + 300) / PI];
  b = BigInt.asUintN(300, b);
  let [before, m] = [0n, 1n];
  for (;;) {
    [before, m] = [m, before + (a / b) * m];
    if (m >= 1n << 53n) return Number(before) * 2 ** e;
    [a, b] = [b, a % b];
  }
}

const oneMore = (x: number): Real => ({
  digits: fixed(real(x), 1200) + (1n << 1200n),
  scale: -1200,
});

/** Each for arguments where the answer is a number other than 0; from 2⁻⁶⁰ where it goes like x. */
export const exact: Record<
  "exp" | "expm1" | "log" | "log1p" | "sin" | "cos" | "tanh",
  (x: number) => Real
> = {
  exp: (x) => expFixed(fixed(real(x))),
  expm1: (x) => ofFixed(fixed(expFixed(fixed(real(x)))) - ONE),
  log: (x) => ofFixed(logReal(real(x))),
  log1p: (x) => ofFixed(logReal(oneMore(x))),
  sin: (x) => sineOf(real(x), 0n),
  cos: (x) => sineOf(real(x), 1n),
  tanh: (x) => {
    const e = fixed(expFixed(2n * fixed(real(x))));
    return ofFixed(((e - ONE) << BigInt(P)) / (e + ONE));
  },
};

export function exactPow(x: number, y: number): Real {
  const { digits, scale } = real(y);
  return expFixed(shifted(logReal(real(x)) * digits, scale));
}
