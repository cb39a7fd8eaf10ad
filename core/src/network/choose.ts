import { meanOf } from "../linalg/moments.ts";
import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { expandedTask, type TaskExpansion } from "./expanded-task.ts";
import { type Gain, gain } from "./gain.ts";
import type { Recipe } from "./recipe.ts";
import { type TrainedNetwork, type TrainingTask, trainNetwork } from "./train-network.ts";
import type { Tried } from "./tried.ts";

/** The best model so far. */
export interface Chosen {
  /** What it was trained on; with further columns where some were expanded. */
  readonly task: TrainingTask;
  /** Null where the linear part alone was best. To be disposed of. */
  readonly winner: TrainedNetwork | null;
  /** Its loss on every row held back; null where none are. */
  readonly losses: Float64Array | null;
  readonly tried: readonly Tried[];
  readonly expansions: readonly TaskExpansion[];
}

/**
 * The smallest first: the linear part alone, then the first network; then the same with expansions of the columns whose effects
 * are too rough for them, where there are any; then one network after the other, each larger. The first that does not gain
 * convincingly over the one before ends the search. Without a linear part the first network is taken as it is.
 */
export function* choose(
  task: TrainingTask,
  candidates: readonly Architecture[],
): Generator<Progress, Chosen> {
  const [smallest, ...larger] = candidates;
  const held = task.splits[0].validationRows.length > 0;
  // Of a lone network nothing is asked that its losses would answer.
  const judged =
    held && (task.linear !== null || larger.length > 0 || task.mayExpand !== undefined);
  let chosen = yield* chooseSmallest(task, smallest, judged);
  try {
    if (judged) chosen = yield* tryExpansions(chosen, smallest);
    for (const [at, architecture] of larger.entries()) {
      const before = chosen.winner;
      if (before === null) break;
      chosen = yield* tryNetwork(chosen, architecture, at + 1, judged);
      if (chosen.winner === before) break;
    }
    return chosen;
  } catch (error) {
    chosen.winner?.dispose();
    throw error;
  }
}

/** The linear part, and beside it or in its place the smallest network. */
function* chooseSmallest(
  task: TrainingTask,
  architecture: Architecture,
  judged: boolean,
  expansions: readonly TaskExpansion[] = [],
): Generator<Progress, Chosen> {
  const linear = task.linear?.worthwhile ?? false;
  const expanded = expansions.length;
  const tried: Tried[] = [];
  let losses: Float64Array | null = null;
  if (task.linear && judged) {
    losses = task.linear.heldBackLosses();
    tried.push({ layers: [], linear, expanded, loss: meanOf(losses), gain: null, taken: true });
  }
  const alone: Chosen = { task, winner: null, losses, tried, expansions };
  return yield* tryNetwork(alone, architecture, 0, judged);
}

/** With the columns expanded that leave much unexplained; kept where that predicts held-back rows better. */
function* tryExpansions(before: Chosen, architecture: Architecture): Generator<Progress, Chosen> {
  const found = expandedTask(before.task, before.winner);
  if (!found) return before;
  const { task, expansions } = found;
  const after = yield* chooseSmallest(task, architecture, true, expansions);
  const gained: Gain = gain(before.losses!, after.losses!);
  const taken = gained.convincing;
  const at = after.tried.findLastIndex((each) => each.taken);
  const told = after.tried.map((each, place) => ({
    ...each,
    taken: each.taken && taken,
    ...(place === at && { gain: gained }),
  }));
  const tried = [...before.tried, ...told];
  (taken ? before : after).winner?.dispose();
  return taken ? { ...after, tried } : { ...before, tried };
}

/** @param at how many networks were tried before on the same columns */
function* tryNetwork(
  before: Chosen,
  candidate: Architecture,
  at: number,
  judged: boolean,
): Generator<Progress, Chosen> {
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
  const layers = architecture.layers.flatMap((layer) => ("units" in layer ? layer.units : []));
  const tried: readonly Tried[] = own
    ? [
        ...before.tried,
        {
          layers,
          linear: task.linear?.worthwhile ?? false,
          expanded: expansions.length,
          loss: meanOf(own),
          gain: gained,
          taken,
        },
      ]
    : before.tried;
  if (!taken) {
    trained.dispose();
    return { ...before, tried };
  }
  winner?.dispose();
  return { task, winner: trained, losses: own, tried, expansions };
}

/** The penalty that was best for the network before, after none and before the next: a larger one wants much the same. */
function nearPenalties({ plan }: TrainingTask, best: number): readonly number[] {
  const at = plan.penalties.indexOf(best);
  return [...new Set([plan.penalties[0], ...plan.penalties.slice(at, at + 2)])];
}
