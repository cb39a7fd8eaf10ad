import { createSha256 } from "#host";
import { version } from "../version.ts";
import { writeCanonical } from "./canonical-bytes.ts";
import type { TaskData } from "./task.ts";

/**
 * The name of a task wherever it runs: SHA-256 over code version, kind and payload, typed arrays by
 * content. Two tasks with the same id have the same result. Reads every byte of the payload.
 */
export function taskId(task: TaskData, codeVersion: string = version): string {
  const hash = createSha256();
  writeCanonical(codeVersion, hash.update, "taskId", "codeVersion");
  writeCanonical(task.kind, hash.update, "taskId", "kind");
  writeCanonical(task.payload, hash.update, "taskId", "payload");
  return hash.hex();
}
