import type { Key } from "./key.ts";
import { uniforms } from "./uniform.ts";

/** A stream of standard normal doubles (Box–Muller, both values used). */
export function normals(key: Key): () => number {
  const next = uniforms(key);
  let spare = 0;
  let hasSpare = false;
  return () => {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    // 1 − u is in (0, 1], so the logarithm is finite.
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    const angle = 2 * Math.PI * next();
    spare = radius * Math.sin(angle);
    hasSpare = true;
    return radius * Math.cos(angle);
  };
}

/** Fills `out` with standard normals from `key`. */
export function normalInto(out: Float64Array | Float32Array, key: Key): void {
  const next = normals(key);
  for (let i = 0; i < out.length; i++) out[i] = next();
}
