/** A float16 in its 16 bits, exactly (IEEE 754 binary16). */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The nearest float16, ties to even, as its 16 bits. */
export function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00; // the midpoint above the largest rounds to infinity
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  // log2 may round up to the next power of 2.
  const power = 2 ** exponent > size ? exponent - 1 : exponent;
  return sign | (((power + 15) << 10) + roundToEven((size / 2 ** power - 1) * 1024));
}

/** A bfloat16 is the upper half of a float32. */
export function fromBfloat16(bits: number): number {
  scratch.setUint32(0, bits * 65536);
  return scratch.getFloat32(0);
}

const scratch = new DataView(new ArrayBuffer(4));

function roundToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
