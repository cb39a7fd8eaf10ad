import type { Matrix } from "../linalg/index.ts";
import type { Key } from "../random/index.ts";
import type { RunOptions } from "../run.ts";

/** What is learned: a number, or one of the classes 0 … classes − 1. */
export type LearnerTask =
  | { readonly kind: "regression" }
  | { readonly kind: "classification"; readonly classes: number };

/** How a fit is run. The fitted model depends on none of it but `names`. */
export interface LearnerRun extends RunOptions {
  /**
   * Names of the columns, all different; default x1 … xp. Random numbers that touch a column come from a
   * stream of that name, so that permuting named columns permutes what is found and nothing else.
   */
  readonly names?: readonly string[];
  /** Workers to use; default: one per core. */
  readonly workers?: number;
}

/** Their names, for those who check the options they are given. */
export const learnerRunOptions: Readonly<Record<keyof LearnerRun, true>> = {
  signal: true,
  onProgress: true,
  names: true,
  workers: true,
};

/**
 * A method of learning with its settings fixed: what searches, mimics and conformance tests need to know.
 * A fitted model is plain data (it survives structuredClone) and `fit` leaves its arguments alone. The
 * target y holds numbers, or class indices 0 … classes − 1.
 */
export interface Learner<Model = unknown> {
  readonly name: string;
  fit(X: Matrix, y: Float64Array, task: LearnerTask, key: Key, run?: LearnerRun): Promise<Model>;
  /** n×1 means, or n×classes probabilities. */
  predict(model: Model, X: Matrix): Matrix;
  /** One number per column, 0 where the model does not use it. */
  importance?(model: Model): Float64Array;
}
