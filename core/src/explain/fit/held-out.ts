import { accuracy, rSquared } from "../../evaluate/index.ts";
import { meanOf } from "../../linalg/moments.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { likeliestClasses, type ModelParts, predictRows } from "./model.ts";

/** How good the model is on rows it never saw, beside what needs no model. */
export interface HeldOut {
  readonly metric: "r2" | "accuracy";
  readonly score: number;
  /** R² 0 of predicting the mean, or the accuracy of always naming the commonest training class. */
  readonly baseline: number;
}

export function heldOutScore(model: ModelParts, prepared: Prepared): HeldOut {
  const { task, test, train, classes } = prepared;
  const { mean, probabilities } = predictRows({ ...model, task }, test.X);
  if (mean) {
    const average = meanOf(train.y);
    const baseline = rSquared(new Float64Array(test.y.length).fill(average), test.y);
    return { metric: "r2", score: rSquared(mean, test.y), baseline };
  }
  const counts = new Float64Array(classes!.length);
  for (const label of train.y) counts[label]++;
  const commonest = counts.indexOf(Math.max(...counts));
  return {
    metric: "accuracy",
    score: accuracy(likeliestClasses(probabilities!, classes!.length), test.y),
    baseline: accuracy(new Float64Array(test.y.length).fill(commonest), test.y),
  };
}
