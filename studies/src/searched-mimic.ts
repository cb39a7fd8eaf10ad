import {
  fitBoosting,
  fitForest,
  fold,
  impurityImportance,
  type Key,
  type Matrix,
  predictBoosting,
  predictForest,
  type RunOptions,
  rSquared,
  searchSettings,
  type TreeInput,
} from "@ratewise/core";
import { type Ranking, rankingOf } from "./ranking.ts";

/** Rows, and the network's probabilities there: what a mimic learns. */
export interface Mimicked {
  readonly X: TreeInput;
  readonly probabilities: Float64Array;
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

export interface SearchedMimicOptions extends RunOptions {
  readonly key: Key;
  readonly method: "forest" | "boosting";
  /** Rows that settings are chosen on. */
  readonly search: { readonly X: Matrix; readonly probabilities: Float64Array } & SearchSize;
}

/** A forest or boosting taught by the network's probabilities, with the settings that cross-validation likes best; ranked by impurity. */
export async function searchedMimic(
  train: Mimicked,
  test: Mimicked,
  { key, method, search, ...run }: SearchedMimicOptions,
): Promise<MimicRanking> {
  const { candidates, folds } = search;
  const found = await searchSettings(method, search.X, search.probabilities, {
    ...{ ...run, candidates, folds, task: { kind: "regression" } as const },
    key: fold(key, "search", method),
  });
  return mimicOf(method, train, test, found.setup.settings, key, run);
}

/** The same with given settings. */
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

/** Settings in words. */
export function settingsText(settings: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(settings).map(
    ([name, value]) =>
      `${name} ${typeof value === "number" ? Number(value.toPrecision(3)) : value}`,
  );
  return words.length === 0 ? "as they come" : words.join(", ");
}
