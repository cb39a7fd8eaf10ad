import { meanOf } from "../linalg/moments.ts";
import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import type { TaskExpansion } from "./expanded-task.ts";
import { type Gain, gain } from "./gain.ts";
import type { Recipe } from "./recipe.ts";
import { type TrainedNetwork, type TrainingTask, trainNetwork } from "./train-network.ts";
import type { Tried } from "./tried.ts";

/** The best model so far. */
export interface Best {
  /** What it was trained on; with further columns where some were expanded. */
  readonly task: TrainingTask;
  /** Null where the linear part alone was best. To be disposed of. */
  readonly winner: TrainedNetwork | null;
  /** Its loss on every row held back; null where none are. */
  readonly losses: Float64Array | null;
  readonly tried: readonly Tried[];
  readonly expansions: readonly TaskExpansion[];
}

/** The linear part, and beside it or in its place the smallest network. */
export function* trySmallest(
  task: TrainingTask,
  architecture: Architecture,
  judged: boolean,
  expansions: readonly TaskExpansion[] = [],
): Generator<Progress, Best> {
  const linear = task.linear?.worthwhile ?? false;
  const tried: Tried[] = [];
  let losses: Float64Array | null = null;
  if (task.linear && judged) {
    losses = task.linear.heldBackLosses();
    const about = { layers: [], linear, expanded: expansions.length, log: task.logScale !== null };
    tried.push({ ...about, loss: meanOf(losses), gain: null, taken: true });
  }
  const alone: Best = { task, winner: null, losses, tried, expansions };
  return yield* tryNetwork(alone, architecture, 0, judged);
}

/**
 * A network in place of what was best before, if it gains convincingly.
 *
 * @param at how many networks were tried before on the same columns
 */
export function* tryNetwork(
  before: Best,
  candidate: Architecture,
  at: number,
  judged: boolean,
): Generator<Progress, Best> {
  const { task, winner, losses, expansions } = before;
  const penalties: readonly number[] = winner
    ? nearPenalties(task, winner.best.penalty)
    : task.plan.penalties;
  const plan: Recipe = { ...task.plan, penalties };
  const architecture = { ...candidate, inputs: task.X.cols };
  const trained: TrainedNetwork = yield* trainNetwork({ ...task, plan }, architecture, at);
  const own = judged ? trained.heldBackLosses() : null;
  const gained = losses && own && gain(losses, own);
  const taken = gained?.convincing ?? true;
  const about = {
    layers: architecture.layers.flatMap((layer) => ("units" in layer ? layer.units : [])),
    linear: task.linear?.worthwhile ?? false,
    expanded: expansions.length,
    log: task.logScale !== null,
  };
  const tried: readonly Tried[] = own
    ? [...before.tried, { ...about, loss: meanOf(own), gain: gained, taken }]
    : before.tried;
  if (!taken) {
    trained.dispose();
    return { ...before, tried };
  }
  winner?.dispose();
  return { task, winner: trained, losses: own, tried, expansions };
}

/** The one of two models that is kept; what was tried for the other is told as not taken. */
export function keepOne(before: Best, after: Best, gained: Gain, taken: boolean): Best {
  const last = after.tried.findLastIndex((each) => each.taken);
  const tried = [
    ...before.tried,
    ...after.tried.map((each, at) => ({
      ...each,
      taken: each.taken && taken,
      ...(at === last && { gain: gained }),
    })),
  ];
  const [kept, left] = taken ? [after, before] : [before, after];
  left.winner?.dispose();
  return { ...kept, tried };
}

/** The penalty that was best for the network before, after none and before the next: a larger one wants much the same. */
function nearPenalties({ plan }: TrainingTask, best: number): readonly number[] {
  const at = plan.penalties.indexOf(best);
  return [...new Set([plan.penalties[0], ...plan.penalties.slice(at, at + 2)])];
}
