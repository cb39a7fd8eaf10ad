import type { Key } from "./key.ts";
import { philoxInto } from "./philox.ts";

/** Words `4·block …` of the stream of `key`: two uniform doubles, or two normals. */
export function blockInto(words: Uint32Array, block: number, key: Key): void {
  philoxInto(words, block, Math.floor(block / 2 ** 32), 0, 0, key.k0, key.k1);
}

/** A uniform double in [0, 1) from the upper 53 of two words' 64 bits. */
export function unitInterval(first: number, second: number): number {
  return ((first >>> 5) * 0x4000000 + (second >>> 6)) / 2 ** 53;
}

/** A stream of uniform doubles in [0, 1), 53 bits each. Mutable: make one per loop from its own key. */
export function uniforms(key: Key): () => number {
  const words = new Uint32Array(4);
  let block = 0;
  let used = 4;
  return () => {
    if (used === 4) {
      blockInto(words, block++, key);
      used = 0;
    }
    used += 2;
    return unitInterval(words[used - 2], words[used - 1]);
  };
}

/** A uniform integer in 0 … n − 1. Bias at most n/2⁵³. */
export function uniformInteger(next: () => number, n: number): number {
  return Math.floor(next() * n);
}
