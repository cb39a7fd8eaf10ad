import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { initialParameters } from "./initialise.ts";
import { kernelTrainer } from "./kernel-trainer.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { Network } from "./network.ts";
import { type EpochRecord, followPath, trainAgain } from "./path.ts";
import { penaltyGroups } from "./penalty.ts";
import { type Recipe, type RecipeName, recipe } from "./recipe.ts";
import { responseScale, type Scale, scaleOutputInPlace } from "./response-scale.ts";
import { checkTrainingRows } from "./rows.ts";
import { meanSquaredResidual, settleVariances } from "./settle.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";

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

export interface FitResult {
  readonly network: Network;
  /** The network that has not seen the rows held back; `network` itself unless that was trained again. */
  readonly pathNetwork: Network;
  /** λ that was chosen. */
  readonly penalty: number;
  /** The chosen network's monitored loss. */
  readonly score: number;
  readonly history: readonly EpochRecord[];
  /** Rows held back to choose the penalty and the epoch, in increasing order; see `trainAgain` of a recipe. */
  readonly validationRows: Uint32Array;
}

const SMALLEST_BATCH = 16;

/**
 * Trains a network with a variational output layer on standardised inputs. y holds numbers (identity
 * link; centred and scaled inside, results in its own units) or classes 0 … C − 1.
 */
export function fit(X: Rows, y: FloatArray, options: FitOptions): Promise<FitResult> {
  return drive(fitSteps(X, y, options), options);
}

function* fitSteps(X: Rows, y: FloatArray, options: FitOptions): Generator<Progress, FitResult> {
  const { architecture, key } = options;
  const asked = recipe(options.recipe ?? "standard", options.changes);
  const parameters = initialParameters(architecture, fold(key, "initial"), asked.initial);
  const layout = layoutOf(architecture);
  checkTrainingRows(X, y, architecture);
  const { trainingRows, validationRows } = split(X.rows, asked.validationFraction, key);
  const plan = { ...asked, trainAgain: asked.trainAgain && validationRows.length > 0 };
  const scale = responseScale(layout, y, trainingRows);
  const target = Float64Array.from(y, (value) => (value - scale.centre) / scale.spread);
  const learnNoise = plan.noiseVariance === "learned";
  if (layout.logNoise >= 0 && plan.noiseVariance !== "learned")
    parameters[layout.logNoise] = log(plan.noiseVariance);

  const batchSize = batchSizeFor(plan, trainingRows.length);
  const trainer = (options.trainer ?? kernelTrainer)({
    layout,
    X: X.data,
    y: target,
    batchSize,
    learningRate: plan.learningRate,
    clipNorm: plan.clipNorm,
    priorVariance: plan.priorVariance,
    totalRows: trainingRows.length,
    learnNoise,
    groups: penaltyGroups(layout, options.penaltyGroups),
    key: fold(key, "noise"),
  });
  try {
    const run = { layout, plan, trainer, batchSize, target, trainingRows, validationRows, key };
    const { best, history, pace } = yield* followPath(run, parameters);
    const asNetwork = (values: FloatArray): Network => ({
      kind: "network",
      architecture,
      parameters: Float32Array.from(values),
    });
    // Before they were trained on, the rows held back told how far off the network is.
    const noiseRows = validationRows.length > 0 ? validationRows : trainingRows;
    const noiseVariance =
      plan.settle && layout.logNoise >= 0 && learnNoise
        ? meanSquaredResidual(asNetwork(best.parameters), { X, y: target, rows: noiseRows })
        : null;
    const finish = (values: FloatArray, rows: Uint32Array | null): Network => {
      const { settle, priorVariance } = plan;
      const trained = asNetwork(values);
      const input = { X, rows, noiseVariance, priorVariance };
      return inUnitsOf(scale, settle ? settleVariances(trained, layout, input) : trained, layout);
    };
    const pathNetwork = finish(best.parameters, trainingRows);
    const network = plan.trainAgain
      ? finish(yield* trainAgain(run, best, pace), null)
      : pathNetwork;
    const { penalty, score } = best;
    return { network, pathNetwork, penalty, score, history, validationRows };
  } finally {
    trainer.dispose();
  }
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

function inUnitsOf(scale: Scale, network: Network, layout: Layout): Network {
  const theta = Float64Array.from(network.parameters);
  scaleOutputInPlace(layout, theta, scale);
  return { ...network, parameters: Float32Array.from(theta) };
}
