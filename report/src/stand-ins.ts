import { type Html, html, listed } from "./html.ts";
import { name } from "./number.ts";
import type { Ranked } from "./ranked.ts";

const MOST_NAMED = 5;

/** Who is called a stand-in: the rule of core's `standIns`, in words. */
export const standInRule =
  "a RATE above the average of all variables, a direct share below that average and less than a quarter of its RATE, and a clear correlation with a variable that the model uses";

/** Who stands in for whom, who nearly does, and which columns repeat others. */
export function standInAnswer(document: Ranked): Html {
  const { variables, diagnostics } = document;
  if (variables.every(({ direct }) => direct === null))
    return html`Not known: this needs direct shares, which were not worked out.`;
  const found = variables.some(({ standInFor }) => standInFor !== null);
  const near = nearStandIns(document).map((text) => name(text));
  const note = diagnostics.find(({ code }) => code === "copies-near-originals");
  const repeats = ((note?.names ?? []) as readonly string[]).slice(0, MOST_NAMED).map(name);
  return html`${found ? standInList(document) : html`None by our rule: ${standInRule}.`}${near.length > 0 && html` ${listed(near)} ${near.length === 1 ? "comes" : "come"} near${found && " it too"}: RATE is more than twice the direct share.`}${repeats.length > 0 && html` ${listed(repeats)} can nearly be worked out from the other columns together, so ${repeats.length === 1 ? "its share" : "their shares"} could as well belong to those.`}`;
}

/** Variables whose RATE is more than twice their direct share and not small, but that the rule does not name. */
function nearStandIns({ variables }: Ranked): string[] {
  const average = 1 / variables.length;
  return variables
    .filter(
      ({ rate, direct, standInFor }) =>
        standInFor === null && direct !== null && rate! > average / 2 && rate! > 2 * direct.rate,
    )
    .sort((a, b) => b.rate! - a.rate!)
    .slice(0, MOST_NAMED)
    .map((variable) => variable.name);
}

export function standInList({ variables }: Ranked): Html {
  const pairs = variables.flatMap(({ name: text, standInFor }) =>
    standInFor === null ? [] : [html`${name(text)} stands in for ${name(standInFor)}`],
  );
  const shown = pairs.slice(0, MOST_NAMED);
  const more = pairs.length > shown.length ? "; more in the table" : "";
  return html`${listed(shown)}${more}. A stand-in goes along with the prediction only because it goes along with the other one.`;
}
