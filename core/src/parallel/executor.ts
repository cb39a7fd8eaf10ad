import type { RunOptions } from "../run.ts";
import type { TaskData } from "./task.ts";

export interface ExecuteOptions extends RunOptions {
  /** At most so many tasks at once. The results do not depend on it. */
  readonly workers?: number;
  /** Hand the payloads' arrays over instead of copying: they are empty at the caller afterwards. */
  readonly transfer?: boolean;
}

/**
 * Something that runs tasks: threads here, a queue or a batch system elsewhere. All keep to this:
 * results in the order of the tasks, whatever the order of completion; the error of the first task in
 * that order which fails; `signal` ends the work and rejects with its reason; progress counts tasks,
 * running ones by the share they report.
 */
export interface Executor {
  run<Result>(tasks: readonly TaskData<Result>[], options?: ExecuteOptions): Promise<Result[]>;
  /** Ends everything that is running. */
  close(): Promise<void>;
}
