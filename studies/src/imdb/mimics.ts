import { fold, type Key, type RunOptions } from "@ratewise/core";
import { foldOfRows, type SparseMatrix } from "@ratewise/core/learners";
import { mimicOf } from "../searched-mimic.ts";
import { selectSparseRows } from "./sparse-rows.ts";

/** Reviews, and the network's probability that each is positive. */
export interface MimickedReviews {
  readonly X: SparseMatrix;
  readonly probabilities: Float64Array;
}

export interface ChosenSettings {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Mean R² over folds of each candidate, in the order given. */
  readonly searched: readonly number[];
}

export interface ChooseSettingsOptions extends RunOptions {
  readonly key: Key;
  readonly method: "forest" | "boosting";
  /** Settings to choose from; the first wins ties. */
  readonly candidates: readonly Readonly<Record<string, unknown>>[];
  /** Reviews that they are compared on, by cross-validation. */
  readonly on: MimickedReviews;
  readonly folds: number;
}

/**
 * The best of a list of settings by cross-validation on sparse rows. The search of core takes dense rows and trees grown to single
 * reviews, which 1,000 words make a matter of hours.
 */
export async function chooseSettings({
  key,
  method,
  candidates,
  on: { X, probabilities },
  folds,
  ...run
}: ChooseSettingsOptions): Promise<ChosenSettings> {
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
  return { settings: candidates[searched.indexOf(Math.max(...searched))], searched };
}
