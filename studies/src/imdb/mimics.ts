import { fold, foldOfRows, type Key, type RunOptions, type SparseMatrix } from "@ratewise/core";
import { type MimicRanking, mimicOf } from "../searched-mimic.ts";
import { selectSparseRows } from "./sparse-rows.ts";

/** Reviews, and the network's probability that each is positive. */
export interface MimickedReviews {
  readonly X: SparseMatrix;
  readonly probabilities: Float64Array;
}

export interface ChosenMimic extends MimicRanking {
  /** Mean R² over folds of each candidate, in the order given. */
  readonly searched: readonly number[];
}

export interface ChooseMimicOptions extends RunOptions {
  readonly key: Key;
  readonly method: "forest" | "boosting";
  /** Settings to choose from; the first wins ties. */
  readonly candidates: readonly Readonly<Record<string, unknown>>[];
  /** Reviews that they are compared on, by cross-validation. */
  readonly on: MimickedReviews;
  readonly folds: number;
}

/**
 * A mimic whose settings are the best of a list by cross-validation on sparse rows. The search of core takes dense rows and trees
 * grown to single reviews, which 1,000 words make a matter of hours.
 */
export async function chooseMimic(
  train: MimickedReviews,
  test: MimickedReviews,
  { key, method, candidates, on, folds, ...run }: ChooseMimicOptions,
): Promise<ChosenMimic> {
  const { X, probabilities } = on;
  const foldOf = foldOfRows(fold(key, "folds"), probabilities, { kind: "regression" }, folds);
  const part = (rows: readonly number[]): MimickedReviews => ({
    X: selectSparseRows(X, rows),
    probabilities: Float64Array.from(rows, (row) => probabilities[row]),
  });
  const all = [...probabilities.keys()];
  const parts = Array.from({ length: folds }, (_, k) => ({
    learned: part(all.filter((row) => foldOf[row] !== k)),
    heldBack: part(all.filter((row) => foldOf[row] === k)),
  }));
  const searched: number[] = [];
  for (const [c, settings] of candidates.entries()) {
    let sum = 0;
    for (const [k, { learned, heldBack }] of parts.entries()) {
      const own = fold(key, "candidate", c, k);
      sum += (await mimicOf(method, learned, heldBack, settings, own, run)).heldOut;
    }
    searched.push(sum / folds);
  }
  const best = searched.indexOf(Math.max(...searched));
  const mimic = await mimicOf(method, train, test, candidates[best], key, run);
  return { ...mimic, searched };
}
