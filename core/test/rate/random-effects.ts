import type { EffectSizes } from "../../src/effects/effect-sizes.ts";
import { matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normalInto, uniforms } from "../../src/random/index.ts";

export interface Shape {
  readonly p: number;
  readonly l: number;
  /** Noise variances are this times a number from ½ to 1; 0 for no noise. */
  readonly noise?: number;
}

/** Normal means and factor, rows of very different length: units must not matter. */
export function randomEffects(seed: number, { p, l, noise = 1 }: Shape): EffectSizes {
  const key = fold(keyFromSeed(seed), "effects", p, l);
  const mean = new Float64Array(p);
  const factor = matrix(p, l);
  normalInto(mean, fold(key, "mean"));
  normalInto(factor.data, fold(key, "factor"));
  const next = uniforms(fold(key, "noise"));
  const units = Float64Array.from({ length: p }, () => 10 ** (4 * next() - 2));
  const names = Array.from(units, (_, j) => `x${j + 1}`);
  const variances = units.map((unit) => noise * (0.5 + next() / 2) * unit * unit);
  for (let j = 0; j < p; j++) {
    mean[j] *= units[j];
    for (let k = 0; k < l; k++) factor.data[j * l + k] *= units[j];
  }
  return { names, mean, factor, noise: noise > 0 ? variances : null };
}

/** A p×p lower triangular factor of a random correlation matrix, as a dense covariance arrives. */
export function triangularEffects(seed: number, p: number): EffectSizes {
  const effects = randomEffects(seed, { p, l: p, noise: 0 });
  const data = effects.factor.data.map((value, at) => {
    const [i, j] = [Math.floor(at / p), at % p];
    return j > i ? 0 : i === j ? 1 + Math.abs(value) : value / 2;
  });
  return { ...effects, factor: matrix(p, p, data) };
}

/** Effects of the variables in another order. */
export function reorder(effects: EffectSizes, order: ArrayLike<number>): EffectSizes {
  const l = effects.factor.cols;
  const factor = matrix(order.length, l);
  for (let i = 0; i < order.length; i++)
    factor.data.set(effects.factor.data.subarray(order[i] * l, (order[i] + 1) * l), i * l);
  const pick = (values: Float64Array): Float64Array => Float64Array.from(order, (j) => values[j]);
  return {
    names: Array.from(order, (j) => effects.names[j]),
    mean: pick(effects.mean),
    factor,
    noise: effects.noise && pick(effects.noise),
  };
}
