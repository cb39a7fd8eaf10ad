import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key } from "../random/index.ts";
import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { crossFitted } from "./cross-fitted.ts";
import { initialParameters } from "./initialise.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { LinearParts } from "./linear-parts.ts";
import type { LogScale } from "./log-scale.ts";
import {
  type Candidate,
  type EpochRecord,
  type Fold,
  followPath,
  type PathRun,
  trainAgain,
} from "./path.ts";
import { penaltyGroups } from "./penalty.ts";
import type { Recipe } from "./recipe.ts";
import type { Scale } from "./response-scale.ts";
import type { RowSplit } from "./row-splits.ts";
import type { RowWeights } from "./row-weights.ts";
import type { SearchPace } from "./search-pace.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";

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
  readonly weights: RowWeights;
  readonly plan: Recipe;
  readonly layout: Pick<Layout, "link" | "outputs">;
  readonly splits: readonly RowSplit[];
  /** What a linear part knows of f; null where there is none. */
  readonly linear: LinearParts | null;
  /** The same for other columns. */
  readonly linearOf: (X: Rows) => LinearParts;
  /** Whether that may be the whole model. */
  readonly linearAlone: boolean;
  /** Columns that are numbers, which may be given further columns if their effects are rough; default none are. */
  readonly mayExpand?: readonly number[];
  /** Columns that the input penalty shrinks together; default each by itself. */
  readonly penaltyGroups?: readonly (readonly number[])[];
  readonly trainer: (setup: TrainerSetup) => Trainer;
  readonly pace: SearchPace;
  readonly key: Key;
}

/** A network after its path, and what can still be asked of its trainers until they are disposed of. */
export interface TrainedNetwork {
  readonly architecture: Architecture;
  readonly best: Candidate;
  readonly history: readonly EpochRecord[];
  /** Its f at some rows, from what the split's training rows taught. */
  outputsOf(split: number, rows: Uint32Array): FloatArray;
  /** Its f at every row held back, fold after fold. */
  heldBack(): Float64Array;
  /** The parameters after the best candidate's training over again with all rows. */
  again(): Generator<Progress, FloatArray>;
  dispose(): void;
}

const SMALLEST_BATCH = 16;

export interface TrainNetworkOptions {
  /** How many sizes were tried before: each begins at random numbers of its own. */
  readonly at: number;
  /** What is known of f before the hidden units learn the rest; null where they learn all of it. */
  readonly beside: LinearParts | null;
  /** The path of penalties ends after the first unless rows held back are predicted better than so; default it never does. */
  readonly hurdle?: number;
  /** Of this training and of those that may follow, in the same unit. */
  readonly work: number;
  readonly later: number;
}

export function* trainNetwork(
  task: TrainingTask,
  architecture: Architecture,
  options: TrainNetworkOptions,
): Generator<Progress, TrainedNetwork> {
  const { X, target, weights, plan, splits, key } = task;
  const { beside, hurdle = Number.POSITIVE_INFINITY } = options;
  const layout = layoutOf(architecture);
  const batchSize = batchSizeFor(plan, splits[0].trainingRows.length);
  const newTrainer = (totalRows: number, place: number, offsets: Float64Array | undefined) =>
    task.trainer({
      layout,
      X: X.data,
      y: target,
      ...(offsets && { offsets }),
      ...(weights && { weights }),
      batchSize,
      learningRate: plan.learningRate,
      clipNorm: plan.clipNorm,
      priorVariance: plan.priorVariance,
      totalRows,
      learnNoise: plan.noiseVariance === "learned",
      groups: penaltyGroups(layout, task.penaltyGroups),
      key: place === 0 ? fold(key, "noise") : fold(key, "noise", place),
    });
  const paced = task.pace.training(options.work, options.later);
  const trainers: Trainer[] = [];
  const dispose = () => {
    for (const trainer of trainers.splice(0)) trainer.dispose();
  };
  try {
    const folds = splits.map((split, f): Fold => {
      const trainer = newTrainer(split.trainingRows.length, f, beside?.offsets(f));
      trainers.push(trainer);
      return { ...split, trainer };
    });
    const run: PathRun = {
      layout,
      plan,
      folds,
      batchSize,
      target,
      weights,
      key,
      looks: [],
      hurdle,
    };
    const { best, history, pace } = yield* paced.pass(
      followPath(run, startOf(task, architecture, options)),
    );
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
      heldBack: () =>
        run.folds.length > 1
          ? crossFitted(run, run.looks)
          : Float64Array.from(outputsOf(0, folds[0].validationRows)),
      *again() {
        if (beside) trainers.push(newTrainer(X.rows, 0, beside.offsets(null)));
        return yield* paced.pass(trainAgain(run, best, pace, trainers[trainers.length - 1]));
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Fresh parameters. Beside a linear part hidden units begin with nothing to say. */
function startOf(
  { plan, key }: TrainingTask,
  architecture: Architecture,
  { at, beside }: TrainNetworkOptions,
): FloatArray {
  const own = at === 0 ? fold(key, "initial") : fold(key, "initial", at);
  const parameters = initialParameters(architecture, own, plan.initial);
  const { mean, hidden, outputs, logNoise } = layoutOf(architecture);
  if (beside) parameters.fill(0, mean, mean + outputs * hidden);
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
