import type { Diagnostic } from "@ratewise/core";
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
  if (heldOut && !(heldOut.score - heldOut.baseline > SURE * heldOut.standardError))
    found.push({
      code: "no-better-than-baseline",
      message: `On the ${heldOut.rows} rows held back the network is not clearly better than ${heldOut.metric === "r2" ? "the mean" : "naming the commonest class"}: nothing shows that it has learnt what holds for other rows, and the ranking may be of noise.`,
      ...{ score: heldOut.score, baseline: heldOut.baseline },
    });
  if (fdr === null) return found;
  const tested =
    "The permutations test that no variable goes along with the response; a variable that stands in for another is no false discovery to them.";
  found.push(
    from.kind === "train"
      ? {
          code: "selected-after-training",
          message: `The network was trained on the responses of these same rows, and the permutations fit its last layer anew and nothing before it. So the p-values are too small, and the rate of false discoveries is not kept to ${fdr}: take the selection as a shortlist. For a rate that is kept, train on other rows and give --activations or --model, or use ratewise explain --select. ${tested}`,
          guaranteed: false,
        }
      : {
          code: "selected-given-network",
          message: `The rate of false discoveries is kept to ${fdr} if the network was trained on other rows than these, or on none; of one that has seen these responses the p-values are too small. ${tested}`,
          guaranteed: "if the network was not trained on these rows",
        },
  );
  return found;
}
