import type { FloatArray } from "../compute/index.ts";
import { refuseUnknown, refuseUnlisted } from "../errors.ts";
import { meanOf } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import type { Key } from "../random/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { checkArchitecture } from "./check-architecture.ts";
import { type Chosen, choose, type Tried } from "./choose.ts";
import { joinLinear, linearNetwork, priorVariances, shrinkTowards } from "./join-linear.ts";
import { kernelTrainer } from "./kernel-trainer.ts";
import { layoutOf } from "./layout.ts";
import { linearParts } from "./linear-parts.ts";
import type { Network } from "./network.ts";
import type { EpochRecord } from "./path.ts";
import { checkChanges, type Recipe, type RecipeName, recipe, recipeNames } from "./recipe.ts";
import { responseScale, type Scale, scaleOutputInPlace } from "./response-scale.ts";
import { rowSplits } from "./row-splits.ts";
import { checkTrainingRows } from "./rows.ts";
import { searchPace } from "./search-pace.ts";
import { meanSquaredResidual, settleVariances } from "./settle.ts";
import type { TrainingTask } from "./train-network.ts";
import type { Trainer, TrainerSetup } from "./trainer.ts";

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
  /** What runs the batches; default the fastest there is. */
  readonly trainer?: (setup: TrainerSetup) => Trainer;
}

const known: Readonly<Record<keyof FitOptions, true>> = {
  key: true,
  architecture: true,
  larger: true,
  linearAlone: true,
  recipe: true,
  changes: true,
  penaltyGroups: true,
  trainer: true,
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
  const { architecture, larger = [], key, changes = {} } = options;
  checkChanges("fit", changes);
  for (const one of [architecture, ...larger]) checkArchitecture(one);
  const plan = recipe(options.recipe ?? "standard", changes);
  checkTrainingRows(X, y, architecture);
  const layout = layoutOf(architecture);
  const splits = rowSplits(X.rows, plan, key);
  const scale = responseScale(layout, y, splits[0].trainingRows);
  const target = Float64Array.from(y, (value) => (value - scale.centre) / scale.spread);
  // Pixels have no line of their own.
  const linear =
    plan.linear && !architecture.image ? linearParts(X, target, layout, splits, key) : null;
  const task: TrainingTask = {
    X,
    target,
    plan,
    layout,
    splits,
    linear,
    linearAlone: options.linearAlone ?? true,
    trainer: options.trainer ?? kernelTrainer,
    pace: searchPace(),
    ...(options.penaltyGroups && { penaltyGroups: options.penaltyGroups }),
    key,
  };
  const chosen = yield* choose(task, [architecture, ...larger]);
  const winner = chosen.network;
  try {
    const again = splits[0].validationRows.length > 0 && (plan.trainAgain || splits.length > 1);
    const path = networkOf(task, architecture, chosen, 0);
    const learned = layout.logNoise >= 0 && plan.settle && plan.noiseVariance === "learned";
    const noiseVariance = learned ? residualVariance(task, path, chosen.losses) : null;
    const finish = (network: Network, rows: Uint32Array | null): Network => {
      if (!plan.settle) return inUnitsOf(scale, network);
      const beside = hasLinearPart(task, chosen) ? linear!.part(rows ? 0 : null) : null;
      const priorVariance = priorVariances(network, plan.priorVariance, beside, chosen);
      const input = { X, rows, noiseVariance, priorVariance };
      return inUnitsOf(scale, settleVariances(network, layoutOf(network.architecture), input));
    };
    const pathNetwork = finish(path, splits[0].trainingRows);
    const network = again
      ? finish(networkOf(task, architecture, chosen, null, winner && (yield* winner.again())), null)
      : pathNetwork;
    if (winner) yield task.pace.end();
    return {
      network,
      pathNetwork,
      penalty: winner?.best.penalty ?? 0,
      score: chosen.losses ? meanOf(chosen.losses) : winner!.best.score,
      history: winner?.history ?? [],
      validationRows: splits[0].validationRows,
      tried: chosen.tried,
    };
  } finally {
    winner?.dispose();
  }
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
