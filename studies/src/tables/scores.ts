import type { Column } from "@ratewise/core";
import { accuracy, rSquared } from "@ratewise/core/evaluate";
import { likeliestClasses, type ModelPrediction } from "@ratewise/core/explain";

/** R² or the share of classes that are right, on rows that were not among those trained on. */
export interface Scores {
  readonly score: number;
  /** Mean −log of the probability of the class that came; null for numbers. */
  readonly logLoss: number | null;
}

/** Probabilities are taken for at least this, so that a class that was not among the training rows costs finitely much. */
const LEAST = 1e-6;

/** What predictions are worth beside the target's own column. */
export function scoresOf(
  { mean, probabilities }: ModelPrediction,
  classes: readonly string[] | null,
  target: Column,
): Scores {
  if (mean) {
    if (target.kind !== "number") throw new Error(`"${target.name}" has to hold numbers`);
    return { score: rSquared(mean, target.values), logLoss: null };
  }
  const C = classes!.length;
  const place = new Map(classes!.map((name, c) => [name, c]));
  const came = Float64Array.from(namesOf(target), (name) => place.get(name) ?? -1);
  const losses = came.map((c, i) =>
    c < 0 ? -Math.log(LEAST) : -Math.log(Math.max(LEAST, probabilities![i * C + c])),
  );
  const logLoss = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  return { score: accuracy(likeliestClasses(probabilities!, C), came), logLoss };
}

const namesOf = (column: Column): readonly string[] =>
  column.kind === "number"
    ? Array.from(column.values, String)
    : Array.from(column.codes, (code) => column.levels[code]);
