import type { EffectShape, ExplainedVariable } from "@ratewise/core";
import { importanceFigure } from "@ratewise/plots";
import { type Ranked, standInList } from "./answer.ts";
import { type Html, html } from "./html.ts";
import { name, number } from "./number.ts";
import { figure, pagePalette as palette } from "./page.ts";

/** Rows printed; importance.csv has all of them. */
const MOST_ROWS = 1000;

/** A column of the table: its heading, its cell, and whether a first click puts large values on top. */
interface TableColumn {
  readonly title: string;
  readonly cell: (variable: ExplainedVariable, at: number) => Html;
  readonly numeric?: boolean;
  readonly large?: boolean;
}

/** What the table is made from; a network that was trained elsewhere has no shapes. */
export interface RankedShapes extends Ranked {
  readonly shapes: readonly EffectShape[];
}

export function rankingSection(document: RankedShapes): Html {
  const { variables, target } = document;
  const both = variables.some(({ direct }) => direct !== null);
  const order = [...variables.keys()].sort((a, b) => variables[a].rank! - variables[b].rank!);
  const shown = order.slice(0, MOST_ROWS);
  const columns = columnsFor(document);
  const standIns = variables.some(({ standInFor }) => standInFor !== null);
  return html`<section aria-labelledby="ranking">
<h2 id="ranking">Which variables matter?</h2>
${both && html`<p>Two shares stand side by side, because they answer two questions. Each adds up to the whole over all variables.</p>`}
<p><span class="marginal">RATE</span> asks: does the variable go along with what the model predicts? It is high for causes and for everything that is correlated with them.</p>
${both && html`<p><span class="direct">Direct</span> asks: does the model use the variable itself? It is low for a variable that merely goes along with another one, and it sees variables that matter only in combination.</p>`}
${figure("importance", importanceFigure({ variables, target: target ?? "the output" }, { palette }), both ? html`The leading variables by RATE, and those that the model uses most. A long line means that the two questions have different answers: a ${html`<span class="marginal">●</span>`} far to the right of its ${html`<span class="direct">◆</span>`} may be a stand-in, the other way round a variable that works through others or in combination.` : html`The leading variables by RATE.`)}
${standIns && html`<p><strong>Stand-ins.</strong> ${standInList(document)}</p>`}
<div class="tools" data-for="variables" hidden><label for="search">Search the table</label> <input id="search" type="search"> <output for="search" aria-live="polite"></output></div>
<div class="wide" tabindex="0" role="region" aria-label="All variables"><table class="ranking" id="variables">
<thead><tr>${columns.map(({ title, numeric, large }, at) => html`<th scope="col"${numeric && html` class="n"`}${large && html` data-first="descending"`}${at === 0 && html` aria-sort="ascending"`}><button type="button">${title}</button></th>`)}</tr></thead>
<tbody>
${shown.map((at) => html`<tr>${columns.map(({ cell, numeric }) => html`<td${numeric && html` class="n"`}>${cell(variables[at], at)}</td>`)}</tr>\n`)}</tbody></table></div>
${shown.length < variables.length && html`<p class="soft">The first rows; importance.csv has all ${number("variables.length", variables.length, "count")} variables.</p>`}
${guide(document)}
</section>`;
}

function columnsFor({ variables, shapes }: RankedShapes): TableColumn[] {
  const any = (holds: (variable: ExplainedVariable) => boolean) => variables.some(holds);
  const most = Math.max(...variables.map(({ rate }) => rate ?? 0), 1e-12);
  const mostDirect = Math.max(...variables.map(({ direct }) => direct?.rate ?? 0), 1e-12);
  const directions = new Map(shapes.map((shape) => [shape.name, direction(shape)]));
  const columns: (TableColumn | false)[] = [
    {
      title: "rank",
      numeric: true,
      cell: ({ rank }, at) => number(`variables.${at}.rank`, rank, "count"),
    },
    { title: "variable", cell: (variable) => name(variable.name) },
    {
      title: "RATE",
      numeric: true,
      large: true,
      cell: ({ rate }, at) =>
        html`${bar((rate ?? 0) / most, "")}${number(`variables.${at}.rate`, rate, "percent")}`,
    },
    any(({ direct }) => direct !== null) && {
      title: "direct",
      numeric: true,
      large: true,
      cell: ({ direct }, at) =>
        html`${bar((direct?.rate ?? 0) / mostDirect, " direct")}${number(`variables.${at}.direct.rate`, direct?.rate ?? null, "percent")}`,
    },
    any(({ direct }) => direct !== null) && {
      title: "direct rank",
      numeric: true,
      cell: ({ direct }, at) =>
        number(`variables.${at}.direct.rank`, direct?.rank ?? null, "count"),
    },
    any(({ standInFor }) => standInFor !== null) && {
      title: "stands in for",
      cell: ({ standInFor }) => (standInFor === null ? html`` : name(standInFor)),
    },
    shapes.length > 0 && {
      title: "direction",
      cell: (variable) => html`${directions.get(variable.name) ?? ""}`,
    },
    any(({ rankInterval }) => rankInterval !== null) && {
      title: "rank interval",
      numeric: true,
      cell: ({ rankInterval }, at) =>
        rankInterval === null
          ? html``
          : html`${number(`variables.${at}.rankInterval.0`, rankInterval[0], "count")} to ${number(`variables.${at}.rankInterval.1`, rankInterval[1], "count")}`,
    },
    any(({ topK }) => topK !== null) && {
      title: "in the first",
      numeric: true,
      large: true,
      cell: ({ topK }, at) => number(`variables.${at}.topK`, topK, "percent"),
    },
    any(({ selected }) => selected !== null) && {
      title: "selected",
      cell: ({ selected }) => html`${selected === null ? "" : selected ? "yes" : "no"}`,
    },
    any(({ pValue }) => pValue !== null) && {
      title: "p",
      numeric: true,
      cell: ({ pValue }, at) => number(`variables.${at}.pValue`, pValue, "small"),
    },
    any(({ qValue }) => qValue !== null) && {
      title: "q",
      numeric: true,
      cell: ({ qValue }, at) => number(`variables.${at}.qValue`, qValue, "small"),
    },
  ];
  return columns.filter((column) => column !== false);
}

/** In a word, where there is one curve and an order to its values. */
function direction({ kind, curves }: EffectShape): string {
  if (kind === "category") return "differs by level";
  return curves.length === 1 ? curves[0].shape! : "see below";
}

/** A bar of up to four letters' width; the number beside it says the same. */
function bar(share: number, kind: string): Html {
  return html`<span class="bar${kind}" aria-hidden="true" style="width:${(4 * Math.max(0, share)).toFixed(2)}em"></span>`;
}

/** What the columns mean that not every run has. */
function guide({ variables }: Ranked): Html {
  const asked = variables[0];
  return html`${asked.rankInterval !== null && html`<p class="soft"><strong>rank interval</strong>: nine times in ten the rank lies there. <strong>in the first</strong>: the chance to be among the leading variables.</p>`}
${asked.selected !== null && html`<p class="soft"><strong>selected</strong>: may be called a finding, with the guarantee below. <strong>q</strong>: the false discovery rate at which it would just be selected.</p>`}`;
}
