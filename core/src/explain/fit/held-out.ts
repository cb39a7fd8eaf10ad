import { accuracy, rSquared } from "../../evaluate/index.ts";
import { weightedMean } from "../../network/row-weights.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { likeliestClasses, type ModelParts, predictRows } from "./model.ts";

/** How good the model is on rows it never saw, by what they count, beside what needs no model. */
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
    const average = weightedMean(train.y, train.weights);
    const baseline = rSquared(new Float64Array(test.y.length).fill(average), test.y, test.weights);
    return { metric: "r2", score: rSquared(mean, test.y, test.weights), baseline };
  }
  const counts = new Float64Array(classes!.length);
  train.y.forEach((label, i) => {
    counts[label] += train.weights ? train.weights[i] : 1;
  });
  const commonest = counts.indexOf(Math.max(...counts));
  return {
    metric: "accuracy",
    score: accuracy(likeliestClasses(probabilities!, classes!.length), test.y, test.weights),
    baseline: accuracy(new Float64Array(test.y.length).fill(commonest), test.y, test.weights),
  };
}
