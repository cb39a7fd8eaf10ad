import { chosenBuild } from "../../compute/chosen-kernels.ts";
import { withEngine } from "../../compute/index.ts";
import type { Design } from "../../data/design.ts";
import type { Tried } from "../../network/choose.ts";
import {
  type Architecture,
  type EpochRecord,
  type FitOptions,
  fit,
  type Network,
  type Recipe,
  type RecipeName,
} from "../../network/index.ts";
import { defineTask, executorInUse, runTasks, type TaskKind } from "../../parallel/index.ts";
import { workersHere } from "../../parallel/workers-here.ts";
import { fold, type Key } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";
import { runCached, runCachedTasks, type TaskCache } from "./cached-tasks.ts";

interface MemberPayload {
  readonly X: Design;
  readonly y: Float64Array;
  readonly architecture: Architecture;
  readonly larger: readonly Architecture[];
  readonly linearAlone: boolean;
  readonly recipe: RecipeName;
  readonly penaltyGroups: readonly (readonly number[])[];
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
  readonly members: number;
  readonly workers?: number;
  /** Members found there are not trained again, and those trained are put there. */
  readonly cache?: TaskCache;
}

/** K networks that differ in their random numbers alone, trained on all cores. */
export async function fitEnsemble(
  X: Design,
  y: Float64Array,
  { key, members, workers, cache, signal, onProgress, architectures, ...rest }: FitEnsembleOptions,
): Promise<FittedMember[]> {
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  // Members hold back different rows, so all rows teach some of them; what they do not share keeps them apart.
  const changes: Partial<Recipe> = members > 1 ? { trainAgain: false } : {};
  const [architecture, ...larger] = architectures;
  const setup = { linearAlone: false, ...rest, architecture, larger };
  const payload = (k: number): MemberPayload => ({
    X,
    y,
    ...setup,
    changes,
    key: fold(key, "member", k),
    engine: chosenBuild(),
  });
  // A single network stays in this thread, where kernels may use all cores, unless the work goes elsewhere.
  if (members === 1 && !executorInUse()) {
    const train = () => trainMember(X, y, { ...setup, ...run, key: fold(key, "member", 0) });
    return [cache ? await runCached(fitMember.task(payload(0)), cache, train) : await train()];
  }
  const shared = { data: inSharedMemory(X.data), rows: X.rows, cols: X.cols };
  const tasks = Array.from({ length: members }, (_, k) =>
    fitMember.task({ ...payload(k), X: shared }),
  );
  if (cache) return runCachedTasks(tasks, cache, { ...run, workers: workers ?? workersHere() });
  return runTasks(tasks, { ...run, ...(workers !== undefined && { workers }) });
}

/** A fit without what only the trainer needs to know. */
async function trainMember(X: Design, y: Float64Array, options: FitOptions): Promise<FittedMember> {
  const { network, penalty, history, tried } = await fit(X, y, options);
  return { network, penalty, history, tried };
}

/** One copy for all workers where the platform shares memory. */
function inSharedMemory(values: Float32Array): Float32Array {
  if (typeof SharedArrayBuffer === "undefined") return values;
  const copy = new Float32Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}
