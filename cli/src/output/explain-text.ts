import type { Diagnostic, TrainedNetworkDocument } from "@ratewise/core";
import { diagnosticOf, severityOf } from "@ratewise/core/diagnostic";
import {
  type ExplainDocument,
  type ExplainedVariable,
  methodTable,
  modelNoun,
} from "@ratewise/core/explain";
import type { Io } from "../io.ts";
import { bar, paint, shareText } from "./bar.ts";
import { displayWidth, fit, pad, printable, wrap } from "./printable.ts";
import { scoreText } from "./score-text.ts";
import { trainedOn, triedOn } from "./split-text.ts";

const TOP = 20;
/** Those that the model uses most are shown wherever RATE puts them. */
const TOP_DIRECT = 5;
const LONGEST_NAME = 30;
const LONGEST_BAR = 24;

type AnyDocument = ExplainDocument | TrainedNetworkDocument;

/**
 * An explanation for people: how good the model is, what matters, and what to be careful about.
 * `notes` are words to put beside variables.
 */
export function explainText(
  document: AnyDocument,
  io: Io,
  notes: ReadonlyMap<string, string> = new Map(),
): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  const [warnings, remarks] = sortDiagnostics(document);
  const parts = [
    wrap(modelText(document), width),
    ...(typeof document.model.choice === "string" ? [wrap(document.model.choice, width)] : []),
    ...warnings.map(({ message }) => wrap(`Caution: ${printable(message)}`, width)),
    variableTable(document, notes, width, io),
    wrap(
      `RATE: ${methodTable.rate.asks}. direct: ${methodTable.gradient.asks}. Each adds up to 1 over all variables.`,
      width,
    ),
  ];
  if (document.variables.some(({ selected }) => selected !== null))
    parts.push(wrap(selectedText(document), width, "  "));
  if (document.groups.length > 0) parts.push(groupTable(document, width, io));
  if (document.excluded.length > 0) parts.push(excludedText(document, width));
  const cautions = remarks.map((remark) => caution(remark, width));
  if (cautions.length > 0) parts.push(["To keep in mind:", ...cautions].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** Said of a last layer that was fitted anew. */
const REFITTED: Readonly<Record<string, string>> = {
  laplace: " (last layer by Laplace)",
  swag: " (last layer by SWAG)",
};

function modelText(document: AnyDocument): string {
  if (document.model.kind === "onnx") return networkSentence(document as TrainedNetworkDocument);
  const { target, task, model, variables, scores } = document as ExplainDocument;
  const { rows, split } = model;
  const fitted = `${modelNoun(model)}${REFITTED[model.posterior] ?? ""}${model.kernel ? " fitted to" : trainedOn(split)}`;
  return (
    `${printable(target)} (${task}) from ${variables.length} variables, ${fitted} ` +
    `${rows.train} rows. ${triedOn(split, rows.test)}, it ${scoreText(scores)}.`
  );
}

/** About a network that was trained elsewhere: how its rows were used, and what it predicts of them. */
function networkSentence({
  target,
  task,
  model,
  variables,
  scores,
}: TrainedNetworkDocument): string {
  const { score, refit, layers, rows } = model;
  const quality =
    score === null
      ? ""
      : score.metric === "r2"
        ? ` Its own output has R² ${score.score.toFixed(2)} on them.`
        : ` On them, it ${scoreText(scores!)}.`;
  const where =
    refit.around === "network" ? "around the network's own weights" : "refitted to the response";
  return (
    `${target === null ? "The output" : printable(target)} (${task}) of a trained network from ${variables.length} inputs, on ${rows.train} rows; ` +
    `its last layer of ${layers[0]} units ${where}.${quality}`
  );
}

/** What is serious is said above the ranking; what is about the numbers inside, in result.json alone. */
function sortDiagnostics({ diagnostics }: AnyDocument): [Diagnostic[], Diagnostic[]] {
  const serious = diagnostics.filter((each) => severityOf(each) === "serious");
  const others = diagnostics.filter((each) => !["serious", "internal"].includes(severityOf(each)));
  return [serious, others];
}

function variableTable(
  { variables }: AnyDocument,
  notes: ReadonlyMap<string, string>,
  width: number,
  io: Io,
): string {
  const p = variables.length;
  const best = variables
    .filter(({ rank, direct }) => rank! <= TOP || (direct?.rank ?? p) <= TOP_DIRECT)
    .sort((a, b) => a.rank! - b.rank!);
  const noteOn = ({ name, standInFor, selected, rankInterval }: ExplainedVariable): string => {
    const standIn =
      standInFor === null ? [] : [`stands in for ${fit(printable(standInFor), LONGEST_NAME)}`];
    const found = selected ? ["selected"] : [];
    const [low, high] = rankInterval ?? [];
    const ranks = rankInterval ? [low === high ? `rank ${low}` : `rank ${low} to ${high}`] : [];
    const given = notes.has(name) ? [notes.get(name)!] : [];
    return [...given, ...found, ...ranks, ...standIn].join("; ");
  };
  const lines = barLines(
    "variable",
    best.map((row) => ({
      name: row.name,
      rank: row.rank!,
      rate: row.rate!,
      cells: [row.direct ? shareText(row.direct.rate) : "", `${row.direct?.rank ?? ""}`],
      note: noteOn(row),
    })),
    ["direct", "(rank)"],
    width,
    io,
  );
  const beyond = best.filter(({ rank }) => rank! > TOP).length;
  if (beyond > 0) lines.splice(lines.length - beyond, 0, "   …  used most, further down:");
  const more = p - best.length;
  const rest = more > 0 ? [`      … and ${more} more (--json or --out has all)`] : [];
  return [...lines, ...rest].join("\n");
}

function groupTable({ groups }: AnyDocument, width: number, io: Io): string {
  const best = [...groups].sort((a, b) => a.rank! - b.rank!).slice(0, TOP);
  const tested = best.some(({ qValue }) => qValue !== null);
  return barLines(
    "group",
    best.map((row) => ({
      name: row.name,
      rank: row.rank!,
      rate: row.rate!,
      cells: [
        row.direct ? shareText(row.direct.rate) : "",
        `${row.size}`,
        ...(tested ? [row.qValue === null ? "" : `${Number(row.qValue.toPrecision(2))}`] : []),
      ],
      note: row.selected ? "selected" : "",
    })),
    ["direct", "size", ...(tested ? ["q"] : [])],
    width,
    io,
  ).join("\n");
}

interface BarRow {
  readonly name: string;
  readonly rank: number;
  readonly rate: number;
  readonly cells: readonly string[];
  readonly note: string;
}

/** A heading and one line per row: rank, name, share, bar, further cells, and a note. */
function barLines(
  what: string,
  rows: readonly BarRow[],
  titles: readonly string[],
  width: number,
  io: Io,
): string[] {
  const names = rows.map((row) => fit(printable(row.name), LONGEST_NAME));
  const nameWidth = Math.max(displayWidth(what), ...names.map(displayWidth));
  const cellWidths = titles.map((title, c) =>
    Math.max(title.length, ...rows.map((row) => row.cells[c].length)),
  );
  const fixed = 4 + 2 + nameWidth + 2 + 6 + 2 + cellWidths.reduce((sum, w) => sum + w + 2, 0);
  const noteWidth = Math.max(0, ...rows.map((row) => row.note.length + 2));
  const barWidth = Math.max(4, Math.min(LONGEST_BAR, width - fixed - noteWidth));
  const most = Math.max(...rows.map((row) => row.rate)) || 1;
  const cells = (texts: readonly string[]): string =>
    texts.map((text, c) => text.padStart(cellWidths[c])).join("  ");
  const heading = `rank  ${pad(what, nameWidth)}  ${"RATE".padEnd(6)}  ${" ".repeat(barWidth)}  ${cells(titles)}`;
  return [
    heading.trimEnd(),
    ...rows.map((row, i) => {
      const drawn = bar((row.rate / most) * barWidth);
      const gap = " ".repeat(barWidth - displayWidth(drawn));
      const line = `${`${row.rank}`.padStart(4)}  ${pad(names[i], nameWidth)}  ${shareText(row.rate).padEnd(6)}  `;
      return `${line}${drawn === "" ? "" : paint(drawn, io)}${gap}  ${cells(row.cells)}  ${row.note}`.trimEnd();
    }),
  ];
}

/** All that were selected, also those below the table. */
function selectedText({ variables, diagnostics }: AnyDocument): string {
  const names = [...variables]
    .filter(({ selected }) => selected)
    .sort((a, b) => a.direct!.rank - b.direct!.rank)
    .map(({ name }) => fit(printable(name), LONGEST_NAME));
  const note = diagnosticOf(diagnostics, "selection");
  const none = note?.outOfReach
    ? `none (out of reach with ${variables.length} variables: at least ${note.fewest} would have to be selected)`
    : "none";
  return `Selected at a false discovery rate of ${note?.fdr}: ${names.length > 0 ? names.join(", ") : none}`;
}

function excludedText({ excluded }: AnyDocument, width: number): string {
  const shown = excluded
    .slice(0, 10)
    .map(({ name, reason }) => `${printable(name)} (${printable(reason)})`);
  const more = excluded.length > 10 ? [`… and ${excluded.length - 10} more`] : [];
  return wrap(`Left out: ${[...shown, ...more].join(", ")}`, width, "  ");
}

function caution({ message }: Diagnostic, width: number): string {
  return wrap(`- ${printable(message)}`, width, "  ");
}
