import { fold, type Key, subsample } from "../../random/index.ts";
import { likeliestClasses } from "../fit/model.ts";
import type { Unseen } from "../fit/unseen.ts";

/** Some of the held-out rows with what the model said about them, one entry per row in every list. */
export interface HeldOutPredictions {
  /** Held-out rows in all; at most 500 of them are listed, drawn at random. */
  readonly of: number;
  /** Rows of the table, the first being 1. */
  readonly row: readonly number[];
  /** The value that came, or the class. */
  readonly observed: readonly (number | string)[];
  readonly predicted: readonly (number | string)[];
  /** Standard deviation of a new value; null for classes. */
  readonly sd: readonly number[] | null;
  /** Of the predicted class; null for numbers. */
  readonly probability: readonly number[] | null;
}

const MOST = 500;

export function heldOutPredictions(
  { rows, y, prediction: { mean, sd, probabilities } }: Pick<Unseen, "rows" | "y" | "prediction">,
  classes: readonly string[] | null,
  key: Key,
): HeldOutPredictions {
  const n = y.length;
  const chosen = [...subsample(fold(key, "held-out"), n, Math.min(n, MOST))];
  const row = chosen.map((i) => rows[i] + 1);
  if (mean && sd)
    return {
      of: n,
      row,
      observed: chosen.map((i) => y[i]),
      predicted: chosen.map((i) => mean[i]),
      sd: chosen.map((i) => sd[i]),
      probability: null,
    };
  const C = classes!.length;
  const likeliest = likeliestClasses(probabilities!, C);
  return {
    of: n,
    row,
    observed: chosen.map((i) => classes![y[i]]),
    predicted: chosen.map((i) => classes![likeliest[i]]),
    sd: null,
    probability: chosen.map((i) => probabilities![i * C + likeliest[i]]),
  };
}
