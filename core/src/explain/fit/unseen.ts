import { selectDesignRows } from "../../data/design.ts";
import { meanOf, weightedMean } from "../../linalg/moments.ts";
import type { LogScale } from "../../network/index.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { otherRows } from "./fit-member.ts";
import { type ModelParts, type ModelPrediction, predictRows } from "./model.ts";

/** Rows that the model never saw, with what it predicts of them and what needs no model. */
export interface Unseen {
  /** Rows of their table, the first being 0. */
  readonly rows: Uint32Array;
  /** Numbers, or class indexes. */
  readonly y: Float64Array;
  /** What each row counts in all scores; default the same. */
  readonly weights?: Float64Array | null;
  /** The part of that which the row's class brought, class by class. */
  readonly classWeights?: Float64Array | null;
  readonly prediction: ModelPrediction;
  /** The mean of the training rows (n), or their shares of the classes (n×C). */
  readonly naive: Float64Array;
  /** The group of each row where they come in groups. */
  readonly groups?: Int32Array | null;
  /** Whether they are the latest rows, which may be like each other. */
  readonly ordered?: boolean;
}

/**
 * The rows held out; with folds all rows, each as the one network predicts it that did not see it.
 *
 * @param scales on which each network of a fold learned the target, from its own rows; null for the target as it is
 */
export function unseenRows(
  model: ModelParts,
  prepared: Prepared,
  scales: readonly (LogScale | null)[] = [],
): Unseen {
  const { task, test, train, classes, classWeights, rows, folds, structure, firstTest } = prepared;
  if (folds) return outOfFold(model, prepared, folds, scales);
  return {
    rows: rows.test.map((row) => row - firstTest),
    y: test.y,
    weights: test.weights,
    classWeights,
    prediction: predictRows({ ...model, task }, test.X),
    naive: naivePredictions(train, classes?.length ?? 0, test.y.length),
    groups: structure.test?.kind === "groups" ? structure.test.values : null,
    ordered: structure.test?.kind === "time",
  };
}

function outOfFold(
  { networks, outputWeights }: ModelParts,
  { task, train, classes, classWeights, rows }: Prepared,
  folds: readonly Uint32Array[],
  scales: readonly (LogScale | null)[],
): Unseen {
  const n = train.y.length;
  const C = classes?.length ?? 0;
  const naive = new Float64Array(n * Math.max(C, 1));
  const parts = folds.map((fold, k) => {
    const targetScale = scales[k];
    const member = {
      task,
      networks: [networks[k]],
      ...(targetScale && { targetScale }),
      ...(outputWeights && { outputWeights: [outputWeights[k]] }),
    };
    const others = otherRows(n, fold);
    const seen = {
      y: Float64Array.from(others, (row) => train.y[row]),
      weights: train.weights && Float64Array.from(others, (row) => train.weights![row]),
    };
    scatter(naivePredictions(seen, C, fold.length), fold, naive);
    return predictRows(member, selectDesignRows(train.X, fold));
  });
  const gathered = (pick: (part: ModelPrediction) => Float64Array | null): Float64Array | null => {
    if (pick(parts[0]) === null) return null;
    const out = new Float64Array((n * pick(parts[0])!.length) / folds[0].length);
    for (const [k, part] of parts.entries()) scatter(pick(part)!, folds[k], out);
    return out;
  };
  const logarithm = parts[0].logarithm && {
    mean: gathered((part) => part.logarithm!.mean)!,
    sd: gathered((part) => part.logarithm!.sd)!,
    // The same for all folds: their rows have no zeros.
    shift: parts[0].logarithm.shift,
  };
  return {
    rows: rows.train,
    y: train.y,
    weights: train.weights,
    classWeights,
    prediction: {
      mean: gathered(({ mean }) => mean),
      sd: gathered(({ sd }) => sd),
      probabilities: gathered(({ probabilities }) => probabilities),
      ...(logarithm && { logarithm }),
    },
    naive,
  };
}

/** Some rows of numbers to their places. */
function scatter(values: Float64Array, rows: Uint32Array, out: Float64Array): void {
  const width = values.length / rows.length;
  rows.forEach((row, at) => {
    out.set(values.subarray(at * width, (at + 1) * width), row * width);
  });
}

/**
 * For each of `rows` rows the mean of y (0 classes), or the share of each class, by what the rows of y count. A class that y lacks counts
 * as half a row, so that it is not impossible.
 */
export function naivePredictions(
  { y, weights = null }: Pick<Unseen, "y" | "weights">,
  classes: number,
  rows: number,
): Float64Array {
  if (classes === 0) return new Float64Array(rows).fill(weightedMean(y, weights));
  const counts = new Float64Array(classes);
  y.forEach((label, i) => {
    counts[label] += weights ? weights[i] : 1;
  });
  const half = 0.5 * (weights ? meanOf(weights) : 1);
  const some = counts.map((count) => (count > 0 ? count : half));
  const total = some.reduce((sum, count) => sum + count, 0);
  return Float64Array.from({ length: rows * classes }, (_, e) => some[e % classes] / total);
}
