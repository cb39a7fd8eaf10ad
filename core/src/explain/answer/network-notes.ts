import type { Diagnostic } from "../../diagnostic.ts";
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
    {
      code: "model-predicts-poorly",
      message:
        metric === "r2"
          ? `The network's own output explains next to nothing of this response (R² ${score.score.toFixed(2)}): is it in the units, the order and the scale that the network was trained with?`
          : `The network's own classes are hardly better than always naming the commonest (${(100 * score.score).toFixed(1)}% against ${(100 * baseline).toFixed(1)}%): are inputs and classes in the order and the scale that it was trained with?`,
      score: score.score,
      baseline,
    },
  ];
}

function ownOutput({ score }: HeldOut): Diagnostic {
  return {
    code: "response-is-own-output",
    message: `The response is what the network gives (R² ${score.toFixed(4)}): its own output, perhaps. The noise is then taken for next to nothing, and every effect for nearly certain. Give the response that was observed.`,
    score,
  };
}
