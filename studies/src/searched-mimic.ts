import { fold, type Key, type Matrix, type RunOptions } from "@ratewise/core";
import { rSquared } from "@ratewise/core/evaluate";
import {
  fitBoosting,
  fitForest,
  impurityImportance,
  predictBoosting,
  predictForest,
  searchSettings,
  type TreeInput,
} from "@ratewise/core/learners";
import { type Network, predict, type Rows } from "@ratewise/core/network";
import { type Ranking, rankingOf } from "./ranking.ts";

/** Rows, and the network's probabilities there: what a mimic learns. */
export interface Mimicked {
  readonly X: TreeInput;
  readonly probabilities: Float64Array;
}

/** What the network predicts: the mean, or the chance of the second class. */
export function softPredictions(network: Network, X: Rows): Float64Array {
  const { mean, probabilities } = predict(network, X);
  return probabilities
    ? Float64Array.from({ length: X.rows }, (_, i) => probabilities.data[2 * i + 1])
    : mean.data;
}

export interface MimicRanking extends Ranking {
  /** R² of the network's probabilities on rows that neither saw. */
  readonly heldOut: number;
  /** Variables that no tree splits on. */
  readonly unused: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a search may take. */
export interface SearchSize {
  readonly candidates: number;
  readonly folds: number;
}

export interface SearchMimicOptions extends RunOptions, SearchSize {
  readonly key: Key;
  readonly method: "forest" | "boosting";
}

/** The settings that cross-validation likes best for a mimic of these probabilities. */
export async function searchMimicSettings(
  { X, probabilities }: { readonly X: Matrix; readonly probabilities: Float64Array },
  { key, method, candidates, folds, ...run }: SearchMimicOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const found = await searchSettings(method, X, probabilities, {
    ...{ ...run, candidates, folds, task: { kind: "regression" } as const },
    key: fold(key, "search", method),
  });
  return found.setup.settings;
}

/** A forest or boosting taught by the network's probabilities, ranked by impurity. */
export async function mimicOf(
  method: "forest" | "boosting",
  train: Mimicked,
  test: Mimicked,
  settings: Readonly<Record<string, unknown>>,
  key: Key,
  run: RunOptions,
): Promise<MimicRanking> {
  const options = {
    ...{ ...settings, ...run, task: { kind: "regression" } as const },
    key: fold(key, method),
  };
  const { scores, predicted } =
    method === "forest"
      ? await taught(fitForest, predictForest, train, test, options)
      : await taught(fitBoosting, predictBoosting, train, test, options);
  return {
    ...rankingOf(scores),
    heldOut: rSquared(predicted.data, test.probabilities),
    unused: scores.filter((score) => score === 0).length,
    settings,
  };
}

async function taught<Model extends Parameters<typeof impurityImportance>[0], Options>(
  fitModel: (X: TreeInput, y: Float64Array, options: Options) => Promise<Model>,
  predictModel: (model: Model, X: TreeInput) => Matrix,
  train: Mimicked,
  test: Mimicked,
  options: Options,
): Promise<{ readonly scores: Float64Array; readonly predicted: Matrix }> {
  const model = await fitModel(train.X, train.probabilities, options);
  return { scores: impurityImportance(model), predicted: predictModel(model, test.X) };
}

/** Settings by name, numbers to so many digits. */
export function settingsText(settings: Readonly<Record<string, unknown>>, digits = 3): string {
  const named = Object.entries(settings).map(
    ([name, value]) =>
      `${name} ${typeof value === "number" ? Number(value.toPrecision(digits)) : value}`,
  );
  return named.length === 0 ? "as without a search" : named.join(", ");
}
