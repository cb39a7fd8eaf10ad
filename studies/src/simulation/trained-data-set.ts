import { fold, type Key, type RunOptions, simulate } from "@ratewise/core";
import { rowBlock } from "@ratewise/core/linalg";
import type { Network, RecipeName } from "@ratewise/core/network";
import { permutation } from "@ratewise/core/random";
import { causalLabels, type SimulatedRows } from "@ratewise/core/simulate";
import { secondsNow } from "../stopwatch.ts";
import { trainMembers } from "../train-members.ts";

/** A data set of the paper's simulation with independent columns. */
export interface DataSet {
  readonly link: "identity" | "logistic";
  readonly rows: number;
  readonly recipe: RecipeName;
  /** Responses are permuted before anything is trained: a control. */
  readonly permuted: boolean;
}

export interface TrainedDataSet {
  readonly train: SimulatedRows;
  readonly test: SimulatedRows;
  readonly network: Network;
  /** 1 for a causal variable; for the last step alone. */
  readonly causal: Uint8Array;
  readonly seconds: number;
}

const TRAINING_SHARE = 0.7;

/** Simulates, and trains the one network of 32-16 units that all methods are to explain: with the same key that of `runCell`. */
export async function trainDataSet(
  { link, rows, recipe, permuted }: DataSet,
  key: Key,
  run: RunOptions,
): Promise<TrainedDataSet> {
  const { X, y: responses, truth } = simulate({ key: fold(key, "data"), rows, link });
  const order = permutation(fold(key, "permuted"), rows);
  const y = permuted ? Float64Array.from(order, (row) => responses[row]) : responses;
  const n = Math.round(TRAINING_SHARE * rows);
  const train = { X: rowBlock(X, 0, n), y: y.subarray(0, n) };
  const start = secondsNow();
  const { one } = await trainMembers(train.X, train.y, { key, link, recipe, members: 1 }, run);
  return {
    train,
    test: { X: rowBlock(X, n, rows), y: y.subarray(n) },
    network: one[0],
    causal: causalLabels(truth),
    seconds: secondsNow() - start,
  };
}
