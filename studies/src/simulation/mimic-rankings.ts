import { fold, type Key, matrix, type RunOptions } from "@ratewise/core";
import { fitMimic, type LearnerSetup, learnerFrom, searchSettings } from "@ratewise/core/learners";
import type { SimulatedRows } from "@ratewise/core/simulate";
import { softPredictions } from "../searched-mimic.ts";
import { secondsNow } from "../stopwatch.ts";
import type { TrainedDataSet } from "./trained-data-set.ts";

export const mimicMethods = ["boosting", "forest"] as const;
export type MimicMethod = (typeof mimicMethods)[number];
export type Settings = Readonly<Record<string, unknown>>;

export interface MimicScore {
  /** Mean decrease in impurity. */
  readonly scores: Float64Array;
  /** R² of the network's predictions on test rows. */
  readonly heldOut: number;
  readonly seconds: number;
}

/** Without a search: what the library does by itself, but a forest as small as Breiman's rules for a regression allow; 70,000 rows are many. */
export const unsearched: Readonly<Record<MimicMethod, Settings>> = {
  boosting: {},
  forest: { trees: 50, maxFeatures: 1 / 3, minLeaf: 5 },
};

/** A mimic trained on the soft predictions at the training rows, and the ranking of the variables by it. */
export async function scoreByMimic(
  setup: LearnerSetup,
  { network, train, test }: TrainedDataSet,
  key: Key,
  run: RunOptions,
): Promise<MimicScore> {
  const rowsOf = (rows: SimulatedRows) => ({
    X: rows.X,
    predictions: matrix(rows.X.rows, 1, softPredictions(network, rows.X)),
  });
  const [own, other] = [rowsOf(train), rowsOf(test)];
  const start = secondsNow();
  const { importance, heldOut } = await fitMimic(learnerFrom(setup), own, other, {
    ...run,
    key: fold(key, "mimic", setup.method),
    workers: 0,
  });
  return { scores: importance!, heldOut, seconds: secondsNow() - start };
}

export interface Searched {
  readonly setup: LearnerSetup;
  /** Mean cross-validated R² of the winner, and of what is done without a search. */
  readonly best: number;
  readonly unsearched: number;
  readonly seconds: number;
}

/** Random search with cross-validation over the settings of a mimic, as in the paper: 30 models, 5 folds. */
export async function searchMimic(
  method: MimicMethod,
  { network, train }: TrainedDataSet,
  { candidates, folds }: { readonly candidates: number; readonly folds: number },
  key: Key,
  run: RunOptions,
): Promise<Searched> {
  const start = secondsNow();
  const found = await searchSettings(method, train.X, softPredictions(network, train.X), {
    ...run,
    ...{ candidates, folds, workers: 0, task: { kind: "regression" } as const },
    key: fold(key, "search", method),
  });
  return {
    setup: found.setup,
    best: found.candidates[found.best].mean,
    unsearched: found.candidates[0].mean,
    seconds: secondsNow() - start,
  };
}
