import type { Diagnostic } from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import { mention, say } from "@ratewise/core/words";
import type { HiddenLayer } from "./hidden.ts";
import type { StreamSettings } from "./settings.ts";

/** Standard errors by which a network has to be better than none. */
const SURE = 2;

/** What to keep in mind about a ranking because of where its hidden layer came from. */
export function cautions(
  { heldOut }: Pick<HiddenLayer, "heldOut">,
  { fdr, from }: Pick<StreamSettings, "fdr" | "from">,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (heldOut && !(heldOut.gain.value > SURE * heldOut.gain.standardError))
    found.push(
      diagnostic(
        "no-better-than-baseline",
        `On the ${heldOut.rows} rows held back the network is not clearly better than ${heldOut.metric === "r2" ? "the mean" : "the shares of the classes alone"}. Nothing shows that it learnt anything that holds for other rows, and the ranking may be noise.`,
        { score: heldOut.score, baseline: heldOut.baseline },
      ),
    );
  if (fdr === null) return found;
  const tested =
    "The null hypothesis of the permutations is that no variable moves with the response, so a stand-in for another variable is not a false discovery here.";
  found.push(
    from.kind === "train"
      ? diagnostic(
          "selected-after-training",
          say`The network was trained on the responses of these same rows, and the permutations refit only its last layer. So the p-values are too small, and the false discovery rate may exceed ${fdr}: treat the selection as a shortlist. For a valid rate, train on other rows and give ${mention("activations")} or ${mention("model")}, or use ratewise explain ${mention("select")}. ${tested}`,
          { guaranteed: false },
        )
      : diagnostic(
          "selected-given-network",
          `The false discovery rate is at most ${fdr} if the network was not trained on these rows. If it has seen these responses, the p-values are too small. ${tested}`,
          { guaranteed: "if the network was not trained on these rows" },
        ),
  );
  return found;
}
