import type { Key } from "./key.ts";
import { philoxInto } from "./philox.ts";

/** A stream of uniform doubles in [0, 1), 53 bits each. Mutable: make one per loop from its own key. */
export function uniforms(key: Key): () => number {
  const block = new Uint32Array(4);
  let counter = 0;
  let used = 4;
  return () => {
    if (used === 4) {
      philoxInto(block, counter >>> 0, Math.floor(counter / 2 ** 32), 0, 0, key.k0, key.k1);
      counter++;
      used = 0;
    }
    const high = block[used] >>> 5;
    const low = block[used + 1] >>> 6;
    used += 2;
    return (high * 0x4000000 + low) / 2 ** 53;
  };
}

/** A uniform integer in 0 … n − 1. Bias at most n/2⁵³. */
export function uniformInteger(next: () => number, n: number): number {
  return Math.floor(next() * n);
}
