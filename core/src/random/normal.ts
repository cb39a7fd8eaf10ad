import { log } from "../elementary/index.ts";
import { cosKernel, sinKernel } from "../elementary/sin-cos-kernel.ts";
import type { Key } from "./key.ts";
import { blockInto, unitInterval } from "./uniform.ts";

const words = new Uint32Array(4);
const pair = new Float64Array(2);

/**
 * Two standard normals from two uniforms (Box and Muller 1958): √(−2 log(1−u)) times the cosine and the
 * sine of v turns. The quarter turns are split off v before it meets π, without rounding.
 */
function pairInto(out: Float64Array, u: number, v: number): void {
  // 1 − u is in (0, 1], so the logarithm is finite.
  const radius = Math.sqrt(-2 * log(1 - u));
  const quarter = Math.floor(4 * v + 0.5);
  const angle = 2 * Math.PI * (v - 0.25 * quarter);
  const cosine = radius * cosKernel(angle, 0);
  const sine = radius * sinKernel(angle, 0);
  const even = (quarter & 1) === 0;
  const x = even ? cosine : sine;
  const y = even ? sine : cosine;
  out[0] = ((quarter + 1) & 2) === 0 ? x : -x;
  out[1] = (quarter & 2) === 0 ? y : -y;
}

/** Normals 2·block and 2·block + 1 of the stream of `key`. */
function normalPair(block: number, key: Key): void {
  blockInto(words, block, key);
  pairInto(pair, unitInterval(words[0], words[1]), unitInterval(words[2], words[3]));
}

/** A stream of standard normal doubles. The n-th needs only the ⌊n/2⌋-th block of `key`. */
export function normals(key: Key): () => number {
  let block = 0;
  let spare = 0;
  let hasSpare = false;
  return () => {
    hasSpare = !hasSpare;
    if (!hasSpare) return spare;
    normalPair(block++, key);
    spare = pair[1];
    return pair[0];
  };
}

/** Fills `out` with standard normals from `key`: those of {@link normals}. */
export function normalInto(out: Float64Array | Float32Array, key: Key): void {
  for (let i = 0; i < out.length; i += 2) {
    normalPair(i / 2, key);
    out[i] = pair[0];
    if (i + 1 < out.length) out[i + 1] = pair[1];
  }
}
