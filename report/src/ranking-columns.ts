import { diagnosticOf } from "@ratewise/core/diagnostic";
import type { EffectShape, ExplainedVariable } from "@ratewise/core/explain";
import { type Html, html } from "./html.ts";
import { name, number } from "./number.ts";
import type { Ranked } from "./ranked.ts";

/** A column of the table: its heading, its cell, and whether a first click puts large values on top. */
interface TableColumn {
  readonly title: Html | string;
  readonly cell: (variable: ExplainedVariable, at: number) => Html;
  readonly numeric?: boolean;
  readonly large?: boolean;
}

export function columnsFor({ variables, shapes, diagnostics }: Ranked): TableColumn[] {
  const any = (holds: (variable: ExplainedVariable) => boolean) => variables.some(holds);
  const most = Math.max(...variables.map(({ rate }) => rate ?? 0), 1e-12);
  const mostDirect = Math.max(...variables.map(({ direct }) => direct?.rate ?? 0), 1e-12);
  const directions = new Map(shapes.map((shape) => [shape.name, direction(shape)]));
  const opposite = new Set(oppositeNames(diagnostics));
  const top = diagnostics.findIndex(({ code }) => code === "stability");
  const stability = diagnosticOf(diagnostics, "stability");
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
    any(({ mean }) => mean !== null) && {
      title: "effect",
      numeric: true,
      large: true,
      cell: ({ mean, sd }, at) =>
        mean === null
          ? number("", null, "signed")
          : html`${number(`variables.${at}.mean`, mean, "signed")} ± ${number(`variables.${at}.sd`, sd, "short")}`,
    },
    shapes.length > 0 && {
      title: "changed alone",
      cell: ({ name: text }) =>
        html`${directions.get(text) ?? html`<span class="none">not drawn</span>`}${opposite.has(text) && " (opposite)"}`,
    },
    any(({ rankInterval }) => rankInterval !== null) && {
      title: "rank interval",
      numeric: true,
      cell: ({ rankInterval }, at) =>
        rankInterval === null
          ? html``
          : html`${number(`variables.${at}.rankInterval.0`, rankInterval[0], "count")}–${number(`variables.${at}.rankInterval.1`, rankInterval[1], "count")}`,
    },
    any(({ topK }) => topK !== null) && {
      title: html`in the first${stability && html` ${number(`diagnostics.${top}.top`, stability.top, "count")}`}`,
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

/** A bar of up to three letters' width; the number beside it says the same. */
function bar(share: number, kind: string): Html {
  return html`<span class="bar${kind}" aria-hidden="true" style="width:${(3 * Math.max(0, share)).toFixed(2)}em"></span>`;
}

/** Variables whose curve goes against their effect, as the run found them. */
export function oppositeNames(diagnostics: Ranked["diagnostics"]): readonly string[] {
  return diagnosticOf(diagnostics, "opposite-signs")?.names ?? [];
}
