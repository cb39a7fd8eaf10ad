import type { FloatArray } from "../compute/index.ts";
import { RatewiseError } from "../errors.ts";
import { meanOf } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key, subsample } from "../random/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import { mention, say } from "../words/words.ts";
import type { Architecture } from "./architecture.ts";
import { choose, type Scales } from "./choose.ts";
import { type ScaleComparison, smearOf } from "./compare-scales.ts";
import type { TaskExpansion } from "./expanded-task.ts";
import { addBias, joinLinear, linearNetwork, priorVariances } from "./join-linear.ts";
import { kernelTrainer } from "./kernel-trainer.ts";
import { layoutOf } from "./layout.ts";
import type { LinearPart } from "./linear-part.ts";
import { isSkewed, type LogScale, logScaleOf, type TargetScaleName } from "./log-scale.ts";
import { makeTask, type TaskSetup } from "./make-task.ts";
import type { Network } from "./network.ts";
import type { EpochRecord } from "./path.ts";
import { type Recipe, type RecipeName, recipe } from "./recipe.ts";
import { type Scale, scaleOutputInPlace } from "./response-scale.ts";
import { checkTrainingRows } from "./rows.ts";
import { meanSquaredResidual, settleVariances } from "./settle.ts";
import type { TrainedNetwork, TrainingTask } from "./train-network.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";
import type { Tried } from "./tried.ts";

export interface FitOptions extends RunOptions {
  readonly key: Key;
  readonly architecture: Architecture;
  /** Larger networks to try after it, each only if the one before beat what came before it on the rows held back. */
  readonly larger?: readonly Architecture[];
  /** A recipe by name, default `standard`. */
  readonly recipe?: RecipeName;
  /** Values that replace the recipe's own. */
  readonly changes?: Partial<Recipe>;
  /** Columns that the input penalty shrinks together, such as a category's; default each by itself. */
  readonly penaltyGroups?: readonly (readonly number[])[];
  /** Columns that are numbers: those whose effects are rough are given further columns if held-back rows say so. Default none. */
  readonly mayExpand?: readonly number[];
  /** Numbers as they are (default), their logarithms, or `auto`: what held-back rows say where they are skewed. */
  readonly targetScale?: TargetScaleName;
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
  /** What was tried, in its order, judged by the rows held back; the last that won was taken. */
  readonly tried: readonly Tried[];
  /** Where the network speaks of the response's logarithm; null where of the response. */
  readonly logScale: LogScale | null;
  /** How the two compared, where both were tried. */
  readonly scales: ScaleComparison | null;
  /** Further columns that the network takes after those of X; see `expandColumns`. */
  readonly expansions: readonly TaskExpansion[];
}

/**
 * Trains a network with a variational output layer on standardised inputs. y holds numbers (identity
 * link; centred and scaled inside, results in its own units) or classes 0 … C − 1.
 */
export function fit(X: Rows, y: FloatArray, options: FitOptions): Promise<FitResult> {
  return drive(fitSteps(X, y, options), options);
}

function* fitSteps(X: Rows, y: FloatArray, options: FitOptions): Generator<Progress, FitResult> {
  const { architecture, larger = [], key, mayExpand, penaltyGroups } = options;
  const plan = recipe(options.recipe ?? "standard", options.changes);
  checkTrainingRows(X, y, architecture);
  const layout = layoutOf(architecture);
  const setup = {
    architecture,
    plan,
    key,
    trainer: options.trainer ?? kernelTrainer,
    ...(penaltyGroups && { penaltyGroups }),
    ...(mayExpand && { mayExpand }),
  };
  const chosen = yield* choose(scalesOf(X, y, setup, options.targetScale), [
    architecture,
    ...larger,
  ]);
  const { task, winner, losses, tried, expansions } = chosen;
  const { linear, scale, splits, logScale } = task;
  const first = { ...architecture, inputs: task.X.cols };
  try {
    const again = splits[0].validationRows.length > 0 && (plan.trainAgain || splits.length > 1);
    const path = networkOf(task, first, winner, 0);
    const learned = layout.logNoise >= 0 && plan.settle && plan.noiseVariance === "learned";
    const noiseVariance = learned ? residualVariance(task, path, losses) : null;
    const finish = (network: Network, rows: Uint32Array | null) => {
      const beside = linear && (linear.worthwhile || !winner) ? linear.part(rows ? 0 : null) : null;
      const options = { rows, noiseVariance, linear: beside };
      return inUnitsOf(scale, plan.settle ? settled(task, network, options) : network);
    };
    const pathNetwork = finish(path, splits[0].trainingRows);
    const network = again
      ? finish(networkOf(task, first, winner, null, winner && (yield* winner.again())), null)
      : pathNetwork;
    return {
      network,
      pathNetwork,
      penalty: winner?.best.penalty ?? 0,
      score: winner?.best.score ?? tried[0].loss,
      history: winner?.history ?? [],
      validationRows: splits[0].validationRows,
      tried,
      expansions,
      logScale: logScale && { ...logScale, smear: smearOf(chosen) },
      scales: chosen.scales,
    };
  } finally {
    winner?.dispose();
  }
}

/** The forms in which the response may be learned. */
function scalesOf(
  X: Rows,
  y: FloatArray,
  setup: TaskSetup,
  asked: TargetScaleName = "as-is",
): Scales {
  const number = setup.architecture.link === "identity";
  const logScale = number && asked !== "as-is" ? logScaleOf(y) : null;
  if (asked === "log" && !logScale)
    throw new RatewiseError("domain", {
      in: "fit",
      what: "needs numbers of at least 0 that are not all alike to learn their logarithms",
      advice: say`use ${mention("targetScale", "as-is")}`,
    });
  const tried = logScale !== null && (asked === "log" || isSkewed(y));
  return {
    rows: X.rows,
    asIs: asked === "log" ? null : () => makeTask(X, y, setup, null),
    log: tried ? () => makeTask(X, y, setup, logScale) : null,
    sample: (count) => {
      const rows = subsample(fold(setup.key, "scales"), X.rows, count);
      const some = selectRows(X, rows);
      const own = Float64Array.from(rows, (row) => y[row]);
      return [makeTask(some, own, setup, null), makeTask(some, own, setup, logScale)];
    },
  };
}

function selectRows(X: Rows, rows: Uint32Array): Rows {
  const data = new Float64Array(rows.length * X.cols);
  rows.forEach((row, i) => {
    data.set(X.data.subarray(row * X.cols, (row + 1) * X.cols), i * X.cols);
  });
  return { data, rows: rows.length, cols: X.cols };
}

/** The hidden layers of a split, or of all rows, beside its linear part; the linear part alone where no network won. */
function networkOf(
  { linear }: TrainingTask,
  architecture: Architecture,
  winner: TrainedNetwork | null,
  split: number | null,
  parameters: FloatArray | null = winner?.best.parameters[split ?? 0] ?? null,
): Network {
  if (!winner || !parameters) return linearNetwork(architecture, linear!.part(split));
  if (linear?.worthwhile) return joinLinear(winner.architecture, parameters, linear.part(split));
  const own = Float32Array.from(parameters);
  if (linear) addBias(own, winner.architecture, linear.part(split));
  return { kind: "network", architecture: winner.architecture, parameters: own };
}

interface SettleOptions {
  /** The rows trained on; null for all. */
  readonly rows: Uint32Array | null;
  readonly noiseVariance: number | null;
  /** The part of the network that is linear in the inputs; null where there is none. */
  readonly linear: LinearPart | null;
}

/** Its output variances where the bound is largest. */
function settled(
  { X, plan }: TrainingTask,
  network: Network,
  { linear, ...options }: SettleOptions,
): Network {
  const priorVariance = priorVariances(network, plan.priorVariance, linear);
  return settleVariances(network, layoutOf(network.architecture), { X, priorVariance, ...options });
}

/** τ²: how far off rows were that had not taught the network. */
function residualVariance(
  { X, target, splits }: TrainingTask,
  network: Network,
  losses: Float64Array | null,
): number {
  if (losses) return meanOf(losses);
  const { trainingRows, validationRows } = splits[0];
  const rows = validationRows.length > 0 ? validationRows : trainingRows;
  return meanSquaredResidual(network, { X, y: target, rows });
}

function inUnitsOf(scale: Scale, network: Network): Network {
  const theta = Float64Array.from(network.parameters);
  scaleOutputInPlace(layoutOf(network.architecture), theta, scale);
  return { ...network, parameters: Float32Array.from(theta) };
}
