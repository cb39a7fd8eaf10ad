import {
  type ClassScores,
  type ExplainDocument,
  type HeldOut,
  hasLearnt,
  type ModelScores,
} from "@ratewise/core/explain";
import { triedOn } from "./held-out.ts";
import { type Html, html } from "./html.ts";
import { name, number } from "./number.ts";

/** In words a reader may rely on; the bounds are ours. Of classes they are those of the area under the ROC curve. */
export function verdict(heldOut: HeldOut, scores: ModelScores | null | undefined): string {
  if (scores?.metric === "logLoss") return ofClasses(scores);
  const { metric, score, baseline } = heldOut;
  const gain = metric === "r2" ? score : (score - baseline) / Math.max(1 - baseline, 1e-9);
  return verdictAt([0.8, 0.5, 0.2, 0.05].findIndex((least) => gain > least));
}

const VERDICTS = [
  "Yes: it predicts well.",
  "Fairly well.",
  "Only moderately: it leaves much unexplained.",
  "Poorly: it explains little.",
  "No: it has not learnt to predict this target, and the ranking means little.",
] as const;

/** −1 is the last. */
function verdictAt(place: number): string {
  return VERDICTS.at(place)!;
}

function ofClasses(scores: ClassScores): string {
  const { auc } = scores;
  if (!hasLearnt(scores) || auc === null) return verdictAt(-1);
  return verdictAt([0.9, 0.8, 0.7, Number.NEGATIVE_INFINITY].findIndex((least) => auc > least));
}

type Scored = Pick<ExplainDocument, "model" | "target"> & {
  /** Results of 0.1 have none. */
  readonly scores?: ModelScores;
};

export function howGood({ model, target, scores }: Scored): Html {
  const { heldOut } = model;
  return html`<strong>${verdict(heldOut, scores)}</strong> ${triedOn(model)} it ${measured(heldOut, scores, "model.heldOut", target)}`;
}

/** The scores in a sentence that begins with "it". `at`: where the score stands that every result has. */
/** Below this share the training rows' average says that the rows to test on are others. */
const WORSE = -0.05;

export function measured(
  heldOut: HeldOut,
  scores: ModelScores | null | undefined,
  at: string,
  target: string,
): Html {
  const { metric } = heldOut;
  const score = number(`${at}.score`, heldOut.score, "percent");
  const baseline = number(`${at}.baseline`, heldOut.baseline, "percent");
  if (metric === "r2")
    return html`explains ${score} of the differences in ${name(target)}${between(scores, "percent")}${scores?.metric === "r2" && html` and is off by ${number("scores.mae", scores.mae, "number")} on average`}. ${heldOut.baseline < WORSE ? html`The average of the rows it learnt from would do worse than nothing (${baseline}): these rows are different.` : html`Always predicting the average would explain almost nothing (${baseline}).`}`;
  return html`predicts the right class in ${score} of cases. Always predicting the commonest class is right in ${baseline}.${scores?.metric === "logLoss" && html` ${ofProbabilities(scores)}`}`;
}

/** The interval of the score, where it has one. */
function between(scores: ModelScores | null | undefined, as: "percent" | "share"): Html | false {
  if (!scores || scores.lower === null) return false;
  const { level, lower, upper } = scores;
  return html` (${number("scores.level", level, "level")} interval ${number("scores.lower", lower, as)} to ${number("scores.upper", upper, as)})`;
}

function ofProbabilities(scores: ClassScores): Html {
  const { auc, logLoss, baseline, balancedAccuracy, f1, f1Class } = scores;
  return html`${auc !== null && html`Its AUC is ${number("scores.auc", auc, "share")} (one half is guessing, one is perfect). `}Its log loss is ${number("scores.logLoss", logLoss, "share")}${between(scores, "share")}; the classes' shares alone have ${number("scores.baseline", baseline, "share")}. Its balanced accuracy is ${number("scores.balancedAccuracy", balancedAccuracy, "percent")}, its F₁ ${number("scores.f1", f1, "share")} (${f1Class === null ? "the mean over the classes" : html`for ${name(f1Class)}`}).`;
}
