import type { RunOptions } from "../run.ts";
import { handOver } from "./hand-over.ts";
import type { Outcome } from "./messages.ts";
import type { TaskContext, TaskData, TaskKind } from "./task.ts";
import { recordError } from "./task-error.ts";
import { taskId } from "./task-id.ts";

/** Runs one task in this thread and hands the outcome to `send`, an error of the sending included. */
export async function perform(
  kind: TaskKind,
  task: TaskData,
  options: RunOptions,
  send: (outcome: Outcome, transfer: ArrayBuffer[]) => void,
): Promise<void> {
  let id: string | undefined;
  const context: TaskContext = {
    ...options,
    get id() {
      id ??= taskId(task);
      return id;
    },
  };
  try {
    const { value, transfer } = handOver(await kind.run(task.payload, context), true);
    send({ type: "result", value }, transfer);
  } catch (error) {
    send({ type: "error", error: recordError(error) }, []);
  }
}
