import type { CurveShape, Diagnostic, EffectShape, ExplainDocument, HeldOut } from "@ratewise/core";
import { type Html, html, listed } from "./html.ts";
import { name, number, words } from "./number.ts";
import { standInAnswer } from "./stand-ins.ts";

/** A result with ranked variables, of a model trained here or elsewhere. */
export interface Ranked extends Pick<ExplainDocument, "variables" | "groups" | "diagnostics"> {
  /** Null for a network whose response was not given. */
  readonly target: string | null;
}

/** The page's first screen: the questions a reader has, each with its answer. */
export function shortAnswer(
  document: Ranked & { readonly shapes: readonly EffectShape[] },
  sure: Html,
  good: Html,
): Html {
  return html`<dl class="answers">
<dt>What matters</dt><dd>${whatMatters(document)}${whichWay(document)}</dd>
<dt>How sure</dt><dd>${sure}</dd>
<dt>Is the model good</dt><dd>${good}</dd>
<dt>Stand-ins</dt><dd>${standInAnswer(document)}</dd>
<dt>Beware</dt><dd>${beware(document)}</dd>
</dl>`;
}

const MOST_NAMED = 5;
/** Named at all: the first variables until they make up this share, and none below the other. */
const ENOUGH = 0.9;
const LEAST = 0.01;

/** The leading variables by either importance, and how many it takes to make up most of the whole. */
function whatMatters({ variables, target }: Ranked): Html {
  const used = leaders(variables.map(({ direct }) => direct?.rate ?? 0));
  const along = leaders(variables.map(({ rate }) => rate ?? 0));
  const asked = variables.some(({ direct }) => direct !== null);
  if (used.length === 0 && (asked || along.length === 0))
    return html`Nothing: the model found no variable worth using.`;
  const byDirect = used.map(
    (at) =>
      html`${name(variables[at].name)} (${number(`variables.${at}.direct.rate`, variables[at].direct!.rate, "percent")})`,
  );
  const byRate = along.map(
    (at) =>
      html`${name(variables[at].name)} (${number(`variables.${at}.rate`, variables[at].rate, "percent")})`,
  );
  const first =
    used.length > 0 &&
    html`To predict ${subject(target)} the model uses above all ${listed(byDirect)}; in brackets, the share of all that it uses (<span class="direct">direct</span>). `;
  return html`${first}What it predicts goes along most with ${listed(byRate)} (<span class="marginal">RATE</span>).`;
}

/** What the prediction does when one of the leading variables alone grows, in the order of their direct shares. */
function whichWay({ variables, shapes }: Parameters<typeof shortAnswer>[0]): Html {
  const used = leaders(variables.map(({ direct }) => direct?.rate ?? 0));
  const byShape = (wanted: CurveShape) =>
    used
      .map((at) => shapes.find((shape) => shape.name === variables[at].name))
      .filter((shape) => shape?.curves.length === 1 && shape.curves[0].shape === wanted)
      .map((shape) => name(shape!.name));
  const ways = (["rises", "falls"] as const)
    .map((shape) => ({ shape, names: byShape(shape) }))
    .filter(({ names }) => names.length > 0)
    .map(({ shape, names }) => html`${shape} with ${listed(names)}`);
  return ways.length === 0
    ? html``
    : html` When one of them alone grows, the prediction ${listed(ways)}.`;
}

/** What is predicted, in a sentence. */
export function subject(target: string | null): Html {
  return target === null ? html`its output` : name(target);
}

function leaders(shares: readonly number[]): number[] {
  const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]);
  const named: number[] = [];
  let sum = 0;
  for (const at of order) {
    if (shares[at] === 0) break;
    if (named.length >= 2 && (named.length === MOST_NAMED || sum > ENOUGH || shares[at] < LEAST))
      break;
    named.push(at);
    sum += shares[at];
  }
  return named;
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
  const ranks = first.length > 0 && html`Nine times in ten, by RATE, ${listed(first)}.`;
  const selection = note >= 0 && selectionAnswer(diagnostics[note], `diagnostics.${note}`);
  if (ranks || selection) return html`${selection} ${ranks}`;
  return html`This run did not ask: it ranks, it does not test. <code>--stability</code> says how firm the ranks are, <code>--select fdr=0.1</code> which variables may be called findings.`;
}

/** How many are findings, or that none could be. */
function selectionAnswer({ selected, fdr, fewest, outOfReach }: Diagnostic, from: string): Html {
  const rate = number(`${from}.fdr`, fdr as number, "level");
  if (outOfReach)
    return html`<strong>Not tested in effect:</strong> a false discovery rate of ${rate} cannot be reached with so few variables, since by knockoffs it needs at least ${number(`${from}.fewest`, fewest as number, "count")} selected. That none is selected says nothing about any of them; see <a href="#cautions">what to ask instead</a>.`;
  return html`${number(`${from}.selected`, selected as number, "count")} variables were selected as findings, at a false discovery rate of ${rate}.`;
}

/** In words a reader may rely on; the bounds are ours. */
export function verdict({ metric, score, baseline }: HeldOut): string {
  const gain = metric === "r2" ? score : (score - baseline) / Math.max(1 - baseline, 1e-9);
  if (gain > 0.8) return "Yes: it predicts well.";
  if (gain > 0.5) return "Fairly.";
  if (gain > 0.2) return "Moderately: much is left unexplained.";
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
      ? html`On ${unseen} rows it had never seen it explains ${score} of the differences in ${name(target)}; always answering with the average would explain about nothing (${baseline}).`
      : html`On ${unseen} rows it had never seen it names the right class in ${score} of the cases; always naming the commonest class is right in ${baseline}.`;
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
          ? "so it is surer of itself than it should be"
          : "so it is more careful than it needs to be";
    const range = [low, high].map((share, end) =>
      number(`calibration.intervals.${at}.between.${end}`, share, "percent"),
    );
    return html`Its ${number(`calibration.intervals.${at}.level`, level, "level")} intervals held the value in ${number(`calibration.intervals.${at}.covered`, covered, "percent")} of those rows (of all such rows, it may be between ${range[0]} and ${range[1]}), ${judged}. That is about its predictions, not about the importances.`;
  }
  const { error } = probabilities!;
  const judged = error <= 0.05 ? "can be taken at their word" : "are to be taken with care";
  return html`Its probabilities are off by ${number("calibration.probabilities.error", error, "percent")} on average: they ${judged}.`;
}

function beware({ diagnostics }: Ranked): Html {
  const serious = diagnostics
    .map((diagnostic, at) => ({ diagnostic, at }))
    .filter(({ diagnostic: { code } }) => seriousCodes.has(code))
    .map(({ diagnostic, at }) => words(`diagnostics.${at}.message`, diagnostic.message));
  return html`${serious.map((message) => html`${message} `)}Importance is not cause: a variable can matter to the model without changing anything in the world. See <a href="#cautions">what to keep in mind</a>.`;
}

/** About the model itself: said before all else. */
export const seriousCodes: ReadonlySet<string> = new Set([
  "model-predicts-poorly",
  "few-held-out-rows",
  "model-predicts-perfectly",
  "response-is-own-output",
]);
