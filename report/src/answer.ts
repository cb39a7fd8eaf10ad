import { type Diagnostic, diagnosticOf, severityOf } from "@ratewise/core/diagnostic";
import type { ExplainDocument } from "@ratewise/core/explain";
import { clause, mention, type OptionText, say } from "@ratewise/core/words";
import { type Html, html, listed } from "./html.ts";
import { counted, name, number, words } from "./number.ts";
import type { Ranked } from "./ranked.ts";
import { spoken } from "./spoken.ts";
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

export function howSure({ variables, diagnostics }: Ranked, optionText?: OptionText): Html {
  const note = diagnostics.findIndex(({ code }) => code === "selection");
  const found = diagnosticOf(diagnostics, "selection");
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
  const ranks =
    first.length > 0 && html`With ninety percent probability, by RATE, ${listed(first)}.`;
  const selection = found && selectionAnswer(found, `diagnostics.${note}`);
  if (ranks || selection) return html`${selection} ${ranks}`;
  const asked = say`Not asked: this run ranks, it does not test.${clause` ${mention("stability")} says how stable the ranks are; ${mention("select", { fdr: 0.1 })} says which variables you may call findings.`}`;
  return spoken(asked, optionText);
}

/** How many are findings, or that none could be. */
function selectionAnswer(
  { by, selected, fdr, fewest, outOfReach }: Diagnostic<"selection">,
  from: string,
): Html {
  const rate = number(`${from}.fdr`, fdr, "level");
  if (outOfReach)
    return html`<strong>Could not be tested:</strong> a false discovery rate of ${rate} is out of reach with so few variables, because knockoffs must select at least ${number(`${from}.fewest`, fewest ?? null, "count")}. So an empty selection tells you nothing about them; see <a href="#cautions">what to ask instead</a>.`;
  if (by === "permutation") {
    const above = counted(`${from}.selected`, selected, "variable stands", "variables stand");
    return html`${above} out from permuted responses at a rate of ${rate}. This tests whether anything matters, not single variables (see <a href="#selection">what is guaranteed</a>).`;
  }
  const found = counted(
    `${from}.selected`,
    selected,
    "variable was selected as a finding",
    "variables were selected as findings",
  );
  return html`${found}, at a false discovery rate of ${rate}.`;
}

/** Whether its stated uncertainty can be believed. */
export function howHonest({ calibration, diagnostics }: ExplainDocument): Html {
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
  const { error, test } = probabilities!;
  const off = html`Its probabilities are off by ${number("calibration.probabilities.error", error, "percent")} on average`;
  // Results of 0.1 have no test.
  if (!test)
    return html`${off}: they ${error <= 0.05 ? "can be taken at their word" : "need to be read with care"}.`;
  const found = number("calibration.probabilities.test.pValue", test.pValue, "small");
  return test.pValue < 0.05
    ? html`${off}, more than chance allows (p = ${found}): they need to be read with care.`
    : diagnosticOf(diagnostics, "rows-weighted")
      ? html`${off}, no more than chance allows (p = ${found}), on rows that count as their weights say. In the table itself the classes may come more or less often.`
      : html`${off}, no more than chance allows (p = ${found}): nothing speaks against taking them at their word.`;
}

function beware({ diagnostics }: Ranked): Html {
  const serious = diagnostics
    .map((diagnostic, at) => ({ diagnostic, at }))
    .filter(({ diagnostic: { code } }) => severityOf({ code }) === "serious")
    .map(({ diagnostic, at }) => words(`diagnostics.${at}.message`, diagnostic.message));
  return html`${serious.map((message) => html`${message} `)}Importance is not cause. A variable can matter to the model and change nothing in the world. See <a href="#cautions">what to keep in mind</a>.`;
}
