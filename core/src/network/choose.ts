import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { compareScales, type ScaleComparison } from "./compare-scales.ts";
import { expandedTask } from "./expanded-task.ts";
import { gain } from "./gain.ts";
import type { TrainingTask } from "./train-network.ts";
import { type Best, keepOne, tryNetwork, trySmallest } from "./try-models.ts";

/** The response in the two forms that are tried, made when they are: one alone where the other is not asked for. */
export interface Scales {
  readonly rows: number;
  readonly asIs: (() => TrainingTask) | null;
  readonly log: (() => TrainingTask) | null;
  /** Both, for some of the rows. */
  readonly sample: (count: number) => readonly [asIs: TrainingTask, log: TrainingTask];
}

export interface Chosen extends Best {
  /** Null where only one scale was tried. */
  readonly scales: ScaleComparison | null;
}

/** With more rows the two scales are compared on {@link SAMPLE} of them. */
const MOST_ROWS = 20_000;
const SAMPLE = 10_000;

/**
 * The smallest first: the linear part alone, then the first network; the same with the response on a log scale, if that may be;
 * then with expansions of the columns whose effects are too rough for them, where there are any; then one network after the
 * other, each larger. The first that does not gain convincingly over the one before ends the search. Without a linear part the
 * first network is taken as it is.
 */
export function* choose(
  scales: Scales,
  candidates: readonly Architecture[],
): Generator<Progress, Chosen> {
  const [smallest, ...larger] = candidates;
  const first = (scales.asIs ?? scales.log)!();
  const { splits, linear, mayExpand } = first;
  const held = splits[0].validationRows.length > 0;
  const both = scales.asIs !== null && scales.log !== null;
  // Of a lone network nothing is asked that its losses would answer.
  const judged = held && (linear !== null || larger.length > 0 || mayExpand !== undefined || both);
  const found = yield* tryScales(scales, first, smallest, judged);
  const { compared } = found;
  let best = found.best;
  try {
    if (judged) best = yield* tryExpansions(best, smallest);
    for (const [at, architecture] of larger.entries()) {
      const before = best.winner;
      if (before === null) break;
      best = yield* tryNetwork(best, architecture, at + 1, judged);
      if (best.winner === before) break;
    }
    return { ...best, scales: compared };
  } catch (error) {
    best.winner?.dispose();
    throw error;
  }
}

interface OfScales {
  readonly best: Best;
  readonly compared: ScaleComparison | null;
}

function* tryScales(
  { rows, asIs, log, sample }: Scales,
  first: TrainingTask,
  smallest: Architecture,
  judged: boolean,
): Generator<Progress, OfScales> {
  if (!asIs || !log || !judged)
    return { best: yield* trySmallest(first, smallest, judged), compared: null };
  if (rows <= MOST_ROWS) return yield* tryBoth(first, log(), smallest);
  const { best: few, compared } = yield* tryBoth(...sample(SAMPLE), smallest);
  few.winner?.dispose();
  const better = compared!.better === "log" ? log() : first;
  return { best: yield* trySmallest(better, smallest, judged), compared };
}

function* tryBoth(
  asIs: TrainingTask,
  log: TrainingTask,
  smallest: Architecture,
): Generator<Progress, OfScales> {
  const before = yield* trySmallest(asIs, smallest, true);
  try {
    const after = yield* trySmallest(log, smallest, true);
    const compared = compareScales(before, after);
    const taken = compared.better === "log";
    return { best: keepOne(before, after, compared.gain, taken), compared };
  } catch (error) {
    before.winner?.dispose();
    throw error;
  }
}

/** With the columns expanded that leave much unexplained; kept where that predicts held-back rows better. */
function* tryExpansions(before: Best, smallest: Architecture): Generator<Progress, Best> {
  const found = expandedTask(before.task, before.winner);
  if (!found) return before;
  const after = yield* trySmallest(found.task, smallest, true, found.expansions);
  const gained = gain(before.losses!, after.losses!);
  return keepOne(before, after, gained, gained.convincing);
}
