import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { type Gain, gain } from "./gain.ts";
import type { Recipe } from "./recipe.ts";
import { heldBackWeights, weightedMean } from "./row-weights.ts";
import { type TrainedNetwork, type TrainingTask, trainNetwork } from "./train-network.ts";

/** A model that was tried, judged by the rows held back. */
export interface Tried {
  /** Units of its hidden layers; none for the linear part alone. */
  readonly layers: readonly number[];
  /** Whether a linear part stands beside them; of none at all only a constant is left. */
  readonly linear: boolean;
  /** Mean loss of the rows held back: squared error in units of the response's variance, or −log p. */
  readonly loss: number;
  /** What it gains over the one taken before; null for the first. */
  readonly gain: Gain | null;
  readonly taken: boolean;
}

export interface Chosen {
  /** Null where the linear part alone was best. To be disposed of. */
  readonly winner: TrainedNetwork | null;
  /** Its loss on every row held back; null where none are. */
  readonly losses: Float64Array | null;
  readonly tried: readonly Tried[];
}

/**
 * The smallest first: the linear part alone, then one network after the other, each larger. The first that does not gain
 * convincingly over the one before ends the search. Without a linear part the first network is taken as it is.
 */
export function* choose(
  task: TrainingTask,
  candidates: readonly Architecture[],
): Generator<Progress, Chosen> {
  const tried: Tried[] = [];
  let winner: TrainedNetwork | null = null;
  let losses: Float64Array | null = null;
  const held = task.splits[0].validationRows.length > 0;
  const weights = heldBackWeights(task.splits, task.weights);
  const linear = task.linear?.worthwhile ?? false;
  if (task.linear && held) {
    losses = task.linear.heldBackLosses();
    tried.push({
      layers: [],
      linear,
      loss: weightedMean(losses, weights),
      gain: null,
      taken: true,
    });
  }
  try {
    for (const [at, architecture] of candidates.entries()) {
      const penalties: readonly number[] = winner
        ? nearPenalties(task, winner.best.penalty)
        : task.plan.penalties;
      const plan: Recipe = { ...task.plan, penalties };
      const trained: TrainedNetwork = yield* trainNetwork({ ...task, plan }, architecture, at);
      // Of a lone network nothing is asked that these would answer.
      const own = held && (losses || candidates.length > 1) ? trained.heldBackLosses() : null;
      const gained = losses && own && gain(losses, own, weights);
      const taken = gained?.convincing ?? true;
      const layers = architecture.layers.flatMap((layer) => ("units" in layer ? layer.units : []));
      if (own)
        tried.push({ layers, linear, loss: weightedMean(own, weights), gain: gained, taken });
      if (!taken) {
        trained.dispose();
        break;
      }
      winner?.dispose();
      winner = trained;
      losses = own;
    }
    return { winner, losses, tried };
  } catch (error) {
    winner?.dispose();
    throw error;
  }
}

/** The penalty that was best for the network before, after none and before the next: a larger one wants much the same. */
function nearPenalties({ plan }: TrainingTask, best: number): readonly number[] {
  const at = plan.penalties.indexOf(best);
  return [...new Set([plan.penalties[0], ...plan.penalties.slice(at, at + 2)])];
}
