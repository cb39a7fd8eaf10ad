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

/** The paper's search: 30 models by 5 folds. */
export const PAPER_SEARCH: SearchSize = { candidates: 30, folds: 5 };

/** What the paper's search would have taken, from what a smaller one took; a fit grows with the rows that it learns from. */
export function wholeSearchMinutes(seconds: number, { candidates, folds }: SearchSize): number {
  const work = (search: SearchSize): number => search.candidates * (search.folds - 1);
  return (seconds * work(PAPER_SEARCH)) / work({ candidates, folds }) / 60;
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

/** Settings in words. */
export function settingsText(settings: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(settings).map(
    ([name, value]) =>
      `${name} ${typeof value === "number" ? Number(value.toPrecision(3)) : value}`,
  );
  return words.length === 0 ? "as they come" : words.join(", ");
}
