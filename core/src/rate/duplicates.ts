import type { EffectSizes } from "../effects/effect-sizes.ts";

/**
 * Sets of two or more variables with the same mean, factor row and noise, bit for bit but for the sign of
 * zero, in order of first appearance, given the norms of the factor rows. A hash table of p entries; O(p)
 * and O(l) a candidate.
 */
export function duplicatedVariables(effects: EffectSizes, norms: Float64Array): number[][] {
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
  const hash = rowHash(mean, norms);
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

/**
 * Hash of the mean and the norm of the factor row, which equal rows share (FNV-1a over 32-bit words, mixed
 * at the end): rows that agree in both are then compared whole.
 */
function rowHash(mean: Float64Array, norms: Float64Array): (j: number) => number {
  const pair = new Float64Array(2);
  const words = new Uint32Array(pair.buffer);
  return (j) => {
    pair[0] = mean[j] + 0; // −0 becomes 0
    pair[1] = norms[j];
    let h = 0x811c9dc5;
    for (let i = 0; i < 4; i++) h = Math.imul(h ^ words[i] ^ (h >>> 15), 0x01000193);
    return (h ^ (h >>> 13)) >>> 0;
  };
}
