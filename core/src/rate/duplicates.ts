import type { EffectSizes } from "../effects/effect-sizes.ts";

/**
 * Sets of two or more variables with the same mean, factor row and noise, bit for bit, in order of first
 * appearance. A hash table of p entries; O(p·l).
 */
export function duplicatedVariables({ mean, factor, noise }: EffectSizes): number[][] {
  const p = mean.length;
  const l = factor.cols;
  const word = new Float64Array(1);
  const bits = new Uint32Array(word.buffer);
  const hash = (j: number): number => {
    let h = 0x811c9dc5;
    const add = (value: number): void => {
      word[0] = value + 0; // −0 and 0 are the same effect
      h = Math.imul(h ^ bits[0], 0x01000193);
      h = Math.imul(h ^ bits[1] ^ (h >>> 15), 0x01000193);
    };
    add(mean[j]);
    for (let k = 0; k < l; k++) add(factor.data[j * l + k]);
    return (h ^ (h >>> 13)) >>> 0;
  };
  const same = (i: number, j: number): boolean => {
    if (mean[i] !== mean[j] || (noise && noise[i] !== noise[j])) return false;
    for (let k = 0; k < l; k++) if (factor.data[i * l + k] !== factor.data[j * l + k]) return false;
    return true;
  };
  // Open addressing: a slot holds 1 + the first variable of its set.
  const mask = 2 ** Math.ceil(Math.log2(2 * p)) - 1;
  const slots = new Uint32Array(mask + 1);
  const sets = new Map<number, number[]>();
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
