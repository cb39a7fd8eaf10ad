import type { Diagnostic } from "@ratewise/core";
import {
  type CompareDocument,
  type ComparedMethod,
  type ComparedRow,
  methodTitle,
} from "@ratewise/core/explain";
import type { Io } from "../io.ts";
import { displayWidth, fit, pad, printable, wrap } from "./printable.ts";
import { scoreTerms } from "./score-text.ts";
import { triedOn } from "./split-text.ts";

const TOP = 15;
const LONGEST_NAME = 24;

/** A comparison for people: the ranks side by side, the shuffle test, agreement, and what to be careful about. */
export function compareText(document: CompareDocument, io: Io): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  const { target, task, model, variables, groups, methods } = document;
  const { heldOut, rows, split } = model;
  const parts = [
    wrap(
      `${printable(target)} (${task}) from ${variables.length} variables, ${methods.length} ${methods.length === 1 ? "method" : "methods"} on one network trained on ${rows.train} rows. ${triedOn(split, rows.test)}: ${scoreTerms(document.scores, heldOut)}.`,
      width,
    ),
    rankTable("variable", variables, document, width),
  ];
  if (groups.length > 0) parts.push(rankTable("group", groups, document, width));
  parts.push(...comparisonParts(document, width));
  const cautions = notes(document.diagnostics, width);
  if (cautions.length > 0) parts.push(["To keep in mind:", ...cautions].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** Which ranking the model bears out, and how far the methods agree: what an explanation says of them when asked. */
export function comparisonText(document: CompareDocument, io: Io): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  // What is said of the model itself stands in the explanation.
  const cautions = notes(
    document.diagnostics.filter(({ method }) => method !== undefined),
    width,
  );
  const parts = [
    ...comparisonParts(document, width),
    ...(cautions.length > 0 ? [cautions.join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function comparisonParts(document: CompareDocument, width: number): string[] {
  return [
    methodTable(document),
    wrap(shuffleNote(document), width),
    spearmanTable(document, width),
  ];
}

function notes(diagnostics: readonly Diagnostic[], width: number): string[] {
  return diagnostics.map(({ message }) => wrap(`- ${printable(message)}`, width, "  "));
}

/** The number of a method in the list of them: what stands for it where names would make a table too wide. */
function titles(
  { methods }: CompareDocument,
  first: number,
  least: number,
  width: number,
): string[] {
  const names = methods.map(({ name }) => methodTitle(name));
  const room = first + names.reduce((sum, name) => sum + 2 + Math.max(least, name.length), 0);
  return room <= width ? names : names.map((_, m) => `(${m + 1})`);
}

/** Ranks by every method, ordered by the mean of them. */
function rankTable(
  what: string,
  rows: readonly ComparedRow[],
  document: CompareDocument,
  width: number,
): string {
  const { methods } = document;
  const mean = (row: ComparedRow): number =>
    methods.reduce((sum, { name }) => sum + (row.ranks[name] ?? 0), 0) / methods.length;
  const best = [...rows].sort((a, b) => mean(a) - mean(b)).slice(0, TOP);
  const more = rows.length - best.length;
  return [
    ...table(
      [what, ...titles(document, LONGEST_NAME, 1, width)],
      best.map((row) => [
        fit(printable(row.name), LONGEST_NAME),
        ...methods.map(({ name }) => `${row.ranks[name] ?? "–"}`),
      ]),
    ),
    ...(more > 0 ? [`… and ${more} more (--json or --out has all)`] : []),
  ].join("\n");
}

/** One line per method, the lowest curve first. */
function methodTable({ methods, shuffle }: CompareDocument): string {
  const about = new Map(methods.map((method) => [method.name as string, method]));
  const found = new Set<string>(shuffle.curves.map(({ name }) => name));
  const nothing = methods.filter(({ name }) => !found.has(name));
  const rows = [
    ...[...shuffle.curves].sort((a, b) => a.area - b.area),
    ...nothing.map(noCurve),
  ].map(({ name, area, areaStandardError }) => {
    const method = about.get(name);
    return [
      method ? `(${methods.indexOf(method) + 1}) ${methodTitle(name)}` : `    ${name}`,
      method?.of ?? "",
      area === null ? "–" : fixed(area, 3),
      areaStandardError === null ? "" : fixed(areaStandardError, 3),
      typeof method?.mimicScore === "number" ? fixed(method.mimicScore, 3) : "",
      typeof method?.seconds === "number" ? method.seconds.toFixed(2) : "",
    ];
  });
  const head = ["shuffle test", "of", "mean score", "± se", "mimic R²", "seconds"];
  // Within an explanation nobody holds a clock.
  const timed = methods.some(({ seconds }) => seconds !== null);
  const shown = timed ? rows : rows.map((row) => row.slice(0, -1));
  return table(timed ? head : head.slice(0, -1), shown).join("\n");
}

/** A method that ranks nothing: it has seconds and a mimic, but no order to shuffle in. */
function noCurve({ name }: ComparedMethod): { name: string; area: null; areaStandardError: null } {
  return { name, area: null, areaStandardError: null };
}

/** Without the sign of a zero: −0.001 to two digits is 0.00. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function shuffleNote({ shuffle }: CompareDocument): string {
  const metric = shuffle.metric === "r2" ? "R²" : "accuracy";
  return (
    `mean score: the network's held-out ${metric}, averaged while the variables are shuffled one after another, rank 1 first. The lower it is, the better the ` +
    `ranking found what the network uses. Standard errors are over ${shuffle.repeats} repeats; random is the mean of ${shuffle.randomOrders} orders.`
  );
}

function spearmanTable(document: CompareDocument, width: number): string {
  const { methods, spearman } = document;
  const names = methods.map(({ name }) => methodTitle(name));
  return table(
    ["rank correlation", ...titles(document, 16, 5, width)],
    spearman.map((row, m) => [
      `(${m + 1}) ${names[m]}`,
      ...row.map((value) => (value === null ? "–" : fixed(value, 2))),
    ]),
  ).join("\n");
}

/** Columns padded to their widest cell, the first to the left and numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, c) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[c]))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, c) => (c === 0 ? pad(cell, widths[c]) : cell.padStart(widths[c])))
      .join("  ")
      .trimEnd();
  return [line(head), ...rows.map(line)];
}
