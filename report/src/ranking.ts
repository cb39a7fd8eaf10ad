import { methodTable } from "@ratewise/core/explain";
import { importanceFigure } from "@ratewise/plots";
import { type Html, html } from "./html.ts";
import { name, number } from "./number.ts";
import { figure, pagePalette as palette, phoneWidth as width } from "./page.ts";
import { predictedBy } from "./predicted.ts";
import type { Ranked } from "./ranked.ts";
import { columnsFor } from "./ranking-columns.ts";
import { standInList, standInRule } from "./stand-ins.ts";
import { prediction } from "./what-matters.ts";

/** Rows printed; importance.csv has all of them. */
const MOST_ROWS = 1000;

/** Variables that the figure has room for. */
const DRAWN = 20;
const ALL = "All variables";

export function rankingSection(document: Ranked): Html {
  const { variables, target } = document;
  const both = variables.some(({ direct }) => direct !== null);
  const order = [...variables.keys()].sort((a, b) => variables[a].rank! - variables[b].rank!);
  const shown = order.slice(0, MOST_ROWS);
  const columns = columnsFor(document);
  const standIns = variables.some(({ standInFor }) => standInFor !== null);
  const drawn = { variables, target: target ?? "the output" };
  const leading = variables.length > DRAWN ? "The leading variables" : ALL;
  return html`<section aria-labelledby="ranking">
<h2 id="ranking">Which variables matter?</h2>
${both && html`<p>Two shares stand side by side, because they answer two questions. Each adds up to one hundred percent over all variables.</p>`}
<p><span class="rate">RATE</span>: ${methodTable.rate.asks}. It is high for the variables that the model uses and for everything that is correlated with them.</p>
${both && html`<p><span class="direct">Direct</span>: ${methodTable.gradient.asks}. It is low for a variable that merely moves with another one, and it also finds variables that matter only in combination.</p>`}
${figure("importance", importanceFigure(drawn, { palette }), both ? html`${leading} by RATE${leading !== ALL && ", and those that the model uses most"}. A long line means that the two questions have different answers. A variable with its ${html`<span class="rate">●</span>`} far to the right of its ${html`<span class="direct">◆</span>`} moves with the prediction more than the model uses it. The other way round, a variable works through others or in combination. A variable counts as a stand-in only with ${standInRule}.` : html`${leading} by RATE.`, importanceFigure(drawn, { palette, width }))}
${standIns && html`<p><strong>Stand-ins.</strong> ${standInList(document)}</p>`}
<div class="tools" data-for="variables" hidden><label for="search">Search by name</label> <input id="search" type="search"> <output for="search" aria-live="polite"></output></div>
<p class="swipe soft">The table is wider than this screen. Swipe it sideways.</p>
<div class="wide" tabindex="0" role="region" aria-label="All variables"><table class="ranking" id="variables">
<thead><tr>${columns.map(({ title, numeric, large }, at) => html`<th scope="col"${numeric && html` class="n"`}${large && html` data-first="descending"`}${at === 0 && html` aria-sort="ascending"`}><button type="button">${title}</button></th>`)}</tr></thead>
<tbody>
${shown.map((at) => html`<tr>${columns.map(({ cell, numeric }) => html`<td${numeric && html` class="n"`}>${cell(variables[at], at)}</td>`)}</tr>\n`)}</tbody></table></div>
${shown.length < variables.length && html`<p class="soft">The first rows; importance.csv has all ${number("variables.length", variables.length, "count")} variables.</p>`}
${guide(document)}
</section>`;
}

/** What the columns mean that not every run has. */
function guide(document: Ranked): Html {
  const { variables, shapes } = document;
  const asked = variables[0];
  const dependent = shapes.some(({ curves }) =>
    curves.some(({ shape }) => shape === "depends on others"),
  );
  return html`<p class="soft">${variables.some(({ mean }) => mean !== null) && html`<strong>effect</strong>: how much higher the prediction is, ${effectUnit(document)}, when the variable is one standard deviation higher and everything else differs as it usually does. RATE is computed from it. After ±: the standard deviation of that number (last layer only).`}${shapes.length > 0 && html` <strong>changed alone</strong>: what ${prediction(document)} does when this variable grows and nothing else changes, from the curves below. There are curves for the leading variables only.${dependent && " “depends on others”: it rises in some rows and falls in others."}`}</p>
${asked.rankInterval !== null && html`<p class="soft"><strong>rank interval</strong>: holds the rank with ninety percent probability. <strong>in the first …</strong>: the probability of being among the leading variables.</p>`}
${asked.selected !== null && html`<p class="soft"><strong>selected</strong>: ${asked.pValue === null ? "may be called a finding, with the guarantee below" : "stands out from permuted responses, with the guarantee stated below"}. <strong>q</strong>: the smallest false discovery rate at which it would be selected.${asked.pValue === null && " With knockoffs, q is never below one divided by the number of variables selected together. So if few variables matter, they have a high q, however strong they are."}</p>`}`;
}

/** What effects are measured in: those of numbers in the target's units, those of classes in log-odds. */
function effectUnit(document: Ranked): Html {
  const { kind, of, log } = predictedBy(document);
  if (log && of !== null)
    return html`in the logarithm of ${name(of)} (one tenth is about ten percent more)`;
  if (kind === "number") return of === null ? html`in its units` : html`in units of ${name(of)}`;
  return of === null ? html`in log-odds` : html`in log-odds of ${name(of)}`;
}
