import type { FloatArray } from "../compute/index.ts";
import { type RowStructure, structureOfRows } from "../data/row-structure.ts";
import { RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import { weightedMean } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import { fold, type Key, subsample } from "../random/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import { mention, say } from "../words/words.ts";
import type { Architecture } from "./architecture.ts";
import { checkArchitecture } from "./check-architecture.ts";
import { type Chosen, choose, type Scales } from "./choose.ts";
import { type ScaleComparison, smearOf } from "./compare-scales.ts";
import type { TaskExpansion } from "./expanded-task.ts";
import { joinLinear, linearNetwork, priorVariances, shrinkTowards } from "./join-linear.ts";
import { kernelTrainer } from "./kernel-trainer.ts";
import { layoutOf } from "./layout.ts";
import {
  isSkewed,
  type LogScale,
  logScaleOf,
  type TargetScaleName,
  targetScales,
} from "./log-scale.ts";
import { makeTask, type TaskRows, type TaskSetup } from "./make-task.ts";
import type { Network } from "./network.ts";
import type { EpochRecord } from "./path.ts";
import { checkChanges, type Recipe, type RecipeName, recipe, recipeNames } from "./recipe.ts";
import { type Scale, scaleOutputInPlace } from "./response-scale.ts";
import { heldBackWeights, meanOneWeights } from "./row-weights.ts";
import { checkTrainingRows } from "./rows.ts";
import { searchPace } from "./search-pace.ts";
import { meanSquaredResidual, settleVariances } from "./settle.ts";
import type { TrainingTask } from "./train-network.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";
import type { Tried } from "./tried.ts";

export interface FitOptions extends RunOptions {
  readonly key: Key;
  readonly architecture: Architecture;
  /** Larger networks to try after it, each only if the one before beat what came before it on the rows held back. */
  readonly larger?: readonly Architecture[];
  /** Whether the linear part may be all there is, without hidden units; default true. */
  readonly linearAlone?: boolean;
  /** A recipe by name, default `standard`. */
  readonly recipe?: RecipeName;
  /** Values that replace the recipe's own. */
  readonly changes?: Partial<Recipe>;
  /** Columns that the input penalty shrinks together, such as a category's; default each by itself. */
  readonly penaltyGroups?: readonly (readonly number[])[];
  /** What ties rows together: rows held back to choose by keep to it too. Default nothing. */
  readonly structure?: RowStructure;
  /** Columns that are numbers: those whose effects are rough are given further columns if held-back rows say so. Default none. */
  readonly mayExpand?: readonly number[];
  /** Numbers as they are (default), their logarithms, or `auto`: what held-back rows say where they are skewed. */
  readonly targetScale?: TargetScaleName;
  /** What runs the batches; default the fastest there is. */
  readonly trainer?: (setup: TrainerSetup) => Trainer;
  /** What each row counts, ≥ 0: in the losses, the linear part and the scores that choose. Only ratios matter. Default the same. */
  readonly weights?: Float64Array;
}

const known: Readonly<Record<keyof FitOptions, true>> = {
  key: true,
  architecture: true,
  larger: true,
  linearAlone: true,
  recipe: true,
  changes: true,
  penaltyGroups: true,
  structure: true,
  mayExpand: true,
  targetScale: true,
  trainer: true,
  weights: true,
  signal: true,
  onProgress: true,
};

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
  refuseUnknown("fit", options, known);
  refuseUnlisted("fit", "recipe", recipeNames, options.recipe);
  refuseUnlisted("fit", "targetScale", targetScales, options.targetScale);
  const { architecture, larger = [], key, mayExpand, penaltyGroups, changes = {} } = options;
  checkChanges("fit", changes);
  for (const one of [architecture, ...larger]) checkArchitecture(one);
  const plan = recipe(options.recipe ?? "standard", changes);
  checkTrainingRows(X, y, architecture);
  const layout = layoutOf(architecture);
  const setup = {
    architecture,
    plan,
    linearAlone: options.linearAlone ?? true,
    pace: searchPace(),
    key,
    trainer: options.trainer ?? kernelTrainer,
    ...(penaltyGroups && { penaltyGroups }),
    ...(mayExpand && { mayExpand }),
  };
  const rows = {
    X,
    y,
    weights: meanOneWeights("fit", options.weights, X.rows),
    structure: options.structure ?? null,
  };
  const chosen = yield* choose(scalesOf(rows, setup, options.targetScale), [
    architecture,
    ...larger,
  ]);
  const { task, network: winner } = chosen;
  const { linear, scale, splits, logScale, weights } = task;
  const first = { ...architecture, inputs: task.X.cols };
  try {
    const again = splits[0].validationRows.length > 0 && (plan.trainAgain || splits.length > 1);
    const path = networkOf(task, first, chosen, 0);
    const learned = layout.logNoise >= 0 && plan.settle && plan.noiseVariance === "learned";
    const noiseVariance = learned ? residualVariance(task, path, chosen.losses) : null;
    const finish = (network: Network, rows: Uint32Array | null): Network => {
      if (!plan.settle) return inUnitsOf(scale, network);
      const beside = hasLinearPart(task, chosen) ? linear!.part(rows ? 0 : null) : null;
      const priorVariance = priorVariances(network, plan.priorVariance, beside, chosen);
      const input = { X: task.X, rows, noiseVariance, priorVariance, weights };
      return inUnitsOf(scale, settleVariances(network, layoutOf(network.architecture), input));
    };
    const pathNetwork = finish(path, splits[0].trainingRows);
    const network = again
      ? finish(networkOf(task, first, chosen, null, winner && (yield* winner.again())), null)
      : pathNetwork;
    if (winner) yield task.pace.end();
    return {
      network,
      pathNetwork,
      penalty: winner?.best.penalty ?? 0,
      score: chosen.losses
        ? weightedMean(chosen.losses, heldBackWeights(splits, weights))
        : winner!.best.score,
      history: winner?.history ?? [],
      validationRows: splits[0].validationRows,
      tried: chosen.tried,
      expansions: chosen.expansions,
      logScale: logScale && { ...logScale, smear: smearOf(chosen) },
      scales: chosen.scales,
    };
  } finally {
    winner?.dispose();
  }
}

/** The forms in which the response may be learned. */
function scalesOf(rows: TaskRows, setup: TaskSetup, asked: TargetScaleName = "as-is"): Scales {
  const { X, y, weights, structure } = rows;
  const number = setup.architecture.link === "identity";
  const logScale = number && asked !== "as-is" ? logScaleOf(y) : null;
  if (asked === "log" && !logScale)
    throw new RatewiseError("domain", {
      in: "fit",
      what: "needs numbers of at least 0 that are not all alike to learn their logarithms",
      advice: say`use ${mention("targetScale", "as-is")}`,
    });
  const tried = logScale !== null && (asked === "log" || isSkewed(y, weights));
  return {
    rows: X.rows,
    asIs: asked === "log" ? null : () => makeTask(rows, setup, null),
    log: tried ? () => makeTask(rows, setup, logScale) : null,
    sample: (count) => {
      const drawn = subsample(fold(setup.key, "scales"), X.rows, count);
      const pick = (values: FloatArray) => Float64Array.from(drawn, (row) => values[row]);
      const some: TaskRows = {
        X: selectRows(X, drawn),
        y: pick(y),
        weights: meanOneWeights("fit", weights ? pick(weights) : undefined, count),
        structure: structure && structureOfRows(structure, drawn),
      };
      return [makeTask(some, setup, null), makeTask(some, setup, logScale)];
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

/** Whether some of the network's units are columns: those of the linear part, where it is no constant. */
const hasLinearPart = ({ linear }: TrainingTask, chosen: Chosen): boolean =>
  linear !== null && (chosen.network === null || (chosen.linear > 0 && linear.worthwhile));

/** The model chosen, of a split or of all rows. */
function networkOf(
  task: TrainingTask,
  architecture: Architecture,
  chosen: Chosen,
  split: number | null,
  parameters: FloatArray | null = chosen.network?.best.parameters[split ?? 0] ?? null,
): Network {
  const { linear } = task;
  if (!chosen.network || !parameters) return linearNetwork(architecture, linear!.part(split));
  const own = chosen.network.architecture;
  if (chosen.linear === 0)
    return { kind: "network", architecture: own, parameters: Float32Array.from(parameters) };
  const join = hasLinearPart(task, chosen) ? joinLinear : shrinkTowards;
  return join(own, parameters, linear!.part(split), chosen);
}

/** τ²: how far off rows were that had not taught the network. */
function residualVariance(
  { X, target, splits, weights }: TrainingTask,
  network: Network,
  losses: Float64Array | null,
): number {
  if (losses) return weightedMean(losses, heldBackWeights(splits, weights));
  const { trainingRows, validationRows } = splits[0];
  const rows = validationRows.length > 0 ? validationRows : trainingRows;
  return meanSquaredResidual(network, { X, y: target, rows, weights });
}

function inUnitsOf(scale: Scale, network: Network): Network {
  const theta = Float64Array.from(network.parameters);
  scaleOutputInPlace(layoutOf(network.architecture), theta, scale);
  return { ...network, parameters: Float32Array.from(theta) };
}
