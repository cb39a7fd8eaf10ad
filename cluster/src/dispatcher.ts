import type { JobData } from "./perform.ts";

/** What became of tasks that have no result. */
export interface Inspection {
  /** Nobody has them any more: they are to be given out again. */
  readonly lost: readonly string[];
  /** Given up, with the engine's reason. */
  readonly failed: ReadonlyMap<string, string>;
}

/**
 * What differs between engines: how tasks reach workers. Names of tasks go out; results are in the store, and what an engine says about
 * them is a hint.
 */
export interface Dispatcher {
  /** Gives tasks to the workers; one that they have already is left as it is. */
  submit(jobs: readonly JobData[]): Promise<void>;
  inspect(ids: readonly string[]): Promise<Inspection>;
  /** Takes back what nobody has begun. */
  withdraw(ids: readonly string[]): Promise<void>;
  /** Takes back everything of the run, what is running included where the engine can. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

export interface DispatcherEvents {
  /** A task may be done, or given up. */
  readonly onSettled: (id: string) => void;
  readonly onProgress: (id: string, fraction: number) => void;
  /** The engine went away, or came back. */
  readonly onTrouble: (event: string, message: string) => void;
}
