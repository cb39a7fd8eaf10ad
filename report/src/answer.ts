import type { Diagnostic } from "@ratewise/core";
import type { ExplainDocument, HeldOut } from "@ratewise/core/explain";
import { type Html, html, listed } from "./html.ts";
import { counted, name, number, words } from "./number.ts";
import type { Ranked } from "./ranked.ts";
import { standInAnswer } from "./stand-ins.ts";
import { whatMatters, whichWay } from "./what-matters.ts";

/** The page's first screen: the questions a reader has, each with its answer. */
export function shortAnswer(document: Ranked, sure: Html, good: Html): Html {
  return html`<dl class="answers">
<dt>What matters</dt><dd>${whatMatters(document)}${whichWay(document)}</dd>
<dt>How sure</dt><dd>${sure}</dd>
<dt>Is the model good</dt><dd>${good}</dd>
<dt>Stand-ins</dt><dd>${standInAnswer(document)}</dd>
<dt>Beware</dt><dd>${beware(document)}</dd>
</dl>`;
}

export function howSure({ variables, diagnostics }: Ranked): Html {
  const note = diagnostics.findIndex(({ code }) => code === "selection");
  const first = variables
    .map((variable, at) => ({ variable, at }))
    .filter(({ variable }) => variable.rankInterval !== null)
    .sort((a, b) => a.variable.rank! - b.variable.rank!)
    .slice(0, 3)
    .map(({ variable: { name: text, rankInterval }, at }) => {
      const [low, high] = rankInterval!.map((rank, end) =>
        number(`variables.${at}.rankInterval.${end}`, rank, "count"),
      );
      return rankInterval![0] === rankInterval![1]
        ? html`${name(text)} has rank ${low}`
        : html`${name(text)} has rank ${low} to ${high}`;
    });
  const ranks = first.length > 0 && html`With 90% probability, by RATE, ${listed(first)}.`;
  const selection = note >= 0 && selectionAnswer(diagnostics[note], `diagnostics.${note}`);
  if (ranks || selection) return html`${selection} ${ranks}`;
  return html`Not asked: this run ranks, it does not test. <code>--stability</code> says how stable the ranks are; <code>--select fdr=0.1</code> says which variables you may call findings.`;
}

/** How many are findings, or that none could be. */
function selectionAnswer(
  { by, selected, fdr, fewest, outOfReach }: Diagnostic,
  from: string,
): Html {
  const rate = number(`${from}.fdr`, fdr as number, "level");
  if (outOfReach)
    return html`<strong>Could not be tested:</strong> a false discovery rate of ${rate} is out of reach with so few variables, because knockoffs must select at least ${number(`${from}.fewest`, fewest as number, "count")}. So an empty selection tells you nothing about them; see <a href="#cautions">what to ask instead</a>.`;
  if (by === "permutation") {
    const above = counted(
      `${from}.selected`,
      selected as number,
      "variable stands",
      "variables stand",
    );
    return html`${above} out from permuted responses at a rate of ${rate}. This tests whether anything matters, not single variables (see <a href="#selection">what is guaranteed</a>).`;
  }
  const found = counted(
    `${from}.selected`,
    selected as number,
    "variable was selected as a finding",
    "variables were selected as findings",
  );
  return html`${found}, at a false discovery rate of ${rate}.`;
}

/** In words a reader may rely on; the bounds are ours. */
export function verdict({ metric, score, baseline }: HeldOut): string {
  const gain = metric === "r2" ? score : (score - baseline) / Math.max(1 - baseline, 1e-9);
  if (gain > 0.8) return "Yes: it predicts well.";
  if (gain > 0.5) return "Fairly well.";
  if (gain > 0.2) return "Only moderately: it leaves much unexplained.";
  if (gain > 0.05) return "Poorly: it explains little.";
  return "No: it has not learnt to predict this target, and the ranking means little.";
}

export function howGood({ model, target }: Pick<ExplainDocument, "model" | "target">): Html {
  const { heldOut, rows } = model;
  const score = number("model.heldOut.score", heldOut.score, "percent");
  const baseline = number("model.heldOut.baseline", heldOut.baseline, "percent");
  const unseen = number("model.rows.test", rows.test, "count");
  const measured =
    heldOut.metric === "r2"
      ? html`On ${unseen} rows it never saw, it explains ${score} of the differences in ${name(target)}. Always predicting the average would explain almost nothing (${baseline}).`
      : html`On ${unseen} rows it never saw, it predicts the right class in ${score} of cases. Always predicting the commonest class is right in ${baseline}.`;
  return html`<strong>${verdict(heldOut)}</strong> ${measured}`;
}

/** Whether its stated uncertainty can be believed. */
export function howHonest({ calibration }: ExplainDocument): Html {
  const { intervals, probabilities } = calibration;
  if (intervals) {
    const at = intervals.findIndex(({ level }) => level === 0.9);
    const { level, covered, between } = intervals[at];
    const [low, high] = between;
    const judged =
      low <= level && level <= high
        ? "which agrees with what they promise"
        : covered < level
          ? "so it is more certain than it should be"
          : "so it is more cautious than it needs to be";
    const range = [low, high].map((share, end) =>
      number(`calibration.intervals.${at}.between.${end}`, share, "percent"),
    );
    return html`Its ${number(`calibration.intervals.${at}.level`, level, "level")} intervals held the true value in ${number(`calibration.intervals.${at}.covered`, covered, "percent")} of those rows (for all such rows, between ${range[0]} and ${range[1]}), ${judged}. This is about its predictions, not about the importances.`;
  }
  const { error } = probabilities!;
  const judged = error <= 0.05 ? "can be taken at their word" : "need to be read with care";
  return html`Its probabilities are off by ${number("calibration.probabilities.error", error, "percent")} on average: they ${judged}.`;
}

function beware({ diagnostics }: Ranked): Html {
  const serious = diagnostics
    .map((diagnostic, at) => ({ diagnostic, at }))
    .filter(({ diagnostic: { code } }) => seriousCodes.has(code))
    .map(({ diagnostic, at }) => words(`diagnostics.${at}.message`, diagnostic.message));
  return html`${serious.map((message) => html`${message} `)}Importance is not cause. A variable can matter to the model and change nothing in the world. See <a href="#cautions">what to keep in mind</a>.`;
}

/** About the model itself: said before all else. */
export const seriousCodes: ReadonlySet<string> = new Set([
  "model-predicts-poorly",
  "few-held-out-rows",
  "model-predicts-perfectly",
  "response-is-own-output",
]);
