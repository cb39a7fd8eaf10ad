import type { EffectSizes } from "../effects/effect-sizes.ts";

/**
 * Sets of two or more variables with the same mean, factor row and noise, bit for bit but for the sign of
 * zero, in order of first appearance. A hash table of p entries; O(p·l).
 */
export function duplicatedVariables(effects: EffectSizes): number[][] {
  const { mean, factor, noise } = effects;
  const p = mean.length;
  const l = factor.cols;
  const same = (i: number, j: number): boolean => {
    if (mean[i] !== mean[j] || (noise && noise[i] !== noise[j])) return false;
    for (let k = 0; k < l; k++) if (factor.data[i * l + k] !== factor.data[j * l + k]) return false;
    return true;
  };
  // Open addressing: a slot holds 1 + the first variable of its set.
  const mask = 0xffffffff >>> Math.clz32((2 * p) | 1);
  const slots = new Uint32Array(mask + 1);
  const sets = new Map<number, number[]>();
  const hash = rowHash(effects);
  for (let j = 0; j < p; j++) {
    let slot = hash(j) & mask;
    while (slots[slot] !== 0 && !same(slots[slot] - 1, j)) slot = (slot + 1) & mask;
    const first = slots[slot] - 1;
    if (first < 0) slots[slot] = j + 1;
    else {
      const set = sets.get(first);
      if (set) set.push(j);
      else sets.set(first, [first, j]);
    }
  }
  return [...sets.values()].sort((a, b) => a[0] - b[0]);
}

/** Entries of a factor row that are hashed: rows that agree in these and the mean are then compared whole. */
const HASHED = 8;

/** Hash of the mean and of entries spread over the factor row (FNV-1a over 32-bit words, mixed at the end). */
function rowHash({ mean, factor }: EffectSizes): (j: number) => number {
  const l = factor.cols;
  const count = Math.min(HASHED, l);
  const row = new Float64Array(count + 1);
  const words = new Uint32Array(row.buffer);
  return (j) => {
    for (let k = 0; k < count; k++) row[k] = factor.data[j * l + Math.floor((k * l) / count)] + 0; // −0 becomes 0
    row[count] = mean[j] + 0;
    let h = 0x811c9dc5;
    for (let i = 0; i < words.length; i++) h = Math.imul(h ^ words[i] ^ (h >>> 15), 0x01000193);
    return (h ^ (h >>> 13)) >>> 0;
  };
}
