import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key } from "../random/index.ts";
import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { initialParameters } from "./initialise.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { LinearParts } from "./linear-parts.ts";
import type { LogScale } from "./log-scale.ts";
import { type Candidate, type EpochRecord, type Fold, followPath, trainAgain } from "./path.ts";
import { penaltyGroups } from "./penalty.ts";
import type { Recipe } from "./recipe.ts";
import type { Scale } from "./response-scale.ts";
import type { RowSplit } from "./row-splits.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";
import { rowLosses } from "./validation-score.ts";

/** What all networks of a fit are trained on. */
export interface TrainingTask {
  readonly X: Rows;
  /** The response in its own unit, or classes. */
  readonly y: FloatArray;
  /** Null where the response is learned as it is. */
  readonly logScale: Omit<LogScale, "smear"> | null;
  /** From what a network says to the response, or its logarithm. */
  readonly scale: Scale;
  /** The response as training sees it. */
  readonly target: Float64Array;
  readonly plan: Recipe;
  readonly splits: readonly RowSplit[];
  readonly response: Pick<Layout, "link" | "outputs">;
  /** What is known of f before hidden units learn the rest; null where they learn all of it. */
  readonly linear: LinearParts | null;
  /** The same for other columns. */
  readonly linearOf: (X: Rows) => LinearParts;
  /** Columns that are numbers, which may be given further columns if their effects are rough; default none are. */
  readonly mayExpand?: readonly number[];
  /** Columns that the input penalty shrinks together; default each by itself. */
  readonly penaltyGroups?: readonly (readonly number[])[];
  readonly trainer: (setup: TrainerSetup) => Trainer;
  readonly key: Key;
}

/** A network after its path, and what can still be asked of its trainers until they are disposed of. */
export interface TrainedNetwork {
  readonly architecture: Architecture;
  readonly best: Candidate;
  readonly history: readonly EpochRecord[];
  /** f at some rows, from what the split's training rows taught. */
  outputsOf(split: number, rows: Uint32Array): FloatArray;
  /** Loss of every row held back, fold after fold. */
  heldBackLosses(): Float64Array;
  /** The parameters after the best candidate's training over again with all rows. */
  again(): Generator<Progress, FloatArray>;
  dispose(): void;
}

const SMALLEST_BATCH = 16;

/** @param at how many networks were tried before: each begins at random numbers of its own */
export function* trainNetwork(
  task: TrainingTask,
  architecture: Architecture,
  at: number,
): Generator<Progress, TrainedNetwork> {
  const { X, target, plan, splits, linear, key } = task;
  const layout = layoutOf(architecture);
  const batchSize = batchSizeFor(plan, splits[0].trainingRows.length);
  const newTrainer = (totalRows: number, place: number, offsets: Float64Array | undefined) =>
    task.trainer({
      layout,
      X: X.data,
      y: target,
      ...(offsets && { offsets }),
      batchSize,
      learningRate: plan.learningRate,
      clipNorm: plan.clipNorm,
      priorVariance: plan.priorVariance,
      totalRows,
      learnNoise: plan.noiseVariance === "learned",
      groups: penaltyGroups(layout, task.penaltyGroups),
      key: place === 0 ? fold(key, "noise") : fold(key, "noise", place),
    });
  const trainers: Trainer[] = [];
  const dispose = () => {
    for (const trainer of trainers.splice(0)) trainer.dispose();
  };
  try {
    const folds = splits.map((split, f): Fold => {
      const trainer = newTrainer(split.trainingRows.length, f, linear?.offsets(f));
      trainers.push(trainer);
      return { ...split, trainer };
    });
    const run = { layout, plan, folds, batchSize, target, key };
    const { best, history, pace } = yield* followPath(run, startOf(task, architecture, at));
    const outputsOf = (split: number, rows: Uint32Array): FloatArray => {
      const { trainer } = folds[split];
      trainer.load(best.parameters[split], best.penalty);
      return trainer.predict(rows);
    };
    return {
      architecture,
      best,
      history,
      outputsOf,
      heldBackLosses: () =>
        Float64Array.from(
          folds.flatMap(({ validationRows }, f) => [
            ...rowLosses(layout, outputsOf(f, validationRows), target, validationRows),
          ]),
        ),
      *again() {
        if (linear) trainers.push(newTrainer(X.rows, 0, linear.offsets(null)));
        return yield* trainAgain(run, best, pace, trainers[trainers.length - 1]);
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Fresh parameters. Beside a linear part hidden units begin with nothing to say. */
function startOf({ plan, linear, key }: TrainingTask, architecture: Architecture, at: number) {
  const own = at === 0 ? fold(key, "initial") : fold(key, "initial", at);
  const parameters = initialParameters(architecture, own, plan.initial);
  const { mean, hidden, outputs, logNoise } = layoutOf(architecture);
  if (linear) parameters.fill(0, mean, mean + outputs * hidden);
  if (logNoise >= 0 && plan.noiseVariance !== "learned")
    parameters[logNoise] = log(plan.noiseVariance);
  return parameters;
}

/** Batches small enough for `leastSteps` in an epoch, down to {@link SMALLEST_BATCH} rows. */
function batchSizeFor({ batchSize, leastSteps }: Recipe, rows: number): number {
  let size = batchSize;
  while (size > SMALLEST_BATCH && rows < leastSteps * size) size /= 2;
  return Math.ceil(size);
}
