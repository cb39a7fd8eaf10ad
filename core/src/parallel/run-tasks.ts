import { RatewiseError } from "../errors.ts";
import type { ExecuteOptions, Executor } from "./executor.ts";
import { inlineExecutor } from "./inline.ts";
import { WorkerPool } from "./pool.ts";
import type { Lease, ResidentKind } from "./resident.ts";
import { type TaskData, taskKind } from "./task.ts";
import { workersHere } from "./workers-here.ts";

export interface RunTasksOptions extends ExecuteOptions {
  /** Where the tasks run. Default: where {@link useExecutor} says, the worker threads of this process unless told otherwise. */
  readonly executor?: Executor;
}

let pool: WorkerPool | undefined;
let elsewhere: Executor | undefined;

/** The one pool of this process or page. */
function ownPool(): WorkerPool {
  pool ??= new WorkerPool();
  return pool;
}

/**
 * From now on the tasks of this process run on `executor`: a queue, a batch system. Without one, on the process's own
 * threads again. The results are the same bytes.
 */
export function useExecutor(executor?: Executor): void {
  elsewhere = executor;
}

/** Where {@link useExecutor} has sent the tasks of this process; undefined for its own threads. */
export function executorInUse(): Executor | undefined {
  return elsewhere;
}

/**
 * Runs tasks and gives their results in the order of the tasks, the same bytes for any number of
 * `workers` (default: one per core; 0: one after another in this thread, as always inside a worker).
 * Rejects with the error of the first task, in that order, that fails, and with `signal.reason` at once
 * when aborted.
 */
export async function runTasks<Result>(
  tasks: readonly TaskData<Result>[],
  { executor, workers = workersHere(), ...options }: RunTasksOptions = {},
): Promise<Result[]> {
  if (!Number.isInteger(workers) || workers < 0)
    throw new RatewiseError("domain", {
      in: "runTasks",
      what: `needs workers 0, 1, 2, …, got ${workers}`,
    });
  for (const kind of new Set(tasks.map(({ kind }) => kind))) taskKind(kind);
  if (executor) return executor.run(tasks, { ...options, workers });
  if (elsewhere && workers > 0) return elsewhere.run(tasks, { ...options, workers });
  if (workers === 0 || workersHere() === 0) return inlineExecutor.run(tasks, options);
  return ownPool().run(tasks, { ...options, workers });
}

/**
 * Takes `count` workers of the process's pool for a resident job, at once: idle ones, then new ones. In
 * Node the caller may block on shared memory as soon as this returns. Not inside a worker, where
 * {@link workersHere} is 0.
 */
export function leaseWorkers<Payload>(
  resident: ResidentKind<Payload>,
  count: number,
  payload: Payload,
): Lease {
  if (workersHere() === 0)
    throw new RatewiseError("worker", {
      in: "leaseWorkers",
      what: "needs the main thread, got a worker",
    });
  return ownPool().lease(resident, count, payload);
}

/** Ends the process's workers now, and what they do. The next run starts new ones. */
export async function closeWorkers(): Promise<void> {
  await pool?.close();
  pool = undefined;
}
