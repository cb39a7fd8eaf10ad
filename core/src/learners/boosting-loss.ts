import { exp, log, softplus } from "../elementary/index.ts";
import { logSumExp } from "../elementary/log-sum-exp.ts";
import type { LearnerTask } from "./learner.ts";

/** Hessians are kept from 0, where a bin would look empty. */
const LEAST_HESSIAN = 1e-16;

/** Scores of n rows lie output by output: that of row i in output k is `scores[k * n + i]`. */
export interface BoostingLoss {
  readonly outputs: number;
  /** Whether all Hessians are 1. */
  readonly constantHessian: boolean;
  /** The best constant scores. */
  base(y: Float64Array, rows: ArrayLike<number>): Float64Array;
  /** To be called when all scores of a round are known, before its gradients. */
  begin(scores: Float64Array): void;
  /** Minus the gradient, and the Hessian, of the loss in output k, of each listed row. */
  pairsInto(
    pairs: Float64Array,
    rows: ArrayLike<number>,
    y: Float64Array,
    scores: Float64Array,
    k: number,
  ): void;
  /** Mean over the listed rows; after `begin`. */
  mean(rows: ArrayLike<number>, y: Float64Array, scores: Float64Array): number;
}

/** Half the squared error, the logistic loss for two classes, the softmax loss for more. */
export function boostingLoss(task: LearnerTask, n: number): BoostingLoss {
  if (task.kind === "regression") return squaredLoss;
  return task.classes === 2 ? logisticLoss : softmaxLoss(task.classes, n);
}

const squaredLoss: BoostingLoss = {
  outputs: 1,
  constantHessian: true,
  base: (y, rows) => Float64Array.of(meanOver(rows, (i) => y[i])),
  begin() {},
  pairsInto(pairs, rows, y, scores) {
    for (let i = 0; i < rows.length; i++) {
      pairs[2 * i] = y[rows[i]] - scores[rows[i]];
      pairs[2 * i + 1] = 1;
    }
  },
  mean: (rows, y, scores) => meanOver(rows, (i) => (y[i] - scores[i]) ** 2 / 2),
};

const logisticLoss: BoostingLoss = {
  outputs: 1,
  constantHessian: false,
  base(y, rows) {
    const share = meanOver(rows, (i) => y[i]);
    return Float64Array.of(log(share / (1 - share)));
  },
  begin() {},
  pairsInto(pairs, rows, y, scores) {
    for (let i = 0; i < rows.length; i++) {
      // Not `sigmoid`, whose last bits differ below 0.
      const p = 1 / (1 + exp(-scores[rows[i]]));
      pairs[2 * i] = y[rows[i]] - p;
      pairs[2 * i + 1] = Math.max(LEAST_HESSIAN, p * (1 - p));
    }
  },
  mean: (rows, y, scores) =>
    meanOver(rows, (i) => {
      const margin = y[i] === 1 ? scores[i] : -scores[i];
      return softplus(-margin);
    }),
};

function softmaxLoss(classes: number, n: number): BoostingLoss {
  const normaliser = new Float64Array(n);
  return {
    outputs: classes,
    constantHessian: false,
    base(y, rows) {
      const counts = new Float64Array(classes);
      for (let i = 0; i < rows.length; i++) counts[y[rows[i]]]++;
      // A class without a row here has some probability all the same.
      return counts.map((count) => log(Math.max(count, 0.5) / rows.length));
    },
    begin(scores) {
      for (let i = 0; i < n; i++) normaliser[i] = logSumExp(scores, i, n);
    },
    pairsInto(pairs, rows, y, scores, k) {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        const p = exp(scores[k * n + row] - normaliser[row]);
        pairs[2 * i] = (y[row] === k ? 1 : 0) - p;
        pairs[2 * i + 1] = Math.max(LEAST_HESSIAN, p * (1 - p));
      }
    },
    mean: (rows, y, scores) => meanOver(rows, (i) => normaliser[i] - scores[y[i] * n + i]),
  };
}

function meanOver(rows: ArrayLike<number>, value: (row: number) => number): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i++) sum += value(rows[i]);
  return sum / rows.length;
}
