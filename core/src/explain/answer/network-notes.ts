import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { hasLearnt, type ModelScores, type NumberScores } from "../fit/model-scores.ts";

/** A share of the variance below this is not worth explaining. */
const LEAST_GAIN = 0.05;
/** R² that no noisy response has. */
const OWN_OUTPUT = 0.9999;

/** What the score of a trained network on the rows given says of the network, or of the rows. */
export function networkNotes(scores: ModelScores | null): Diagnostic[] {
  if (!scores) return [];
  const { score, baseline } = scores;
  if (scores.metric === "r2" && score > OWN_OUTPUT) return [ownOutput(scores)];
  if (scores.metric === "r2" ? score > LEAST_GAIN : hasLearnt(scores)) return [];
  return [
    diagnostic(
      "model-predicts-poorly",
      scores.metric === "r2"
        ? `The network's own output explains almost nothing of this response (R² ${score.toFixed(2)}). Does it have the units, the order and the scale of the training data?`
        : `The network's probabilities are not convincingly better than the shares of the classes (log loss ${score.toFixed(3)} against ${baseline.toFixed(3)}). Do inputs and classes have the order and the scale of the training data?`,
      { score, baseline },
    ),
  ];
}

function ownOutput({ score }: NumberScores): Diagnostic {
  return diagnostic(
    "response-is-own-output",
    `The response equals what the network predicts (R² ${score.toFixed(4)}). Perhaps it is the network's own output? The noise then seems almost zero, and every effect almost certain. Give the response that was observed.`,
    { score },
  );
}
