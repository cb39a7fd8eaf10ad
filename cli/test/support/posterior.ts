import {
  type EffectSizes,
  effectsFromFactor,
  fold,
  keyFromSeed,
  matrix,
  normals,
} from "@ratewise/core";

/** A Gaussian of p variables with a factor of l columns, and noise. */
export function gaussian(p: number, l: number, seed = 1): EffectSizes & { noise: Float64Array } {
  const next = normals(fold(keyFromSeed(seed), "gaussian"));
  const draw = (length: number): Float64Array => Float64Array.from({ length }, next);
  const noise = draw(p).map((value) => 0.1 + value * value);
  return { ...effectsFromFactor(draw(p), matrix(p, l, draw(p * l)), { noise }), noise };
}

/** The rows of a matrix as lists, as JSON has them. */
export function rows(data: ArrayLike<number>, columns: number): number[][] {
  return Array.from({ length: data.length / columns }, (_, i) =>
    Array.from({ length: columns }, (_, j) => data[i * columns + j]),
  );
}

/** A Aᵀ + diag(noise), written out. */
export function covarianceOf({ factor, noise }: EffectSizes): number[][] {
  const { data, rows: p, cols: l } = factor;
  return Array.from({ length: p }, (_, i) =>
    Array.from({ length: p }, (_, j) => {
      let sum = i === j && noise ? noise[i] : 0;
      for (let k = 0; k < l; k++) sum += data[i * l + k] * data[j * l + k];
      return sum;
    }),
  );
}
