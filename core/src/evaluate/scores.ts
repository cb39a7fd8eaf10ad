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

function checkLengths(where: string, predicted: Numbers, y: Numbers): void {
  if (predicted.length !== y.length)
    throw shapeError(where, `one prediction per row (${y.length})`, `${predicted.length}`);
}
