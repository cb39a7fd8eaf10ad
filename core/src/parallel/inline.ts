import type { RunOptions } from "../run.ts";
import type { ExecuteOptions, Executor } from "./executor.ts";
import { handOver } from "./hand-over.ts";
import type { Outcome } from "./messages.ts";
import { perform } from "./perform.ts";
import { type TaskData, taskKind } from "./task.ts";
import { payloadError, taskError } from "./task-error.ts";
import { lossesOf, shareOf, TaskProgress } from "./task-progress.ts";

/** How long this thread works before the event loop turns: an abort is heard so late at most between tasks. */
const SLICE_MS = 12;

/**
 * The tasks one after another in this thread, cloned on the way in and out as for a worker. `signal`
 * reaches the tasks; one that does not look at it runs to its end.
 */
export const inlineExecutor: Executor = {
  async run<Result>(
    tasks: readonly TaskData<Result>[],
    { signal, onProgress, transfer = false }: ExecuteOptions = {},
  ): Promise<Result[]> {
    const progress = new TaskProgress(tasks, onProgress);
    const results: Result[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for (const [index, task] of tasks.entries()) {
      signal?.throwIfAborted();
      const outcome = await performHere(task, index, transfer, {
        ...(signal && { signal }),
        onProgress: (event) => progress.advance(index, shareOf(event), lossesOf(event)),
      });
      signal?.throwIfAborted();
      if (outcome.type === "error") throw taskError(outcome.error, task, index);
      results.push(outcome.value as Result);
      progress.finish(index);
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
    signal?.throwIfAborted();
    return results;
  },
  async close(): Promise<void> {},
};

async function performHere(
  task: TaskData,
  index: number,
  transfer: boolean,
  options: RunOptions,
): Promise<Outcome> {
  const kind = taskKind(task.kind);
  const payload = clonePayload(task, index, transfer);
  let outcome: Outcome | undefined;
  await perform(kind, { kind: task.kind, payload }, options, (message, buffers) => {
    outcome = structuredClone(message, { transfer: buffers });
  });
  return outcome!;
}

function clonePayload(task: TaskData, index: number, owned: boolean): unknown {
  try {
    const { value, transfer } = handOver(task.payload, owned);
    return structuredClone(value, { transfer });
  } catch (error) {
    throw payloadError(error, task, index);
  }
}
