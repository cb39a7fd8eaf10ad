import { shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import type { LearnerTask } from "./learner.ts";

/**
 * The share of the squared error that predictions explain, 1 − Σ‖t_i − ŷ_i‖²/Σ‖t_i − t̄‖²: R² for numbers, and for classes the same
 * of probabilities against indicators (one minus the Brier score over that of the class shares). Larger is better.
 */
export function predictionScore(predicted: Matrix, y: Float64Array, task: LearnerTask): number {
  const outputs = task.kind === "regression" ? 1 : task.classes;
  if (predicted.rows !== y.length || predicted.cols !== outputs)
    throw shapeError(
      "predictionScore",
      `${y.length}×${outputs} predictions`,
      `${predicted.rows}×${predicted.cols}`,
    );
  const n = y.length;
  const target = (i: number, c: number): number =>
    task.kind === "regression" ? y[i] : y[i] === c ? 1 : 0;
  let residual = 0;
  let total = 0;
  for (let c = 0; c < outputs; c++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += target(i, c) / n;
    for (let i = 0; i < n; i++) {
      residual += (target(i, c) - predicted.data[i * outputs + c]) ** 2;
      total += (target(i, c) - mean) ** 2;
    }
  }
  // A part without variation says nothing about who explains it best.
  return total > 0 ? 1 - residual / total : 0;
}
