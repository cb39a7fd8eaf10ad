import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import { RatewiseError } from "../errors.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { initialParameters } from "./initialise.ts";
import { kernelTrainer } from "./kernel-trainer.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { Network } from "./network.ts";
import { penaltyGroups } from "./penalty.ts";
import { type Recipe, type RecipeName, recipe } from "./recipe.ts";
import { responseScale, type Scale, scaleOutputInPlace } from "./response-scale.ts";
import { checkTrainingRows, type Rows } from "./rows.ts";
import { settleVariances } from "./settle.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";
import { meanLoss } from "./validation-score.ts";
import { type WeightAverage, weightAverage } from "./weight-average.ts";
import { multiplyAdds } from "./work.ts";

export interface FitOptions extends RunOptions {
  readonly key: Key;
  readonly architecture: Architecture;
  /** A recipe by name, default `standard`. */
  readonly recipe?: RecipeName;
  /** Values that replace the recipe's own. */
  readonly changes?: Partial<Recipe>;
  /** Columns that the input penalty shrinks together, such as a category's; default each by itself. */
  readonly penaltyGroups?: readonly (readonly number[])[];
  /** What runs the batches; default the fastest there is. */
  readonly trainer?: (setup: TrainerSetup) => Trainer;
}

export interface EpochRecord {
  readonly penalty: number;
  readonly trainingLoss: number;
  /** Mean loss of the held-back rows at the posterior mean; NaN when none are held back. */
  readonly validationLoss: number;
}

export interface FitResult {
  readonly network: Network;
  /** λ that was chosen. */
  readonly penalty: number;
  /** The chosen network's monitored loss. */
  readonly score: number;
  readonly history: readonly EpochRecord[];
  /** Rows held back for validation, in increasing order. */
  readonly validationRows: Uint32Array;
}

const SMALLEST_BATCH = 16;

/** Multiply-adds between two looks at the abort signal, some milliseconds; and the most batches. */
const WORK_A_CALL = 1e8;
const BATCHES_A_CALL = 16;

/**
 * Trains a network with a variational output layer on standardised inputs. y holds numbers (identity
 * link; centred and scaled inside, results in its own units) or classes 0 … C − 1.
 */
export function fit(X: Rows, y: FloatArray, options: FitOptions): Promise<FitResult> {
  return drive(fitSteps(X, y, options), options);
}

function* fitSteps(X: Rows, y: FloatArray, options: FitOptions): Generator<Progress, FitResult> {
  const { architecture, key } = options;
  const plan = recipe(options.recipe ?? "standard", options.changes);
  const parameters = initialParameters(architecture, fold(key, "initial"), plan.initial);
  const layout = layoutOf(architecture);
  checkTrainingRows(X, y, architecture);
  const { trainingRows, validationRows } = split(X.rows, plan.validationFraction, key);
  const scale = responseScale(layout, y, trainingRows);
  const target = Float64Array.from(y, (value) => (value - scale.centre) / scale.spread);
  const learnNoise = plan.noiseVariance === "learned";
  if (layout.logNoise >= 0 && plan.noiseVariance !== "learned")
    parameters[layout.logNoise] = log(plan.noiseVariance);

  const trainer = (options.trainer ?? kernelTrainer)({
    layout,
    X: X.data,
    y: target,
    batchSize: batchSizeFor(plan, trainingRows.length),
    learningRate: plan.learningRate,
    clipNorm: plan.clipNorm,
    priorVariance: plan.priorVariance,
    totalRows: trainingRows.length,
    learnNoise,
    groups: penaltyGroups(layout, options.penaltyGroups),
    key: fold(key, "noise"),
  });
  try {
    const run = { layout, plan, trainer, target, trainingRows, validationRows, key };
    const { parameters: chosen, ...outcome } = yield* followPath(run, parameters);
    const trained: Network = {
      kind: "network",
      architecture,
      parameters: Float32Array.from(chosen),
    };
    const { priorVariance } = plan;
    const network = plan.settle
      ? settleVariances(trained, layout, {
          X,
          y: target,
          trainingRows,
          validationRows,
          priorVariance,
          learnNoise,
        })
      : trained;
    return { ...outcome, network: inUnitsOf(scale, network, layout), validationRows };
  } finally {
    trainer.dispose();
  }
}

interface Run {
  readonly layout: Layout;
  readonly plan: Recipe;
  readonly trainer: Trainer;
  readonly target: Float64Array;
  readonly trainingRows: Uint32Array;
  readonly validationRows: Uint32Array;
  readonly key: Key;
}

interface Candidate {
  readonly parameters: FloatArray;
  readonly penalty: number;
  readonly score: number;
}

/** Trains at each penalty from where the last one ended, and returns the best of them. */
function* followPath(
  run: Run,
  start: FloatArray,
): Generator<Progress, Candidate & { history: EpochRecord[] }> {
  const { penalties, epochs } = run.plan;
  const history: EpochRecord[] = [];
  let last: Candidate = { parameters: start, penalty: 0, score: Number.POSITIVE_INFINITY };
  let best = last;
  for (let at = 0; at < penalties.length; at++) {
    last = yield* trainAt(run, last.parameters, at, history);
    if (at === 0 || last.score < best.score) best = last;
    yield { phase: "train", done: (at + 1) * epochs, total: penalties.length * epochs };
  }
  return { ...best, history };
}

/** Epochs at one penalty until the score stops getting better. */
function* trainAt(
  run: Run,
  start: FloatArray,
  at: number,
  history: EpochRecord[],
): Generator<Progress, Candidate> {
  const { layout, plan, trainer, target, validationRows } = run;
  const penalty = plan.penalties[at];
  trainer.load(start, penalty);
  const average = plan.averagedSteps > 0 ? weightAverage(trainer, plan.averagedSteps) : null;
  let best: Candidate = { parameters: start, penalty, score: Number.POSITIVE_INFINITY };
  let last = best;
  let waited = 0;
  for (let epoch = 0; epoch < plan.epochs && waited < plan.patience; epoch++) {
    const trainingLoss = yield* trainEpoch(run, at, epoch, average);
    if (average) trainer.exchange();
    const validationLoss = validationRows.length
      ? meanLoss(layout, trainer.predict(validationRows), target, validationRows)
      : Number.NaN;
    history.push({ penalty, trainingLoss, validationLoss });
    const score = plan.monitor === "validation" ? validationLoss : trainingLoss;
    if (Number.isNaN(trainingLoss) || Number.isNaN(score)) throw diverged(plan, history.length);
    last = { parameters: trainer.parameters(), penalty, score };
    if (average) trainer.exchange();
    waited = score < best.score ? 0 : waited + 1;
    if (waited === 0) best = last;
  }
  return plan.keep === "best" ? best : last;
}

/** One pass over the training rows in a fresh order. @returns the mean loss a row. */
function* trainEpoch(
  run: Run,
  at: number,
  epoch: number,
  average: WeightAverage | null,
): Generator<Progress, number> {
  const { plan, trainer, trainingRows: rows } = run;
  const order = permutation(fold(run.key, "epoch", at, epoch), rows.length).map((i) => rows[i]);
  const batchSize = batchSizeFor(plan, rows.length);
  const stride = rowsACall(batchSize, multiplyAdds(run.layout));
  const total = plan.penalties.length * plan.epochs;
  let sum = 0;
  for (let start = 0; start < order.length; start += stride) {
    const some = order.subarray(start, start + stride);
    sum += trainer.train(some);
    average?.add(Math.ceil(some.length / batchSize), start + stride >= order.length);
    const part = Math.min(start + stride, order.length) / order.length;
    yield { phase: "train", done: at * plan.epochs + epoch + part, total };
  }
  return sum / order.length;
}

function split(n: number, validationFraction: number, key: Key) {
  const held = Math.round(validationFraction * n);
  const order = permutation(fold(key, "validation"), n);
  return { validationRows: order.slice(0, held).sort(), trainingRows: order.slice(held).sort() };
}

/** Batches small enough for `leastSteps` in an epoch, down to {@link SMALLEST_BATCH} rows. */
function batchSizeFor({ batchSize, leastSteps }: Recipe, rows: number): number {
  let size = batchSize;
  while (size > SMALLEST_BATCH && rows < leastSteps * size) size /= 2;
  return Math.ceil(size);
}

/** Whole batches, at least one. */
function rowsACall(batchSize: number, work: number): number {
  const batches = Math.floor(WORK_A_CALL / (3 * batchSize * work));
  return batchSize * Math.min(Math.max(batches, 1), BATCHES_A_CALL);
}

function inUnitsOf(scale: Scale, network: Network, layout: Layout): Network {
  const theta = Float64Array.from(network.parameters);
  scaleOutputInPlace(layout, theta, scale);
  return { ...network, parameters: Float32Array.from(theta) };
}

function diverged({ learningRate, clipNorm }: Recipe, epoch: number): RatewiseError {
  return new RatewiseError(
    "not-converged",
    `fit: needs a finite loss, got NaN in epoch ${epoch}; lower learningRate (now ${learningRate})${
      clipNorm === Number.POSITIVE_INFINITY ? " or set clipNorm, for example to 1" : " or clipNorm"
    }, and check that the inputs are standardised`,
    { epoch, learningRate, clipNorm },
  );
}
