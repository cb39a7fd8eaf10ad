import type { FloatArray } from "../compute/index.ts";

/** Zeros in the precision of another array. */
export function zerosLike<Values extends FloatArray>(like: Values, length: number): Values {
  return (
    like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length)
  ) as Values;
}
