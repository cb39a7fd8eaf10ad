import {
  accuracy,
  areaUnderRocOfClasses,
  balancedAccuracy,
  confusionCounts,
  f1Score,
  influenceOnRSquared,
  logLosses,
  meanAbsoluteError,
  rootMeanSquaredError,
  rSquared,
  standardErrorOfMean,
} from "../../evaluate/index.ts";
import { weightedMean } from "../../linalg/moments.ts";
import { likeliestClasses } from "./model.ts";
import type { Unseen } from "./unseen.ts";

interface Score {
  /** Of `metric`, on rows the model never saw. */
  readonly score: number;
  /** The same of what needs no model: the mean of the training rows, or their shares of the classes. */
  readonly baseline: number;
  /** Interval of the score; null where rows depend on each other in a way that it cannot take in. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: typeof LEVEL;
  /** How much better than the baseline, with the standard error of that, row by row in pairs. */
  readonly gain: { readonly value: number; readonly standardError: number };
  readonly rows: number;
}

export interface NumberScores extends Score {
  readonly metric: "r2";
  readonly r2: number;
  /** Mean absolute error and root mean squared error, in the unit of the target. */
  readonly mae: number;
  readonly rmse: number;
}

export interface ClassScores extends Score {
  /** Smaller is better. */
  readonly metric: "logLoss";
  /** In the order of the confusion table. */
  readonly classes: readonly string[];
  /** Mean of −log of the probability of what came, in nats. */
  readonly logLoss: number;
  /** Area under the ROC curve; of more than two classes the mean of each against the rest. Null where only one class came. */
  readonly auc: number | null;
  readonly accuracy: number;
  /** Accuracy of always naming the commonest training class. */
  readonly commonest: number;
  /** Mean over the classes of the share that was recognised. */
  readonly balancedAccuracy: number;
  /** Of the second of two classes, or the mean over more. */
  readonly f1: number;
  /** The class that F1 is of; null for the mean. */
  readonly f1Class: string | null;
}

export type ModelScores = NumberScores | ClassScores;

const LEVEL = 0.95;
const WIDTH = 1.95996398454005; // Φ⁻¹(0.975)

/**
 * All by what the rows count.
 *
 * @param classes their names; null for numbers
 */
export function modelScores(unseen: Unseen, classes: readonly string[] | null): ModelScores {
  return classes ? ofClasses(unseen, classes) : ofNumbers(unseen);
}

function ofNumbers(unseen: Unseen): NumberScores {
  const { y, weights = null, prediction, naive } = unseen;
  const mean = prediction.mean!;
  const r2 = rSquared(mean, y, weights);
  const baseline = rSquared(naive, y, weights);
  const influence = influenceOnRSquared(mean, y, weights);
  const ofNaive = influenceOnRSquared(naive, y, weights);
  return {
    metric: "r2",
    score: r2,
    baseline,
    ...interval(r2, influence, unseen),
    gain: {
      value: r2 - baseline,
      standardError: errorOf(
        influence.map((value, i) => value - ofNaive[i]),
        unseen,
      ),
    },
    rows: y.length,
    r2,
    mae: meanAbsoluteError(mean, y, weights),
    rmse: rootMeanSquaredError(mean, y, weights),
  };
}

function ofClasses(unseen: Unseen, classes: readonly string[]): ClassScores {
  const { y, weights = null, prediction, naive } = unseen;
  const probabilities = prediction.probabilities!;
  const losses = logLosses(probabilities, y);
  const ofNaive = logLosses(naive, y);
  const logLoss = weightedMean(losses, weights);
  const baseline = weightedMean(ofNaive, weights);
  const C = classes.length;
  const named = likeliestClasses(probabilities, C);
  const confusion = confusionCounts(named, y, C, weights);
  return {
    metric: "logLoss",
    classes,
    score: logLoss,
    baseline,
    ...interval(logLoss, losses, unseen),
    gain: {
      value: baseline - logLoss,
      standardError: errorOf(
        losses.map((loss, i) => ofNaive[i] - loss),
        unseen,
      ),
    },
    rows: y.length,
    logLoss,
    auc: areaUnderRocOfClasses(probabilities, y, weights),
    accuracy: accuracy(named, y, weights),
    commonest: accuracy(likeliestClasses(naive, C), y, weights),
    balancedAccuracy: balancedAccuracy(confusion),
    f1: f1Score(confusion),
    f1Class: C === 2 ? classes[1] : null,
  };
}

/**
 * With folds the rows' losses depend on each other through what the networks share, but not so much that the interval would be wrong for
 * the mean score of such networks (Bayle and others 2020).
 */
function interval(
  score: number,
  values: Float64Array,
  unseen: Unseen,
): Pick<Score, "lower" | "upper" | "level"> {
  const half = WIDTH * errorOf(values, unseen);
  if (unseen.ordered || hasFewGroups(unseen) || !Number.isFinite(half))
    return { lower: null, upper: null, level: LEVEL };
  return { lower: score - half, upper: score + half, level: LEVEL };
}

/** With fewer groups than this their differences say nothing of how sure a score is. */
const FEWEST_GROUPS = 5;

const hasFewGroups = ({ groups = null }: Unseen): boolean =>
  groups !== null && new Set(groups).size < FEWEST_GROUPS;

/** Of few groups nothing can be known but what their rows say. */
function errorOf(values: Float64Array, unseen: Unseen): number {
  const { groups = null, weights = null } = unseen;
  return standardErrorOfMean(values, hasFewGroups(unseen) ? null : groups, weights);
}

/** One-sided, at 95%. */
const CONVINCING = 1.6448536269514722;
/** A gain below this share of the baseline is rounding. */
const ROUNDING = 1e-9;

/** Whether a model is better than what needs none by more than the rows it was tried on leave to chance. */
export function hasLearnt({ gain, baseline }: Pick<ModelScores, "gain" | "baseline">): boolean {
  return gain.value > CONVINCING * gain.standardError + ROUNDING * Math.abs(baseline);
}
