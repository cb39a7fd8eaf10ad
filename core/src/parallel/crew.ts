import { RatewiseError } from "../errors.ts";
import type { ExecuteOptions } from "./executor.ts";
import { handOver } from "./hand-over.ts";
import type { Ending, PooledWorker } from "./pooled-worker.ts";
import type { TaskData } from "./task.ts";
import { deathError, payloadError, taskError } from "./task-error.ts";
import { TaskProgress } from "./task-progress.ts";

/** Where a run gets its workers, and brings them back, dead or alive. */
export interface Crew {
  take(): Promise<PooledWorker>;
  give(worker: PooledWorker): void;
}

/**
 * Runs tasks on at most `workers` of the crew at once, started in index order. When one fails, later
 * ones are ended but earlier ones are waited for, so that the error thrown is that of the first failing
 * index however many workers there are.
 */
export async function runOnCrew<Result>(
  crew: Crew,
  tasks: readonly TaskData<Result>[],
  { workers = 1, signal, onProgress, transfer = false }: ExecuteOptions,
): Promise<Result[]> {
  signal?.throwIfAborted();
  const results = new Array<Result>(tasks.length);
  const running = new Map<number, PooledWorker>();
  let next = 0;
  /** Tasks from here on are not wanted: the end, then the first that failed. */
  let end = tasks.length;
  let failure: unknown;

  const fail = (index: number, error: unknown): void => {
    if (index >= end) return;
    end = index;
    failure = error;
    for (const [other, worker] of running) if (other > index) worker.terminate();
  };
  const failAll = (error: unknown): void => fail(-1, error);

  // What the caller's callback throws ends the run, as if the work had thrown it.
  const progress = new TaskProgress(tasks, (event) => {
    try {
      onProgress?.(event);
    } catch (error) {
      failAll(error);
    }
  });

  const runOne = async (worker: PooledWorker, index: number): Promise<void> => {
    const task = tasks[index];
    let ending: Promise<Ending>;
    try {
      const handed = handOver(task.payload, transfer);
      ending = worker.start({
        message: { type: "task", kind: task.kind, payload: handed.value },
        transfer: handed.transfer,
        onProgress: (fraction, losses) => progress.advance(index, fraction, losses),
      });
    } catch (error) {
      return fail(index, payloadError(error, task, index));
    }
    running.set(index, worker);
    const outcome = await ending;
    running.delete(index);
    if (index >= end) return;
    if (outcome.type === "result") {
      results[index] = outcome.value as Result;
      progress.finish(index);
    } else if (outcome.type === "error") fail(index, taskError(outcome.error, task, index));
    else if (outcome.type === "died") fail(index, deathError(outcome.reason, task, index));
    else
      failAll(
        new RatewiseError("worker", { in: "runTasks", what: "the pool was closed during the run" }),
      );
  };

  const lane = async (): Promise<void> => {
    while (next < end) {
      let worker: PooledWorker;
      try {
        worker = await crew.take();
      } catch (error) {
        return failAll(error);
      }
      if (next < end) await runOne(worker, next++);
      crew.give(worker);
    }
  };

  // An abort does not wait for lanes that are still in the queue for a worker: they end when it comes.
  let stop = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    stop = () => {
      failAll(signal?.reason);
      resolve();
    };
  });
  signal?.addEventListener("abort", stop, { once: true });
  const lanes = Array.from({ length: Math.min(workers, tasks.length) }, lane);
  await Promise.race([Promise.all(lanes), aborted]);
  signal?.removeEventListener("abort", stop);
  if (end < tasks.length) throw failure;
  return results;
}
