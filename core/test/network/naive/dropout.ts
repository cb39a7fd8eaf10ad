import type { StepNoise } from "../../../src/network/noise.ts";
import { philoxInto } from "../../../src/random/philox.ts";

/** The fourth counter word, which keeps masks apart from the draws of the output. The training kernel has the same. */
const DROPOUT = 0x64726f70;

const words = new Uint32Array(4);

/** Fills `out` with 0 (chance `rate`) or 1/(1 − rate): words 4b … 4b + 3 of block b, in order. */
export function dropoutInto(
  out: Float64Array,
  rate: number,
  stage: number,
  { key, step }: StepNoise,
): void {
  const kept = 1 / (1 - rate);
  for (let i = 0; i < out.length; i++) {
    if (i % 4 === 0) philoxInto(words, i / 4, step, stage, DROPOUT, key.k0, key.k1);
    out[i] = (words[i % 4] >>> 8) / 2 ** 24 < rate ? 0 : kept;
  }
}
