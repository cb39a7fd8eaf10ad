import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import type { HeldOut } from "../fit/held-out.ts";

/** A gain over the baseline below this is not worth explaining. */
const LEAST_GAIN = 0.05;
/** R² that no noisy response has. */
const OWN_OUTPUT = 0.9999;

/** What the score of a trained network on the rows given says of the network, or of the rows. */
export function networkNotes(score: HeldOut | null): Diagnostic[] {
  if (!score) return [];
  const { metric, baseline } = score;
  if (metric === "r2" && score.score > OWN_OUTPUT) return [ownOutput(score)];
  if ((metric === "r2" ? score.score : score.score - baseline) > LEAST_GAIN) return [];
  return [
    diagnostic(
      "model-predicts-poorly",
      metric === "r2"
        ? `The network's own output explains almost nothing of this response (R² ${score.score.toFixed(2)}). Does it have the units, the order and the scale of the training data?`
        : `The network is hardly better than always predicting the commonest class (${(100 * score.score).toFixed(1)}% against ${(100 * baseline).toFixed(1)}%). Do inputs and classes have the order and the scale of the training data?`,
      { score: score.score, baseline },
    ),
  ];
}

function ownOutput({ score }: HeldOut): Diagnostic {
  return diagnostic(
    "response-is-own-output",
    `The response equals what the network predicts (R² ${score.toFixed(4)}). Perhaps it is the network's own output? The noise then seems almost zero, and every effect almost certain. Give the response that was observed.`,
    { score },
  );
}
