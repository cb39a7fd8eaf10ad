import { shapeError } from "../errors.ts";
import type { Numbers } from "./ranks.ts";

/**
 * R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)²: 0 for predicting the mean, 1 for no error, below 0 for worse than the mean.
 *
 * @param weights what each row counts in the sums and in ȳ; default the same
 */
export function rSquared(predicted: Numbers, y: Numbers, weights: Numbers | null = null): number {
  checkLengths("rSquared", predicted, y, weights);
  const whole = weightOfAll(y, weights);
  let mean = 0;
  for (let i = 0; i < y.length; i++) mean += ((weights ? weights[i] : 1) * y[i]) / whole;
  let residual = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const weight = weights ? weights[i] : 1;
    residual += weight * (y[i] - predicted[i]) ** 2;
    total += weight * (y[i] - mean) ** 2;
  }
  return 1 - residual / total;
}

/**
 * Share of predicted classes that are the true ones.
 *
 * @param weights what each row counts; default the same
 */
export function accuracy(predicted: Numbers, y: Numbers, weights: Numbers | null = null): number {
  checkLengths("accuracy", predicted, y, weights);
  let hits = 0;
  for (let i = 0; i < y.length; i++) if (predicted[i] === y[i]) hits += weights ? weights[i] : 1;
  return hits / weightOfAll(y, weights);
}

/**
 * Mean of |y − ŷ|, in the unit of y.
 *
 * @param weights what each row counts; default the same
 */
export function meanAbsoluteError(
  predicted: Numbers,
  y: Numbers,
  weights: Numbers | null = null,
): number {
  checkLengths("meanAbsoluteError", predicted, y, weights);
  let sum = 0;
  for (let i = 0; i < y.length; i++)
    sum += (weights ? weights[i] : 1) * Math.abs(y[i] - predicted[i]);
  return sum / weightOfAll(y, weights);
}

/**
 * √ of the mean of (y − ŷ)², in the unit of y.
 *
 * @param weights what each row counts; default the same
 */
export function rootMeanSquaredError(
  predicted: Numbers,
  y: Numbers,
  weights: Numbers | null = null,
): number {
  checkLengths("rootMeanSquaredError", predicted, y, weights);
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += (weights ? weights[i] : 1) * (y[i] - predicted[i]) ** 2;
  return Math.sqrt(sum / weightOfAll(y, weights));
}

function weightOfAll(y: Numbers, weights: Numbers | null): number {
  if (!weights) return y.length;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i];
  return sum;
}

function checkLengths(
  where: string,
  predicted: Numbers,
  y: Numbers,
  weights: Numbers | null,
): void {
  if (predicted.length !== y.length)
    throw shapeError(where, `one prediction per row (${y.length})`, `${predicted.length}`);
  if (weights && weights.length !== y.length)
    throw shapeError(where, `one weight per row (${y.length})`, `${weights.length}`);
}
