import { plusMinus } from "../mean-with-error.ts";
import type { StudyDocument } from "./run-study.ts";
import type { Finding, StudyFigure, StudyTable } from "./study.ts";

/** What a page shows of a record. */
interface Numbers {
  readonly findings: readonly Finding[];
  readonly figures: readonly Omit<StudyFigure, "svg">[];
  readonly tables: readonly StudyTable[];
}

/** A run as a page of its own; its figures lie in `figures`, a folder beside it. */
export function studyPage(document: StudyDocument): string {
  const { study, title, question, source } = document;
  const kind = kindText(document);
  const parts = [
    `# ${title}`,
    ...(kind === null ? [] : [`**${kind}**`]),
    `**Question.** ${question} (${source})`,
    wordsText(study),
    numbersPart(document),
    recordPart(document),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Where the words are that stand beside the numbers. */
export const wordsText = (study: string): string =>
  `What the recorded run showed, how it was done and its limits: docs/studies/${study}.md of the repository.`;

/** What a reader has to know first of a run that is not the whole study on the data as they are; null where it is. */
export function kindText({
  quick,
  permuted,
}: Pick<StudyDocument, "quick" | "permuted">): string | null {
  const kinds = [
    quick &&
      "The quick version: fewer data sets, rows or repeats than the study, to see that it works.",
    permuted && "A control: responses were permuted, and nothing should be found.",
  ].filter(Boolean);
  return kinds.join(" ") || null;
}

/** Every number of a record as a part of a page: what was asked of it first, then figures, other numbers and tables. */
export function numbersPart(
  { findings, figures, tables }: Numbers,
  figureAt: (name: string) => string = (name) => `figures/${name}.svg`,
): string {
  const asked = findings.filter(({ bar }) => bar !== null);
  const others = findings.filter(({ bar }) => bar === null);
  const printed = others.some(({ paper }) => paper !== null);
  return [
    ...(asked.length > 0 ? [tablePart(oneEach("What was asked, and what came out", asked))] : []),
    ...figures.map(({ name, caption }) => `![${caption}](${figureAt(name)})\n\n*${caption}*`),
    ...(others.length > 0 ? [tablePart(sideBySide(printed, others))] : []),
    ...tables.map(tablePart),
  ].join("\n\n");
}

/** How a record was made: the command, versions, seconds, and which data these were, to the bit. */
export function recordPart(document: StudyDocument): string {
  const { study, quick, permuted, covariates, seed, engine, cores, version, node } = document;
  const { seconds, processorSeconds, data } = document;
  const options = `${quick ? " --quick" : ""}${permuted ? " --permuted" : ""}${covariates.length > 0 ? ` --covariates ${covariates.join(",")}` : ""}`;
  const times = Object.entries(seconds).map(([stage, time]) => [
    ...[stage, time.toFixed(1), processorSeconds[stage].toFixed(1)],
  ]);
  const sums = Object.entries(data).map(([path, sum]) => [path, `\`${sum}\``]);
  return [
    "## Record",
    `\`ratewise study ${study}${options} --seed ${seed}\`, version ${version}, engine ${engine}, Node ${node.slice(1)}, ${cores} cores.`,
    markdownTable({ columns: ["stage", "seconds", "of processors"], rows: times }),
    ...(sums.length > 0 ? [markdownTable({ columns: ["file", "SHA-256"], rows: sums })] : []),
  ].join("\n\n");
}

const HEADER = ["", "paper", "here", "asked", ""];

/** Findings as plain text, for a terminal. */
export function findingsText(findings: readonly Finding[]): string {
  const cells = [HEADER, ...findings.map(cellsOf)];
  const widths = HEADER.map((_, c) => Math.max(...cells.map((row) => [...row[c]].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join("  ")
      .trimEnd();
  return cells.map(line).join("\n");
}

/** A line for every finding; the paper's column and that of bars only where there is something in them. */
function oneEach(title: string, findings: readonly Finding[]): StudyTable {
  const printed = findings.some(({ paper }) => paper !== null);
  const asked = findings.some(({ bar }) => bar !== null);
  const shown = (row: readonly string[]): string[] =>
    row.filter((_, c) => (c !== 1 || printed) && (c < 3 || asked));
  return { title, columns: shown(HEADER), rows: findings.map((row) => shown(cellsOf(row))) };
}

/** Where every line begins with one of a few names, a column for each of them. */
function sideBySide(paper: boolean, findings: readonly Finding[]): StudyTable {
  const title = paper ? "Beside the paper" : "More numbers";
  const split = findings.map((row) => {
    const at = row.what.indexOf(": ");
    return { of: row.what.slice(0, at), what: row.what.slice(at + 2), row };
  });
  const names = [...new Set(split.map(({ of }) => of))];
  if (names.includes("") || 2 * names.length > findings.length) return oneEach(title, findings);
  const columns = names.flatMap((name) => {
    const own = split.filter(({ of }) => of === name);
    const printed = own.some(({ row }) => row.paper !== null);
    return (printed ? ([1, 2] as const) : ([2] as const)).map((c) => ({
      title: `${name}, ${HEADER[c]}`,
      cells: new Map(own.map(({ what, row }) => [what, cellsOf(row)[c]])),
    }));
  });
  return {
    title,
    columns: ["", ...columns.map((column) => column.title)],
    rows: [...new Set(split.map(({ what }) => what))].map((what) => [
      what,
      ...columns.map(({ cells }) => cells.get(what) ?? ""),
    ]),
  };
}

function cellsOf({ what, paper, ours, bar, holds, settledAfterwards }: Finding): string[] {
  const late = settledAfterwards ? ", settled afterwards" : "";
  return [
    what,
    paper === null ? "–" : numberText(paper),
    numberText(ours),
    bar === null ? "" : `${bar.at === "least" ? "≥" : "≤"} ${numberText(bar.value)}`,
    holds === null ? "" : `${holds ? "holds" : "missed"}${late}`,
  ];
}

/** Four digits, no exponent where none is needed, and a real minus sign; means with their standard errors. */
export function numberText(value: Finding["ours"]): string {
  if (typeof value === "string") return value;
  if (typeof value === "object") return plusMinus(value);
  const size = Math.abs(value);
  const digits = Number.isInteger(value)
    ? size.toLocaleString("en")
    : size < 1e-3
      ? size.toExponential(2)
      : `${Number(size.toPrecision(4))}`;
  return `${value < 0 ? "−" : ""}${digits}`;
}

const tablePart = (table: StudyTable): string => `## ${table.title}\n\n${markdownTable(table)}`;

/** A table of Markdown; numbers as `numberText` has them. */
export function markdownTable({ columns, rows }: Omit<StudyTable, "title">): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => numberText(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
