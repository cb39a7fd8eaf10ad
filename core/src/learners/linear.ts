import { refuseUnknown } from "../errors.ts";
import { type Matrix, multiplyVector, qr, transposeMultiplyVector } from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import { meanOf } from "../linalg/moments.ts";
import { pseudoInverse } from "../linalg/pseudo-inverse.ts";
import { type Learner, type LearnerRun, learnerRunOptions } from "./learner.ts";
import {
  checkFinite,
  columnMoments,
  columnOrder,
  inOrder,
  type LinearModel,
  linearImportance,
  outOfOrder,
  predictLinearModel,
  requireNumbers,
  standardised,
} from "./linear-model.ts";
import { checkTrainingData } from "./training-data.ts";

/**
 * Least squares with an intercept: of all minimisers of ‖y − b₀ − Xb‖ the one whose standardised coefficients are shortest, by
 * the pseudo-inverse of R in CX = QR. O(n·p·min(n, p)). Constant columns get exactly 0.
 */
export function fitLinear(X: Matrix, y: Float64Array, options: LearnerRun = {}): LinearModel {
  refuseUnknown("fitLinear", options, learnerRunOptions);
  const { names } = options;
  checkTrainingData("fitLinear", X, y, { kind: "regression" }, names);
  checkFinite("fitLinear", X);
  const order = columnOrder(names, X.cols);
  const ordered = inOrder(X, order);
  const { means, scales } = columnMoments(ordered);
  const varying = Uint32Array.from(order.keys()).filter((k) => scales[k] > 0);
  const centre = meanOf(y);
  const response = y.map((value) => value - centre);
  const solution = solve(selectColumns(standardised(ordered, means, scales), varying), response);
  const coefficients = new Float64Array(X.cols);
  let shift = 0;
  varying.forEach((k, at) => {
    coefficients[k] = solution[at] / scales[k];
    shift += coefficients[k] * means[k];
  });
  return {
    kind: "linear-model",
    coefficients: outOfOrder(coefficients, order),
    intercept: centre - shift,
    scales: outOfOrder(scales, order),
    order,
  };
}

function solve(X: Matrix, y: Float64Array): Float64Array {
  if (X.cols === 0) return new Float64Array(0);
  if (X.rows < X.cols) return multiplyVector(pseudoInverse(X), y);
  const { Q, R } = qr(X);
  return multiplyVector(pseudoInverse(R), transposeMultiplyVector(Q, y));
}

/** Least squares as a {@link Learner} of numbers, its importance |b_j|·sd(x_j). */
export function linearLearner(): Learner<LinearModel> {
  return {
    name: "linear",
    fit: async (X, y, task, _key, run = {}) => {
      requireNumbers("linear", task);
      run.signal?.throwIfAborted();
      const model = fitLinear(X, y, run);
      run.onProgress?.({ phase: "linear", done: 1, total: 1 });
      return model;
    },
    predict: predictLinearModel,
    importance: linearImportance,
  };
}
