import type { Key, Matrix } from "@ratewise/core";
import { eigh, multiplyVector, outerGram, transposeMultiplyVector } from "@ratewise/core/linalg";
import { genotypeRows } from "./genotype-rows.ts";
import { correlation, splitMice, type TraitRows } from "./network.ts";
import type { Mice } from "./read-mice.ts";

export interface Ridge {
  readonly intercept: number;
  /** One per column. */
  readonly weights: Float64Array;
  readonly penalty: number;
}

/** Penalties tried, in units of a row's mean square: a tenth of a decade apart. */
export const PENALTIES: readonly number[] = Array.from(
  { length: 61 },
  (_, k) => 10 ** (k / 10 - 3),
);

/**
 * Linear regression with a ridge penalty and a free intercept, w = Xᵀ(XXᵀ + λI)⁻¹(y − ȳ), of columns that are centred. λ is the one of the penalties
 * (times the mean square of a row) with the least squared error when each row is left out in turn, (y − ŷ)ᵢ/(1 − hᵢᵢ): all of them by one
 * decomposition of the rows' products. Predictions are those of GBLUP. O(n²p + n³).
 */
export function fitRidge(
  X: Matrix,
  y: Float64Array,
  penalties: readonly number[] = PENALTIES,
): Ridge {
  const n = X.rows;
  const kernel = outerGram(X);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += kernel.data[i * (n + 1)];
  const { values, vectors } = eigh(kernel);
  const intercept = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - intercept);
  const coordinates = transposeMultiplyVector(vectors, centred);
  const squares = { ...vectors, data: vectors.data.map((value) => value * value) };
  let best = { penalty: Number.NaN, error: Number.POSITIVE_INFINITY };
  for (const part of penalties) {
    const penalty = (part * trace) / n;
    const kept = values.map((value) => Math.max(0, value) / (Math.max(0, value) + penalty));
    const fitted = multiplyVector(
      vectors,
      kept.map((share, k) => share * coordinates[k]),
    );
    const leverages = multiplyVector(squares, kept);
    let error = 0;
    for (let i = 0; i < n; i++)
      error += ((centred[i] - fitted[i]) / (1 - 1 / n - leverages[i])) ** 2;
    if (error < best.error) best = { penalty, error };
  }
  const { penalty } = best;
  const dual = multiplyVector(
    vectors,
    coordinates.map((value, k) => value / (Math.max(0, values[k]) + penalty)),
  );
  return { intercept, weights: transposeMultiplyVector(X, dual), penalty };
}

/** Correlation of a ridge regression's predictions with the trait, in the mice that the network of the same key did not see either. */
export function ridgeCorrelation(mice: Mice, of: TraitRows, key: Key): number {
  const { seen, unseen, target, measured, scales } = splitMice(mice, of, key);
  const rowsOf = (rows: Uint32Array): Matrix => {
    const X = genotypeRows(mice, rows, scales);
    return { ...X, data: Float64Array.from(X.data) };
  };
  const { intercept, weights } = fitRidge(rowsOf(seen), target);
  const predicted = multiplyVector(rowsOf(unseen), weights).map((value) => value + intercept);
  return correlation(predicted, measured);
}
