import { exp, log } from "../elementary/index.ts";
import { RatewiseError, refuseUnknown } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { drive } from "../run.ts";
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
  standardised,
} from "./linear-model.ts";
import { minimise } from "./logistic-minimise.ts";
import { checkTrainingData } from "./training-data.ts";

export interface LogisticSettings {
  /** α of the penalty ½α‖B‖² beside the summed loss, on standardised columns; intercepts are free. Default 1. */
  readonly penalty?: number;
}

export interface LogisticOptions extends LogisticSettings, LearnerRun {
  readonly classes: number;
}

const known: Readonly<Record<keyof LogisticOptions, true>> = {
  classes: true,
  penalty: true,
  ...learnerRunOptions,
};

/** Largest entry of the gradient of the mean loss that counts as zero. */
const TOLERANCE = 1e-9;
const MOST_STEPS = 1000;

/**
 * Logistic regression with a ridge: minimises Σ_i −log p(y_i | x_i) + ½α‖B‖², p a logistic function for two classes and a
 * softmax for more, by L-BFGS. O(n·p·outputs) a step.
 */
export async function fitLogistic(
  X: Matrix,
  y: Float64Array,
  options: LogisticOptions,
): Promise<LinearModel> {
  refuseUnknown("fitLogistic", options, known);
  const { classes, penalty = 1, names } = options;
  checkTrainingData("fitLogistic", X, y, { kind: "classification", classes }, names);
  checkFinite("fitLogistic", X);
  if (!(penalty > 0 && Number.isFinite(penalty)))
    throw new RatewiseError("domain", `fitLogistic: needs a penalty above 0, got ${penalty}`);
  const order = columnOrder(names, X.cols);
  const ordered = inOrder(X, order);
  const { means, scales } = columnMoments(ordered);
  const Z = standardised(ordered, means, scales);
  const outputs = classes === 2 ? 1 : classes;
  const p = X.cols;
  const { point } = await drive(
    minimise((p + 1) * outputs, meanLoss(Z, y, outputs, penalty), {
      tolerance: TOLERANCE,
      mostSteps: MOST_STEPS,
      phase: "logistic",
    }),
    options,
  );
  const intercepts = new Float64Array(outputs);
  const coefficients = Array.from({ length: outputs }, (_, c) => {
    const at = c * (p + 1);
    intercepts[c] = point[at + p];
    return Float64Array.from({ length: p }, (_, j) => {
      const slope = scales[j] > 0 ? point[at + j] / scales[j] : 0;
      intercepts[c] -= slope * means[j];
      return slope;
    });
  });
  return {
    kind: "linear-model",
    task: { kind: "classification", classes },
    link: outputs === 1 ? "logistic" : "softmax",
    coefficients: outOfOrder(coefficients, order),
    intercepts,
    scales: outOfOrder([scales], order).data,
    order,
  };
}

/** (1/n)·(Σ loss + ½α‖B‖²) and its gradient; output c holds p coefficients and an intercept. */
function meanLoss(
  Z: Matrix,
  y: Float64Array,
  outputs: number,
  penalty: number,
): (point: Float64Array, gradient: Float64Array) => number {
  const { data, rows: n, cols: p } = Z;
  const width = p + 1;
  const scores = new Float64Array(outputs);
  return (point, gradient) => {
    gradient.fill(0);
    let loss = 0;
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < outputs; c++) {
        let sum = point[c * width + p];
        for (let j = 0; j < p; j++) sum += data[i * p + j] * point[c * width + j];
        scores[c] = sum;
      }
      loss += residualsInPlace(scores, y[i]);
      for (let c = 0; c < outputs; c++) {
        const residual = scores[c] / n;
        for (let j = 0; j < p; j++) gradient[c * width + j] += residual * data[i * p + j];
        gradient[c * width + p] += residual;
      }
    }
    let squares = 0;
    for (let c = 0; c < outputs; c++)
      for (let j = c * width; j < c * width + p; j++) {
        squares += point[j] * point[j];
        gradient[j] += (penalty / n) * point[j];
      }
    return loss / n + (penalty / (2 * n)) * squares;
  };
}

/** Scores become p_c − 1[y = c]; returns −log p_y. */
function residualsInPlace(scores: Float64Array, y: number): number {
  const single = scores.length === 1;
  let most = single ? 0 : scores[0];
  for (const score of scores) most = Math.max(most, score);
  let sum = single ? exp(-most) : 0;
  for (const score of scores) sum += exp(score - most);
  const own = single ? (y === 1 ? scores[0] : 0) : scores[y];
  const normaliser = most + log(sum);
  for (let c = 0; c < scores.length; c++)
    scores[c] = exp(scores[c] - normaliser) - ((single ? y === 1 : y === c) ? 1 : 0);
  return normaliser - own;
}

/** Logistic regression as a {@link Learner} of classes, its importance |b_j|·sd(x_j). */
export function logisticLearner(settings: LogisticSettings = {}): Learner<LinearModel> {
  return {
    name: "logistic",
    fit: async (X, y, task, _key, run = {}) => {
      if (task.kind !== "classification")
        throw new RatewiseError(
          "domain",
          "logistic: needs a target of classes, got numbers; use linear",
        );
      return fitLogistic(X, y, { ...settings, ...run, classes: task.classes });
    },
    predict: predictLinearModel,
    importance: linearImportance,
  };
}
