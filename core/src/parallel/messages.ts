import type { ErrorRecord } from "./task-error.ts";

/** A worker holds one job at a time: the owner sends the next after the outcome of the last. */
export type ToWorker =
  | { readonly type: "task"; readonly kind: string; readonly payload: unknown }
  | {
      readonly type: "resident";
      readonly kind: string;
      readonly payload: unknown;
      readonly index: number;
      readonly count: number;
    };

export type FromWorker =
  /** The share of the task that is done, 0 … 1. */
  | { readonly type: "progress"; readonly fraction: number }
  /** A resident is about to enter its loop. */
  | { readonly type: "entered" }
  | Outcome;

/** How a job ended, as its worker tells it. */
export type Outcome =
  | { readonly type: "result"; readonly value: unknown }
  | { readonly type: "error"; readonly error: ErrorRecord };
