const M0 = 0xd2511f53 | 0;
const M1 = 0xcd9e8d57 | 0;

/**
 * High 32 bits of the 64-bit product of two unsigned 32-bit integers, from four products of 16 bits.
 * No partial sum passes 2³², so all of it stays in the machine's integers.
 */
function multiplyHigh(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const middle = (Math.imul(ah, bl) + (Math.imul(al, bl) >>> 16)) | 0;
  const low = (Math.imul(al, bh) + (middle & 0xffff)) | 0;
  return (Math.imul(ah, bh) + (middle >>> 16) + (low >>> 16)) | 0;
}

/**
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): a bijection of a 128-bit counter under a
 * 64-bit key. Counter-based, so any draw can be made without making the ones before it.
 */
export function philoxInto(
  out: Uint32Array,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
): void {
  // Signed words hold the same bits, and the optimiser keeps them in integer registers.
  c0 |= 0;
  c1 |= 0;
  c2 |= 0;
  c3 |= 0;
  k0 |= 0;
  k1 |= 0;
  for (let round = 0; round < 10; round++) {
    const h0 = multiplyHigh(M0, c0);
    const l0 = Math.imul(M0, c0);
    const h1 = multiplyHigh(M1, c2);
    const l1 = Math.imul(M1, c2);
    c0 = h1 ^ c1 ^ k0;
    c1 = l1;
    c2 = h0 ^ c3 ^ k1;
    c3 = l0;
    k0 = (k0 + 0x9e3779b9) | 0;
    k1 = (k1 + 0xbb67ae85) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}
