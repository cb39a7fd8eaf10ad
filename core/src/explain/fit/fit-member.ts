import { chosenBuild } from "../../compute/chosen-kernels.ts";
import { engine, withEngine } from "../../compute/index.ts";
import { type Design, selectDesignRows } from "../../data/design.ts";
import { expandColumns, withExpansions } from "../../data/expansion.ts";
import { type RowStructure, structureOfRows } from "../../data/row-structure.ts";
import type { ScaleComparison } from "../../network/compare-scales.ts";
import type { TaskExpansion } from "../../network/expanded-task.ts";
import {
  type Architecture,
  type EpochRecord,
  type FitOptions,
  fit,
  type Network,
  type Recipe,
  type RecipeName,
} from "../../network/index.ts";
import type { LogScale, TargetScaleName } from "../../network/log-scale.ts";
import type { Tried } from "../../network/tried.ts";
import { defineTask, executorInUse, runTasks, type TaskKind } from "../../parallel/index.ts";
import { workersHere } from "../../parallel/workers-here.ts";
import { fold, type Key } from "../../random/index.ts";
import type { Progress, RunOptions } from "../../run.ts";
import { runCached, runCachedTasks, type TaskCache } from "./cached-tasks.ts";

interface MemberPayload {
  readonly X: Design;
  readonly y: Float64Array;
  readonly weights?: Float64Array;
  /** Rows that the member is not to see. */
  readonly without?: Uint32Array;
  readonly structure?: RowStructure;
  readonly architecture: Architecture;
  readonly larger: readonly Architecture[];
  readonly linearAlone: boolean;
  readonly recipe: RecipeName;
  readonly penaltyGroups: readonly (readonly number[])[];
  readonly mayExpand?: readonly number[];
  readonly targetScale?: TargetScaleName;
  readonly changes: Partial<Recipe>;
  readonly key: Key;
  /** The kernels to train with: a worker would otherwise take the best it has. */
  readonly engine: string;
}

/** One trained member of an ensemble, without the rows it was trained on. */
export interface FittedMember {
  readonly network: Network;
  readonly penalty: number;
  readonly history: readonly EpochRecord[];
  readonly tried: readonly Tried[];
  /** Further columns that it takes after those of X. */
  readonly expansions: readonly TaskExpansion[];
  /** Where it speaks of the response's logarithm; null where of the response. */
  readonly logScale: LogScale | null;
  readonly scales: ScaleComparison | null;
}

/** Trains one network; the members of an ensemble are tasks of this kind. */
export const fitMember: TaskKind<MemberPayload, FittedMember> = defineTask(
  "fit-member",
  ({ X, y, engine, ...options }: MemberPayload, { signal, onProgress }): Promise<FittedMember> => {
    const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
    return withEngine(engine, () => trainMember(X, y, { ...options, ...run }));
  },
);

export interface FitEnsembleOptions extends RunOptions {
  readonly key: Key;
  /** Networks to choose from, the smallest first. */
  readonly architectures: readonly Architecture[];
  /** Whether the linear part may do without any of them; default false. */
  readonly linearAlone?: boolean;
  readonly recipe: RecipeName;
  /** Columns of X that belong to one variable. */
  readonly penaltyGroups: readonly (readonly number[])[];
  /** Columns that are numbers and may be expanded: the first member decides for all. Default none. */
  readonly mayExpand?: readonly number[];
  /** Numbers as they are (default), their logarithms, or what held-back rows of the first member say. */
  readonly targetScale?: TargetScaleName;
  readonly members: number;
  /** What each row counts; default the same. */
  readonly weights?: Float64Array;
  /** What ties rows together, in training too. */
  readonly structure?: RowStructure;
  /** For each member the rows that it is not to see; default none. */
  readonly folds?: readonly Uint32Array[];
  readonly workers?: number;
  /** Members found there are not trained again, and those trained are put there. */
  readonly cache?: TaskCache;
}

/** K networks that differ in their random numbers, and in the rows they see where there are folds, trained on all cores. */
export async function fitEnsemble(
  X: Design,
  y: Float64Array,
  options: FitEnsembleOptions,
): Promise<FittedMember[]> {
  const { members, mayExpand, targetScale = "as-is", onProgress, ...rest } = options;
  const all = Array.from({ length: members }, (_, k) => k);
  const told = (from: number) => ({
    onProgress: (event: Progress) =>
      onProgress?.({
        ...event,
        done: event.done + from,
        total: members,
        ...(event.task && { task: { ...event.task, index: event.task.index + from } }),
      }),
  });
  if (members === 1 || (!mayExpand?.length && targetScale !== "auto"))
    return fitMembers(X, y, all, options);
  const choices = { ...(mayExpand && { mayExpand }), targetScale };
  const decide = { ...rest, ...choices, members, ...(onProgress && told(0)) };
  const [first] = await fitMembers(X, y, all.slice(0, 1), decide);
  const { expansions, logScale } = first;
  const wider = expandColumns(X, expansions);
  const others = await fitMembers(wider, y, all.slice(1), {
    ...rest,
    members,
    architectures: rest.architectures.map((each) => ({ ...each, inputs: wider.cols })),
    penaltyGroups: rest.penaltyGroups.map((group) => withExpansions(group, expansions)),
    targetScale: logScale ? "log" : "as-is",
    ...(onProgress && told(1)),
  });
  return [first, ...others];
}

/** The members of these numbers. */
async function fitMembers(
  X: Design,
  y: Float64Array,
  wanted: readonly number[],
  {
    key,
    members,
    folds,
    workers,
    cache,
    signal,
    onProgress,
    architectures,
    ...rest
  }: FitEnsembleOptions,
): Promise<FittedMember[]> {
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  // Members hold back different rows, so all rows teach some of them; what they do not share keeps them apart. Folds are apart
  // already, and of rows in time all members hold back the latest, which nobody would learn from.
  const apart = members > 1 && !folds && rest.structure?.kind !== "time";
  const changes: Partial<Recipe> = apart ? { trainAgain: false } : {};
  const [architecture, ...larger] = architectures;
  const setup = { linearAlone: false, ...rest, architecture, larger };
  const payload = (k: number): MemberPayload => ({
    X,
    y,
    ...setup,
    changes,
    ...(folds && { without: folds[k] }),
    key: fold(key, "member", k),
    engine: chosenBuild(),
  });
  // A single network stays in this thread, where kernels may use all cores, unless the work goes elsewhere.
  if (members === 1 && !executorInUse()) {
    const own = { ...setup, ...run, key: fold(key, "member", 0) };
    // The linear part is linear algebra: on another engine than the kernels' it would have other last bits than in a task.
    const build = chosenBuild();
    const train = () =>
      engine().name === build
        ? trainMember(X, y, own)
        : withEngine(build, () => trainMember(X, y, own));
    return [cache ? await runCached(fitMember.task(payload(0)), cache, train) : await train()];
  }
  const shared = { data: inSharedMemory(X.data), rows: X.rows, cols: X.cols };
  const tasks = wanted.map((k) => fitMember.task({ ...payload(k), X: shared }));
  if (cache) return runCachedTasks(tasks, cache, { ...run, workers: workers ?? workersHere() });
  return runTasks(tasks, { ...run, ...(workers !== undefined && { workers }) });
}

/** A fit without what only the trainer needs to know. */
async function trainMember(
  X: Design,
  y: Float64Array,
  { without, ...options }: FitOptions & Pick<MemberPayload, "without">,
): Promise<FittedMember> {
  const fitted = await (without ? fitToOthers(X, y, without, options) : fit(X, y, options));
  const { network, penalty, history, tried, expansions, logScale, scales } = fitted;
  return { network, penalty, history, tried, expansions, logScale, scales };
}

function fitToOthers(X: Design, y: Float64Array, without: Uint32Array, options: FitOptions) {
  const rows = otherRows(X.rows, without);
  const { structure, weights } = options;
  return fit(
    selectDesignRows(X, rows),
    Float64Array.from(rows, (row) => y[row]),
    {
      ...options,
      ...(structure && { structure: structureOfRows(structure, rows) }),
      ...(weights && { weights: Float64Array.from(rows, (row) => weights[row]) }),
    },
  );
}

/** 0 … n − 1 but for some. */
export function otherRows(n: number, some: Uint32Array): Uint32Array {
  const left = new Uint8Array(n).fill(1);
  for (const row of some) left[row] = 0;
  return Uint32Array.from({ length: n }, (_, i) => i).filter((row) => left[row] === 1);
}

/** One copy for all workers where the platform shares memory. */
function inSharedMemory(values: Float32Array): Float32Array {
  if (typeof SharedArrayBuffer === "undefined") return values;
  const copy = new Float32Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}
