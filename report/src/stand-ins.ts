import { type Diagnostic, diagnosticOf } from "@ratewise/core/diagnostic";
import { type Html, html, listed } from "./html.ts";
import { name, number } from "./number.ts";
import type { Ranked } from "./ranked.ts";

const MOST_NAMED = 5;

/** Who is called a stand-in: the rule of core's `standIns`, in words. */
export const standInRule =
  "a RATE above the average of all variables, a direct share below that average and less than a quarter of its RATE, and a correlation of one half or more with a variable that the model uses";

/** Who stands in for whom, who nearly does, and which columns repeat others. */
export function standInAnswer(document: Ranked): Html {
  const { variables, diagnostics } = document;
  if (variables.every(({ direct }) => direct === null))
    return html`Not known: this needs direct shares, which were not computed.`;
  const found = variables.some(({ standInFor }) => standInFor !== null);
  const near = pairsOf(diagnostics, "near-stand-ins").map(
    ({ told, of }) => html`${told} for ${of}`,
  );
  const note = diagnosticOf(diagnostics, "copies-near-originals");
  const repeats = (note?.names ?? []).slice(0, MOST_NAMED).map(name);
  return html`${found ? standInList(document) : html`None. A stand-in would have ${standInRule}.`}${near.length > 0 && html` Close to it: ${listed(near)}, with a RATE of more than twice the direct share.`}${repeats.length > 0 && html` ${repeats.length === 1 ? "The column" : "The columns"} ${listed(repeats)} can almost be computed from the other columns, so ${repeats.length === 1 ? "its share" : "their shares"} could just as well belong to those.`}`;
}

interface Pair {
  readonly told: Html;
  /** The variable that the model uses, with the correlation of the two. */
  readonly of: Html;
}

/** The first pairs of a note about stand-ins, those of the largest RATE first. */
function pairsOf(
  diagnostics: readonly Diagnostic[],
  wanted: "stand-ins" | "near-stand-ins",
): Pair[] {
  const note = diagnosticOf(diagnostics, wanted);
  if (!note) return [];
  const at = diagnostics.indexOf(note);
  const { names, for: others, correlations } = note;
  return names.slice(0, MOST_NAMED).map((text, pair) => ({
    told: name(text),
    of: html`${name(others[pair])} (correlation ${number(`diagnostics.${at}.correlations.${pair}`, correlations[pair], "correlation")})`,
  }));
}

export function standInList({ variables, diagnostics }: Ranked): Html {
  const pairs = pairsOf(diagnostics, "stand-ins").map(
    ({ told, of }) => html`${told} stands in for ${of}`,
  );
  const all = variables.filter(({ standInFor }) => standInFor !== null).length;
  const more = all > pairs.length ? ", and more in the table" : "";
  return html`${listed(pairs)}${more}. A stand-in moves with the prediction only because it moves with the other variable.`;
}
