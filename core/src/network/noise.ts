import { cos, log, sin } from "../elementary/index.ts";
import type { Key } from "../random/index.ts";
import { philoxInto } from "../random/philox.ts";

/** One training step's place in the random stream: no state, so any draw can be repeated. */
export interface StepNoise {
  readonly key: Key;
  readonly step: number;
}

/** The fourth counter word, which keeps these draws apart from dropout's. The training kernel has the same. */
const OUTPUT = 0x6f757470;

const words = new Uint32Array(4);

/** Fills `out` with standard normals: Box–Muller on the word pairs of each block, 24 bits a word. */
export function outputNoiseInto(out: Float64Array, { key, step }: StepNoise): void {
  for (let i = 0; i < out.length; i += 2) {
    if (i % 4 === 0) philoxInto(words, i / 4, step, 0, OUTPUT, key.k0, key.k1);
    // From 2⁻²⁴ to 1, so the logarithm is finite.
    const radius = Math.sqrt(-2 * log(((words[i % 4] >>> 8) + 1) / 2 ** 24));
    const angle = (2 * Math.PI * (words[(i % 4) + 1] >>> 8)) / 2 ** 24;
    out[i] = radius * cos(angle);
    if (i + 1 < out.length) out[i + 1] = radius * sin(angle);
  }
}
