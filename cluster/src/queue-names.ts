import { version } from "@ratewise/core";
import type { JobData } from "./perform.ts";

/** One queue a store and version: workers of another version, or of another store, never see the tasks. */
export function queueName(storeIdentity: string): string {
  return `ratewise-${storeIdentity}-${version.replaceAll(".", "_")}`;
}

/** The job of a task: asking twice is asking once. */
export function jobIdOf({ run, id }: Pick<JobData, "run" | "id">): string {
  return `${run}-${id}`;
}

/** The task of a job, if it is one of that run. */
export function taskOfJob(run: string, jobId: string): string | undefined {
  return jobId.startsWith(`${run}-`) ? jobId.slice(run.length + 1) : undefined;
}
