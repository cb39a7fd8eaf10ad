import { shapeError } from "../errors.ts";
import type { Numbers } from "./ranks.ts";

/** R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)²: 0 for predicting the mean, 1 for no error, below 0 for worse than the mean. */
export function rSquared(predicted: Numbers, y: Numbers): number {
  checkLengths("rSquared", predicted, y);
  let mean = 0;
  for (let i = 0; i < y.length; i++) mean += y[i] / y.length;
  let residual = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    residual += (y[i] - predicted[i]) ** 2;
    total += (y[i] - mean) ** 2;
  }
  return 1 - residual / total;
}

/** Share of predicted classes that are the true ones. */
export function accuracy(predicted: Numbers, y: Numbers): number {
  checkLengths("accuracy", predicted, y);
  let hits = 0;
  for (let i = 0; i < y.length; i++) if (predicted[i] === y[i]) hits++;
  return hits / y.length;
}

/** Mean of |y − ŷ|, in the unit of y. */
export function meanAbsoluteError(predicted: Numbers, y: Numbers): number {
  checkLengths("meanAbsoluteError", predicted, y);
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += Math.abs(y[i] - predicted[i]);
  return sum / y.length;
}

/** √ of the mean of (y − ŷ)², in the unit of y. */
export function rootMeanSquaredError(predicted: Numbers, y: Numbers): number {
  checkLengths("rootMeanSquaredError", predicted, y);
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += (y[i] - predicted[i]) ** 2;
  return Math.sqrt(sum / y.length);
}

function checkLengths(where: string, predicted: Numbers, y: Numbers): void {
  if (predicted.length !== y.length)
    throw shapeError(where, `one prediction per row (${y.length})`, `${predicted.length}`);
}
