import type { Losses } from "../run.ts";
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
  /** The share of the task that is done, 0 … 1, and the losses of one that trains. */
  | { readonly type: "progress"; readonly fraction: number; readonly losses?: Losses }
  /** A resident is about to enter its loop. */
  | { readonly type: "entered" }
  | Outcome;

/** How a job ended, as its worker tells it. */
export type Outcome =
  | { readonly type: "result"; readonly value: unknown }
  | { readonly type: "error"; readonly error: ErrorRecord };
