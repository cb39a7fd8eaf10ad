import { chosenBuild } from "../compute/chosen-kernels.ts";
import { withEngine } from "../compute/index.ts";
import { RatewiseError, refuseUnknown } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { errorOfMean, meanOf } from "../linalg/moments.ts";
import { defineTask, runTasks, type TaskKind } from "../parallel/index.ts";
import { fold, type Key } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import type { RunOptions } from "../run.ts";
import { inSharedMemory } from "./group-lasso-cross-validation.ts";
import { type Learner, type LearnerTask, learnerRunOptions } from "./learner.ts";
import { foldOfRows, rowsOfFold, valuesAt } from "./search-folds.ts";
import {
  candidateSettings,
  type LearnerSetup,
  learnerFrom,
  type SearchMethod,
  searchMethods,
} from "./search-methods.ts";
import { predictionScore } from "./search-score.ts";
import { checkTrainingData } from "./training-data.ts";

export interface SearchOptions extends RunOptions {
  readonly key: Key;
  readonly task: LearnerTask;
  /** Settings tried, default 30. The first are those that the method has without a search. */
  readonly candidates?: number;
  /** Default 5. */
  readonly folds?: number;
  /** Columns of each group, for the group lasso. */
  readonly groups?: readonly (readonly number[])[];
  readonly names?: readonly string[];
  /** Worker threads; the result does not depend on them. */
  readonly workers?: number;
}

const known: Readonly<Record<keyof SearchOptions, true>> = {
  key: true,
  task: true,
  candidates: true,
  folds: true,
  groups: true,
  ...learnerRunOptions,
};

/** One row of a search's table. */
export interface Candidate {
  readonly settings: Readonly<Record<string, unknown>>;
  /** The share of the squared error explained on rows held out, one per fold. */
  readonly scores: Float64Array;
  readonly mean: number;
  /** Of the mean, over folds. */
  readonly standardError: number;
}

export interface SearchResult {
  readonly method: SearchMethod;
  readonly folds: number;
  /** All that was tried, in the order of the draws. */
  readonly candidates: readonly Candidate[];
  /** The candidate of the best mean; of equal ones the first. */
  readonly best: number;
  /** The best candidate, to be fitted on all rows. */
  readonly setup: LearnerSetup;
}

interface FoldPayload {
  readonly X: Matrix;
  readonly y: Float64Array;
  readonly task: LearnerTask;
  readonly setup: LearnerSetup;
  readonly folds: Uint32Array;
  readonly fold: number;
  readonly key: Key;
  readonly names: readonly string[] | null;
  /** The kernels to use: a worker would otherwise take the best it has. */
  readonly engine: string;
}

/** The score of one candidate on one fold. */
export const searchFold: TaskKind<FoldPayload, number> = defineTask(
  "search-fold",
  (payload: FoldPayload, context): Promise<number> =>
    withEngine(payload.engine, () => scoreOfFold(payload, context)),
);

async function scoreOfFold(
  { X, y, task, setup, folds, fold, key, names }: FoldPayload,
  { signal, onProgress }: RunOptions,
): Promise<number> {
  const { train, test } = rowsOfFold(folds, fold);
  const learner: Learner = learnerFrom(setup);
  const model = await learner.fit(selectRows(X, train), valuesAt(y, train), task, key, {
    workers: 0,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    ...(names && { names }),
  });
  return predictionScore(learner.predict(model, selectRows(X, test)), valuesAt(y, test), task);
}

/**
 * Random search (Bergstra and Bengio 2012) over a method's settings with k-fold cross-validation, the folds the same for all
 * candidates. One task a candidate and fold, each with its own key: the winner is the same for any number of workers.
 */
export async function searchSettings(
  method: SearchMethod,
  X: Matrix,
  y: Float64Array,
  options: SearchOptions,
): Promise<SearchResult> {
  refuseUnknown("searchSettings", options, known);
  const { key, task, candidates: count = 30, folds = 5, groups, names, workers } = options;
  if (!searchMethods.includes(method))
    throw new RatewiseError("unknown-name", {
      in: "searchSettings",
      what: `needs one of ${searchMethods.join(", ")}, got "${method}"`,
      method,
    });
  if (!(Number.isInteger(count) && count >= 1))
    throw new RatewiseError("domain", {
      in: "searchSettings",
      what: `needs 1, 2, 3, … candidates, got ${count}`,
      option: "candidates",
    });
  checkKey("searchSettings", key);
  checkTrainingData("searchSettings", X, y, task, names);
  const foldOf = foldOfRows(fold(key, "folds"), y, task, folds);
  const shared = inSharedMemory(X);
  const setups = Array.from(
    { length: count },
    (_, index): LearnerSetup => ({
      method,
      settings: candidateSettings(method, key, index),
      ...(groups && { groups }),
    }),
  );
  const tasks = setups.flatMap((setup, index) =>
    Array.from({ length: folds }, (_, k) =>
      searchFold.task({
        X: shared,
        y,
        task,
        setup,
        folds: foldOf,
        fold: k,
        key: fold(key, "fit", index, k),
        names: names ?? null,
        engine: chosenBuild(),
      }),
    ),
  );
  const { signal, onProgress } = options;
  const scores = await runTasks(tasks, {
    ...(signal && { signal }),
    ...(onProgress && {
      onProgress: (event) => onProgress({ ...event, phase: `search ${method}` }),
    }),
    ...(workers !== undefined && { workers }),
  });
  const table = setups.map(({ settings }, index) =>
    candidateOf(settings, scores.slice(index * folds, (index + 1) * folds)),
  );
  let best = 0;
  for (let c = 1; c < count; c++) if (table[c].mean > table[best].mean) best = c;
  return { method, folds, candidates: table, best, setup: setups[best] };
}

function candidateOf(
  settings: Readonly<Record<string, unknown>>,
  scores: readonly number[],
): Candidate {
  return {
    settings,
    scores: Float64Array.from(scores),
    mean: meanOf(scores),
    standardError: errorOfMean(scores),
  };
}
