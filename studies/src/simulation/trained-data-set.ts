import { fold, type Key, type RunOptions, simulate } from "@ratewise/core";
import { rowBlock } from "@ratewise/core/linalg";
import type { Network, RecipeName } from "@ratewise/core/network";
import { permutation } from "@ratewise/core/random";
import { type ColumnCorrelation, causalLabels, type SimulatedRows } from "@ratewise/core/simulate";
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

/** A simulated data set: rows to train on, rows to test, and the truth, for the last step alone. */
export function simulatedSplit(
  { link, rows, correlation, permuted = false }: SplitRequest,
  key: Key,
): { readonly train: SimulatedRows; readonly test: SimulatedRows; readonly truth: Truth } {
  const drawn = simulate({
    key: fold(key, "data"),
    rows,
    link,
    ...(correlation && { correlation }),
  });
  const { X, y: responses, truth } = drawn;
  const order = permutation(fold(key, "permuted"), rows);
  const y = permuted ? Float64Array.from(order, (row) => responses[row]) : responses;
  const n = Math.round(TRAINING_SHARE * rows);
  return {
    train: { X: rowBlock(X, 0, n), y: y.subarray(0, n) },
    test: { X: rowBlock(X, n, rows), y: y.subarray(n) },
    truth,
  };
}

type SplitRequest = Pick<DataSet, "link" | "rows"> &
  Partial<Pick<DataSet, "permuted">> & { readonly correlation?: ColumnCorrelation };
type Truth = ReturnType<typeof simulate>["truth"];

/** Simulates, and trains the one network of 32-16 units that all methods are to explain: with the same key that of `runCell`. */
export async function trainDataSet(
  request: DataSet,
  key: Key,
  run: RunOptions,
): Promise<TrainedDataSet> {
  const { link, recipe } = request;
  const { train, test, truth } = simulatedSplit(request, key);
  const start = secondsNow();
  const { one } = await trainMembers(train.X, train.y, { key, link, recipe, members: 1 }, run);
  const seconds = secondsNow() - start;
  return { train, test, network: one[0], causal: causalLabels(truth), seconds };
}
