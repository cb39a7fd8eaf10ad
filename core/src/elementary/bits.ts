const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** Every engine that core runs on is little-endian, but a byte order costs only this line. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** The upper 32 bits of a double: sign, 11 bits of exponent, the first 20 of the fraction. */
export function highWord(x: number): number {
  double[0] = x;
  return words[HIGH] | 0;
}

/** `x` with the lower 32 bits of its fraction cleared: a head whose products are exact. */
export function clearLowWord(x: number): number {
  double[0] = x;
  words[1 - HIGH] = 0;
  return double[0];
}

const SMALLEST = -1074;
const powers = new Float64Array(1023 - SMALLEST + 1);
for (let k = 0, power = 1; k <= 1023; k++, power *= 2) powers[k - SMALLEST] = power;
for (let k = -1, power = 0.5; k >= SMALLEST; k--, power /= 2) powers[k - SMALLEST] = power;

/** 2ᵏ for k from −1074 to 1023, exactly. A table: words put together stall the load that follows. */
export function powerOfTwo(k: number): number {
  return powers[k - SMALLEST];
}

/** x·2ᵏ for k from −2000 to 2000, rounded once when x is normal and no further than 2 from 1. */
export function scaleByPowerOfTwo(x: number, k: number): number {
  if (k > 1000) return x * 2 ** 1000 * powerOfTwo(k - 1000);
  if (k < -1000) return x * 2 ** -900 * powerOfTwo(k + 900);
  return x * powerOfTwo(k);
}
