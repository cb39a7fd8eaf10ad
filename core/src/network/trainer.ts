import type { FloatArray } from "../compute/index.ts";
import type { Key } from "../random/index.ts";
import type { Layout } from "./layout.ts";
import type { PenaltyGroups } from "./penalty.ts";

/** Everything a trainer is made from; rows are copied in, so the caller may forget X and y. */
export interface TrainerSetup {
  readonly layout: Layout;
  /** n×p, row-major. */
  readonly X: FloatArray;
  /** n responses: standardised numbers, or classes. */
  readonly y: FloatArray;
  /** What is known of f beforehand, n×outputs: the network learns the rest. Default nothing. */
  readonly offsets?: FloatArray;
  /** What each row's loss counts, of mean 1; default all the same. */
  readonly weights?: FloatArray;
  readonly batchSize: number;
  readonly learningRate: number;
  readonly clipNorm: number;
  readonly priorVariance: number;
  /** N in KL/N. */
  readonly totalRows: number;
  readonly learnNoise: boolean;
  readonly groups: PenaltyGroups;
  /** Of the dropout masks and the draws of the output. */
  readonly key: Key;
}

/**
 * The inner loop of training, apart from what decides when to stop: the kernel in single precision, which the tests hold
 * to the same steps written as the formulas are, in double precision.
 */
export interface Trainer {
  /**
   * Replaces the parameters and forgets the optimiser's moments; random draws go on.
   * @param totalRows N in KL/N from now on, default that of the setup.
   */
  load(parameters: FloatArray, penalty: number, totalRows?: number): void;
  /**
   * One step for each batch of `batchSize` rows in `order` (the last may be smaller).
   * @returns the sum over batches of loss × rows; NaN as soon as it is no number.
   */
  train(order: Uint32Array): number;
  /** f at the posterior mean for the given rows, rows×outputs; dropout off. */
  predict(rows: Uint32Array): FloatArray;
  /** average ← average + weight·(parameters − average); weight 1 starts the average anew. */
  blend(weight: number): void;
  /** Exchanges the parameters and their average, which `predict` and `parameters` then speak of. */
  exchange(): void;
  /** A copy of the parameters now. */
  parameters(): FloatArray;
  /** Gives memory back; the trainer is of no use afterwards. */
  dispose(): void;
}
