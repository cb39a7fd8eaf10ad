import type { HeldOut, ModelScores } from "@ratewise/core/explain";

/** How good a model is, as the end of a sentence: "it …". */
export function scoreText(scores: ModelScores): string {
  if (scores.metric === "r2") {
    const { r2, mae, lower, upper } = scores;
    if (!(r2 > 0)) return `explains nothing (R² ${r2.toFixed(2)})`;
    const range = lower === null ? "" : ` (${percent(lower)} to ${percent(upper!)})`;
    return `explains ${percent(r2)} of the variance${range} and is off by ${short(mae)} on average`;
  }
  const { accuracy, commonest, auc, logLoss, baseline } = scores;
  const area = auc === null ? "" : `, has AUC ${auc.toFixed(3)}`;
  return `is right in ${percent(accuracy)} of cases (always predicting the commonest class: ${percent(commonest)})${area} and log loss ${logLoss.toFixed(3)} (the classes' shares alone: ${baseline.toFixed(3)})`;
}

/** The same in a few terms. */
export function scoreTerms(scores: ModelScores | null | undefined, heldOut: HeldOut): string {
  const { metric, score, baseline } = heldOut;
  if (metric === "r2") return `R² ${score.toFixed(3)}`;
  const right = `accuracy ${score.toFixed(3)} (commonest class ${baseline.toFixed(3)})`;
  if (scores?.metric !== "logLoss") return right;
  const area = scores.auc === null ? "" : `, AUC ${scores.auc.toFixed(3)}`;
  return `${right}${area}, log loss ${scores.logLoss.toFixed(3)} (the classes' shares ${scores.baseline.toFixed(3)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** Three digits, in the unit of the target. */
function short(value: number): string {
  return `${Number(value.toPrecision(3))}`;
}
