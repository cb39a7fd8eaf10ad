import type { EffectSizes } from "../effects/effect-sizes.ts";
import { selectRows } from "../linalg/matrix.ts";

/** The variables whose effect varies, and where each variable of the input went. */
export interface Varying {
  readonly effects: EffectSizes;
  /** Of the rows of its factor. */
  readonly norms: Float64Array;
  /** Input index → index in `effects`, −1 for a constant one. Null when none is constant. */
  readonly position: Int32Array | null;
  /** Input indexes of the constant ones. */
  readonly constant: readonly number[];
}

/** Leaves out variables with Ω_jj = 0 (a constant column): they inform nobody, and Ω has no inverse with them. */
export function withoutConstant(
  effects: EffectSizes,
  norms: Float64Array,
  sd: Float64Array,
): Varying {
  const constant: number[] = [];
  for (let j = 0; j < sd.length; j++) if (sd[j] === 0) constant.push(j);
  if (constant.length === 0) return { effects, norms, position: null, constant };
  const kept: number[] = [];
  const position = new Int32Array(sd.length).fill(-1);
  for (let j = 0; j < sd.length; j++) if (sd[j] > 0) position[j] = kept.push(j) - 1;
  const pick = (values: Float64Array): Float64Array => Float64Array.from(kept, (j) => values[j]);
  return {
    effects: {
      names: kept.map((j) => effects.names[j]),
      mean: pick(effects.mean),
      factor: selectRows(effects.factor, kept),
      noise: effects.noise && pick(effects.noise),
    },
    norms: pick(norms),
    position,
    constant,
  };
}
