import type { Progress } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import type { Candidate } from "./candidate.ts";
import { compareScales, type ScaleComparison } from "./compare-scales.ts";
import { expandedTask, type TaskExpansion } from "./expanded-task.ts";
import { gain } from "./gain.ts";
import { heldBackWeights } from "./row-weights.ts";
import { keepOne, newSearch, SEARCHED, type Search } from "./search.ts";
import { type TrainingTask, trainNetwork } from "./train-network.ts";
import type { Tried } from "./tried.ts";
import { tryLarger, trySmallest } from "./try-sizes.ts";

/** The response in the two forms that are tried, made when they are: one alone where the other is not asked for. */
export interface Scales {
  readonly rows: number;
  readonly asIs: (() => TrainingTask) | null;
  readonly log: (() => TrainingTask) | null;
  /** Both, for some of the rows. */
  readonly sample: (count: number) => readonly [asIs: TrainingTask, log: TrainingTask];
}

export interface Chosen extends Omit<Candidate, "losses" | "heldBack"> {
  /** What it was trained on; with further columns where some were expanded. Its network is to be disposed of. */
  readonly task: TrainingTask;
  /** Its f at every row held back, and its loss there; null where none are, or nothing was compared. */
  readonly heldBack: Float64Array | null;
  readonly losses: Float64Array | null;
  readonly tried: readonly Tried[];
  readonly expansions: readonly TaskExpansion[];
  /** Null where only one scale was tried. */
  readonly scales: ScaleComparison | null;
}

/** With more rows the two scales are compared on {@link SAMPLE} of them. */
const MOST_ROWS = 20_000;
const SAMPLE = 10_000;

/** Work of the smallest models on a log scale, or of expanded columns, beside that of the first. */
const AGAIN = 1.4;

/**
 * The smallest models first; the same with the response on a log scale, if that may be; then with expansions of the columns whose
 * effects are too rough for them, where there are any; then larger networks of the form that won. Each has to gain convincingly
 * over the best before it, and the search ends with the first size that does not.
 */
export function* choose(
  scales: Scales,
  architectures: readonly Architecture[],
): Generator<Progress, Chosen> {
  const first = (scales.asIs ?? scales.log)!();
  const { splits, linear, mayExpand } = first;
  const held = splits[0].validationRows.length > 0;
  const both = scales.asIs !== null && scales.log !== null;
  // Of a lone network nothing is asked that its losses would answer.
  const lone = !linear && architectures.length === 1 && !both && !mayExpand?.length;
  if (!held || lone) {
    const options = { at: 0, beside: null, work: 1, later: 0 };
    const network = yield* trainNetwork(first, architectures[0], options);
    const nothing = { heldBack: null, losses: null, tried: [], expansions: [], scales: null };
    return { task: first, form: "network", network, linear: 0, hidden: 1, ...nothing };
  }
  let { search, better, compared } = yield* tryScales(scales, first, architectures);
  try {
    ({ search, better } = yield* tryExpansions({ search, better }, architectures));
    if (better) yield* tryLarger(search, architectures);
    const { task, expansions, tried } = search;
    return { ...search.taken(), task, expansions, tried, scales: compared };
  } catch (error) {
    search.dispose();
    throw error;
  }
}

/** A search, and whether the last network was taken: a larger one is tried only after that. */
interface Found {
  readonly search: Search;
  readonly better: boolean;
}

interface OfScales extends Found {
  readonly compared: ScaleComparison | null;
}

function* tryScales(
  { rows, asIs, log, sample }: Scales,
  first: TrainingTask,
  architectures: readonly Architecture[],
): Generator<Progress, OfScales> {
  if (!asIs || !log) return { ...(yield* searched(first, architectures)), compared: null };
  if (rows <= MOST_ROWS) return yield* tryBoth(first, log(), architectures);
  const { search: few, compared } = yield* tryBoth(...sample(SAMPLE), architectures);
  few.dispose();
  const better = compared!.better === "log" ? log() : first;
  return { ...(yield* searched(better, architectures)), compared };
}

function* tryBoth(
  asIs: TrainingTask,
  log: TrainingTask,
  architectures: readonly Architecture[],
): Generator<Progress, OfScales> {
  const before = yield* searched(asIs, architectures, [], AGAIN);
  try {
    const after = yield* searched(log, architectures);
    const compared = compareScales(
      { task: asIs, ...before.search.taken() },
      { task: log, ...after.search.taken() },
    );
    const taken = compared.better === "log";
    const search = keepOne(before.search, after.search, compared.gain, taken);
    return { search, better: (taken ? after : before).better, compared };
  } catch (error) {
    before.search.dispose();
    throw error;
  }
}

/** With the columns expanded that leave much unexplained; kept where that predicts held-back rows convincingly better. */
function* tryExpansions(
  before: Found,
  architectures: readonly Architecture[],
): Generator<Progress, Found> {
  const { task } = before.search;
  const found = expandedTask(task, before.search.taken());
  if (!found) return before;
  const after = yield* searched(found.task, architectures, found.expansions);
  const gained = gain(before.search.taken().losses, after.search.taken().losses, {
    weights: heldBackWeights(task.splits, task.weights),
    errors: SEARCHED,
  });
  const taken = gained.convincing;
  return {
    search: keepOne(before.search, after.search, gained, taken),
    better: (taken ? after : before).better,
  };
}

/** The smallest models of a task. */
function* searched(
  task: TrainingTask,
  architectures: readonly Architecture[],
  expansions: readonly TaskExpansion[] = [],
  extra = 0,
): Generator<Progress, Found> {
  const search = newSearch(task, expansions);
  try {
    return { search, better: yield* trySmallest(search, architectures, extra) };
  } catch (error) {
    search.dispose();
    throw error;
  }
}
