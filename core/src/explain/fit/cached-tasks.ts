import { executorInUse, runTasks, type TaskData, taskId } from "../../parallel/index.ts";
import type { Progress, RunOptions } from "../../run.ts";

/** Where finished pieces of long work are kept, so that a run which was stopped can go on. Ids are hashes of everything the piece depends on. */
export interface TaskCache {
  /** What was put there under this id, or undefined. */
  readonly get: (id: string) => Promise<unknown>;
  readonly put: (id: string, result: unknown) => Promise<void>;
}

/**
 * As {@link runTasks}, but a task whose result is kept is not run again, and each result is put away as soon as it is there (with an
 * executor in use, when all are there). The results are the same bytes either way.
 */
export async function runCachedTasks<Result>(
  tasks: readonly TaskData<Result>[],
  cache: TaskCache,
  { workers, signal, onProgress }: RunOptions & { readonly workers: number },
): Promise<Result[]> {
  const ids = tasks.map((task) => taskId(task));
  const results = (await Promise.all(ids.map((id) => cache.get(id)))) as (Result | undefined)[];
  const shares = results.map((result): number => (result === undefined ? 0 : 1));
  const report = (phase: string, trained: Partial<Progress> = {}): void => {
    const done = shares.reduce((sum, s) => sum + s, 0);
    onProgress?.({ ...trained, phase, done, total: tasks.length });
  };
  const waiting = [...tasks.keys()].filter((k) => results[k] === undefined);
  if (executorInUse() && workers > 0 && waiting.length > 0) {
    // Elsewhere tasks go out together, as one array job, and whoever does them keeps what is done.
    const found = tasks.length - waiting.length;
    const made = await runTasks(
      waiting.map((k) => tasks[k]),
      {
        workers,
        ...(signal && { signal }),
        onProgress: ({ done, task, ...event }) =>
          onProgress?.({
            ...event,
            done: found + done,
            total: tasks.length,
            ...(task && { task: { ...task, index: waiting[task.index] } }),
          }),
      },
    );
    for (const [nth, k] of waiting.entries()) {
      await cache.put(ids[k], made[nth]);
      results[k] = made[nth];
    }
    return results as Result[];
  }
  const work = async (): Promise<void> => {
    for (let k = waiting.shift(); k !== undefined; k = waiting.shift()) {
      const at = k;
      const [result] = await runTasks([tasks[at]], {
        workers: Math.min(1, workers),
        ...(signal && { signal }),
        onProgress: ({ phase, done, total, task, ...losses }) => {
          shares[at] = done / total;
          report(phase, task && { ...losses, task: { ...task, index: at } });
        },
      });
      await cache.put(ids[at], result);
      results[at] = result;
    }
  };
  // One that fails lets the others finish what they have begun, and begin nothing.
  const stopping = (error: unknown): never => {
    waiting.length = 0;
    throw error;
  };
  const hands = Math.max(1, Math.min(workers, waiting.length));
  await Promise.all(Array.from({ length: hands }, () => work().catch(stopping)));
  report(tasks[0].kind);
  return results as Result[];
}

/** One piece of work done in this thread, kept under the id of the task that it is. */
export async function runCached<Result>(
  task: TaskData<Result>,
  cache: TaskCache,
  action: () => Promise<Result>,
): Promise<Result> {
  const id = taskId(task);
  const found = (await cache.get(id)) as Result | undefined;
  if (found !== undefined) return found;
  const result = await action();
  await cache.put(id, result);
  return result;
}
