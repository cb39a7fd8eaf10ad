import { accuracy, rSquared } from "../../evaluate/index.ts";
import { likeliestClasses } from "./model.ts";
import type { Unseen } from "./unseen.ts";

/** How good the model is on rows it never saw, by what they count, beside what needs no model. */
export interface HeldOut {
  readonly metric: "r2" | "accuracy";
  readonly score: number;
  /** R² 0 of predicting the mean, or the accuracy of always naming the commonest training class. */
  readonly baseline: number;
}

export function heldOutScore({ y, weights = null, prediction, naive }: Unseen): HeldOut {
  const { mean, probabilities } = prediction;
  if (mean)
    return {
      metric: "r2",
      score: rSquared(mean, y, weights),
      baseline: rSquared(naive, y, weights),
    };
  const named = (of: Float64Array) =>
    accuracy(likeliestClasses(of, of.length / y.length), y, weights);
  return { metric: "accuracy", score: named(probabilities!), baseline: named(naive) };
}
