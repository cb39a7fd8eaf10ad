import { Arena } from "../compute/arena.ts";
import { threadsForUpdates, wholeGroups } from "../compute/histogram.ts";
import { exp } from "../elementary/index.ts";
import { logSumExp } from "../elementary/log-sum-exp.ts";
import { RatewiseError, refuseUnknown } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { fold, type Key } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { drive } from "../run.ts";
import { binColumnsInto } from "./binned-columns.ts";
import { boostingLoss } from "./boosting-loss.ts";
import { type BoostingPlan, type EarlyStopping, growRounds } from "./boosting-rounds.ts";
import { impurityImportance } from "./impurity.ts";
import { type Learner, type LearnerRun, type LearnerTask, learnerRunOptions } from "./learner.ts";
import type { TreeInput } from "./table-rows.ts";
import { checkTrainingData } from "./training-data.ts";
import type { TreeEnsemble } from "./tree.ts";
import { treeScores } from "./tree-scores.ts";

export interface BoostingSettings {
  /** Default 100. Each is one tree, or one per class with more than two classes. */
  readonly rounds?: number;
  /** The share of each tree's step that is taken. Default 0.1. */
  readonly rate?: number;
  /** Default 31; no limit where `maxDepth` is given. */
  readonly maxLeaves?: number;
  /** Splits between root and leaf, at most. Default: no limit. */
  readonly maxDepth?: number;
  /** Rows of a leaf, at least. Default 20. */
  readonly minLeaf?: number;
  /** λ of a leaf's value G/(H + λ). Default 0. */
  readonly l2?: number;
  /** The share of rows that each round learns from, drawn without replacement. Default 1. */
  readonly subsample?: number;
  /** Hold rows back and stop when they are predicted no better. Default: off. */
  readonly earlyStopping?: EarlyStopping | boolean;
}

export interface BoostingOptions extends BoostingSettings, LearnerRun {
  readonly task: LearnerTask;
  readonly key: Key;
}

const known: Readonly<Record<keyof BoostingOptions, true>> = {
  task: true,
  key: true,
  rounds: true,
  rate: true,
  maxLeaves: true,
  maxDepth: true,
  minLeaf: true,
  l2: true,
  subsample: true,
  earlyStopping: true,
  ...learnerRunOptions,
};

/** A sum of trees: the mean, the log-odds of the second of two classes, or one score per class for softmax. */
export interface Boosting extends TreeEnsemble {
  readonly kind: "boosting";
  readonly task: LearnerTask;
  /** Mean loss on the rows held back, before the first round and after each; empty without early stopping. */
  readonly heldOutLoss: Float64Array;
}

/** How long the work goes on before an abort is heard; a turn of the event loop takes a millisecond. */
const SLICE_MS = 40;
/** Of a leaf: the least sum of Hessians, against leaves of rows that are settled. */
const MIN_HESSIAN = 1e-3;

/**
 * Gradient boosting (Friedman 2001) with Newton steps on histogram trees: squared loss, logistic for two classes,
 * softmax for more. Columns are cut into at most 255 bins. NaN is a missing value, and each
 * split learns on which side those belong. O(rounds·p·n·log leaves); features are split over threads, and the
 * model is the same for any number of them. With early stopping the trees after the best round are left out.
 */
export async function fitBoosting(
  X: TreeInput,
  y: Float64Array,
  options: BoostingOptions,
): Promise<Boosting> {
  refuseUnknown("fitBoosting", options, known);
  const { task, key, names, workers: _, signal, onProgress, ...settings } = options;
  checkKey("fitBoosting", key);
  checkTrainingData("fitBoosting", X, y, task, names);
  const plan = checkedPlan(settings);
  const run = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  signal?.throwIfAborted();
  const arena = new Arena();
  try {
    const bins = arena.bytes(X.rows * wholeGroups(X.cols));
    const binned = binColumnsInto(bins, X, names, fold(key, "bins"));
    const loss = boostingLoss(task, X.rows);
    threadsForUpdates(plan.rounds * loss.outputs * X.rows * X.cols);
    const grown = await drive(growRounds(arena, binned, y, task, loss, plan, key), run, SLICE_MS);
    const shape = { columns: X.cols, outputs: loss.outputs, width: 1, weight: 1 };
    return { kind: "boosting", task, ...shape, ...grown };
  } finally {
    arena.free();
  }
}

/** n×1 means, or n×classes probabilities. */
export function predictBoosting(model: Boosting, X: TreeInput): Matrix {
  const scores = treeScores("predictBoosting", model, X);
  const { task, outputs } = model;
  if (task.kind === "regression") return scores;
  const out = matrix(X.rows, task.classes);
  for (let i = 0; i < X.rows; i++) {
    if (outputs === 1) {
      const score = scores.data[i];
      // Not `sigmoid`, whose last bits differ below 0, as in the loss.
      out.data.set([1 / (1 + exp(score)), 1 / (1 + exp(-score))], 2 * i);
      continue;
    }
    const row = scores.data.subarray(i * outputs, (i + 1) * outputs);
    const normaliser = logSumExp(row);
    for (let k = 0; k < outputs; k++) out.data[i * outputs + k] = exp(row[k] - normaliser);
  }
  return out;
}

/** Boosting as a {@link Learner}, its importance the mean decrease in impurity. */
export function boostingLearner(settings: BoostingSettings = {}): Learner<Boosting> {
  return {
    name: "boosting",
    fit: (X, y, task, key, run = {}) => fitBoosting(X, y, { ...settings, ...run, task, key }),
    predict: predictBoosting,
    importance: impurityImportance,
  };
}

function checkedPlan(settings: BoostingSettings): BoostingPlan {
  const { rounds = 100, rate = 0.1, maxDepth = Number.POSITIVE_INFINITY } = settings;
  const { minLeaf = 20, l2 = 0, subsample = 1, earlyStopping = false } = settings;
  const { maxLeaves = settings.maxDepth === undefined ? 31 : Number.POSITIVE_INFINITY } = settings;
  const refuse = (needed: string, got: number): never => {
    throw new RatewiseError("domain", { in: "fitBoosting", what: `needs ${needed}, got ${got}` });
  };
  if (!(Number.isInteger(rounds) && rounds >= 1)) refuse("1, 2, 3, … rounds", rounds);
  if (!(rate > 0 && rate <= 1)) refuse("a rate over 0 and at most 1", rate);
  if (!(maxLeaves >= 2)) refuse("a maxLeaves of at least 2", maxLeaves);
  if (!(maxDepth >= 1)) refuse("a maxDepth of at least 1", maxDepth);
  if (!(minLeaf >= 1)) refuse("a minLeaf of at least 1 row", minLeaf);
  if (!(l2 >= 0)) refuse("an l2 of 0 or more", l2);
  if (!(subsample > 0 && subsample <= 1)) refuse("a subsample over 0 and at most 1", subsample);
  const {
    fraction = 0.1,
    patience = 10,
    tolerance = 1e-7,
  } = typeof earlyStopping === "object" ? earlyStopping : {};
  if (!(fraction > 0 && fraction < 1)) refuse("a fraction between 0 and 1", fraction);
  if (!(Number.isInteger(patience) && patience >= 1)) refuse("a patience of 1, 2, …", patience);
  const stopping = earlyStopping === false ? null : { fraction, patience, tolerance };
  const limits = { maxDepth, minLeaf, l2, minHessian: MIN_HESSIAN };
  // A tree of depth d has at most 2^d leaves; beyond 2^20 the rows set the limit.
  const most = maxDepth < 20 ? 2 ** Math.floor(maxDepth) : Number.POSITIVE_INFINITY;
  return {
    ...{ rounds, rate, subsample, stopping },
    limits: { ...limits, maxLeaves: Math.min(maxLeaves, most) },
  };
}
