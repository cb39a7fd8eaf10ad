import type { StudyDocument } from "./run-study.ts";
import type { Bar, Finding, StudyTable } from "./study.ts";

/**
 * The study as a page of Markdown; its figures lie in `figures`, a folder beside it. Question, answer and what was asked come first: who
 * has a minute reads no further. How it was done stands at the end.
 */
export function studyPage(document: StudyDocument, figures = "figures"): string {
  const { title, question, source, method, limits, choices, answer, findings, tables } = document;
  const kind = kindText(document);
  const asked = findings.filter(({ bar }) => bar !== null);
  const others = findings.filter(({ bar }) => bar === null);
  const parts = [
    `# ${title}`,
    ...(kind === null ? [] : [`**${kind}**`]),
    `**Question.** ${question} (${source})`,
    "**Answer.**",
    list(answer),
    ...(asked.length > 0
      ? ["**What was asked, and what came out.**", barsText(document), askedTable(asked)]
      : []),
    ...document.figures.map(
      ({ name, caption }) => `![${caption}](${figures}/${name}.svg)\n\n*${caption}*`,
    ),
    ...(others.length > 0
      ? [`## ${others.some(({ paper }) => paper !== null) ? "Beside the paper" : "More numbers"}`]
      : []),
    ...(others.length > 0 ? [othersTable(others)] : []),
    ...tables.map((table) => `## ${table.title}\n\n${markdownTable(table)}`),
    `## Method\n\n${list(method)}`,
    ...(limits.length > 0 ? [`## Limits\n\n${list(limits)}`] : []),
    ...(choices.length > 0 ? [`## Chosen after results were seen\n\n${list(choices)}`] : []),
    `## Record\n\n${recordText(document)}\n\n${secondsTable(document)}`,
    ...dataTable(document),
  ];
  return `${parts.join("\n\n")}\n`;
}

const list = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `* ${sentence}`).join("\n");

/** What a reader has to know first of a run that is not the whole study on the data as they are; null where it is. */
export function kindText({
  quick,
  permuted,
}: Pick<StudyDocument, "quick" | "permuted">): string | null {
  const kinds = [
    ...(quick
      ? [
          "The quick version: fewer data sets, rows or repeats than the study, to see that it works.",
        ]
      : []),
    ...(permuted ? ["A control: responses were permuted, and nothing should be found."] : []),
  ];
  return kinds.length > 0 ? kinds.join(" ") : null;
}

/** Who set the bars, and when. */
function barsText({ quick, bars, findings }: StudyDocument): string {
  if (quick)
    return "Bars of the quick version only tell whether it works; permuted responses have to miss some of them.";
  if (bars !== undefined) return bars;
  const some = findings.some(({ settledAfterwards }) => settledAfterwards);
  return `Bars were set before the study was run, from a prototype and from the paper's printed numbers${some ? "; where a line says “settled afterwards”, see “Chosen after results were seen”" : ""}.`;
}

function secondsTable({ seconds, processorSeconds }: StudyDocument): string {
  if (Object.keys(seconds).length === 1)
    return "Nothing was computed for this page: it is made of recorded rows.";
  return markdownTable({
    title: "",
    columns: ["stage", "seconds", "of processors"],
    rows: Object.entries(seconds).map(([name, time]) => [
      name,
      time.toFixed(1),
      processorSeconds[name].toFixed(1),
    ]),
  });
}

/** Which data these were, to the bit. */
function dataTable({ data }: StudyDocument): string[] {
  const rows = Object.entries(data).map(([path, sum]) => [path, `\`${sum}\``]);
  return rows.length > 0 ? [markdownTable({ title: "", columns: ["file", "SHA-256"], rows })] : [];
}

/** Findings as plain text, for a terminal. */
export function findingsText(findings: readonly Finding[]): string {
  const cells = [["", "paper", "here", "asked", ""], ...findings.map((row) => cellsOf(row))];
  const widths = cells[0].map((_, c) => Math.max(...cells.map((row) => [...row[c]].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join("  ")
      .trimEnd();
  return cells.map(line).join("\n");
}

/** What was asked, bar by bar; with the paper's numbers where it prints any. */
function askedTable(findings: readonly Finding[]): string {
  const printed = findings.some(({ paper }) => paper !== null);
  return markdownTable({
    title: "",
    columns: ["", ...(printed ? ["paper"] : []), "asked", "measured", ""],
    rows: findings.map((row) => {
      const [what, paper, ours, bar, holds] = cellsOf(row);
      return [what, ...(printed ? [paper] : []), bar, ours, holds];
    }),
  });
}

/** What nothing was asked of; where every line begins with one of a few names, a column for each of them. */
function othersTable(findings: readonly Finding[]): string {
  const split = findings.map((row) => {
    const at = row.what.indexOf(": ");
    return { of: row.what.slice(0, at), what: row.what.slice(at + 2), row };
  });
  const names = [...new Set(split.map(({ of }) => of))];
  if (names.includes("") || 2 * names.length > findings.length) return plainTable(findings);
  const columns = names.flatMap((name) => {
    const own = split.filter(({ of }) => of === name);
    const column = (title: string, at: 1 | 2) => ({
      title: `${name}, ${title}`,
      cells: new Map(own.map(({ what, row }) => [what, cellsOf(row)[at]])),
    });
    const printed = own.some(({ row }) => row.paper !== null);
    return [...(printed ? [column("paper", 1)] : []), column("here", 2)];
  });
  return markdownTable({
    title: "",
    columns: ["", ...columns.map(({ title }) => title)],
    rows: [...new Set(split.map(({ what }) => what))].map((what) => [
      what,
      ...columns.map(({ cells }) => cells.get(what) ?? ""),
    ]),
  });
}

function plainTable(findings: readonly Finding[]): string {
  const printed = findings.some(({ paper }) => paper !== null);
  return markdownTable({
    title: "",
    columns: ["", ...(printed ? ["paper"] : []), "here"],
    rows: findings.map((row) => {
      const [what, paper, ours] = cellsOf(row);
      return printed ? [what, paper, ours] : [what, ours];
    }),
  });
}

function cellsOf({ what, paper, ours, bar, holds, settledAfterwards }: Finding): string[] {
  return [
    what,
    paper === null ? "–" : numberText(paper),
    numberText(ours),
    bar === null ? "" : barText(bar),
    holds === null
      ? ""
      : `${holds ? "holds" : "missed"}${settledAfterwards ? ", settled afterwards" : ""}`,
  ];
}

function barText({ at, value }: Bar): string {
  return `${at === "least" ? "≥" : "≤"} ${numberText(value)}`;
}

/** Four digits, no exponent where none is needed, and the minus sign of the sentences. */
export function numberText(value: number | string): string {
  if (typeof value === "string") return value;
  const size = Math.abs(value);
  const digits = Number.isInteger(value)
    ? size.toLocaleString("en")
    : size < 1e-3
      ? size.toExponential(2)
      : `${Number(size.toPrecision(4))}`;
  return `${value < 0 ? "−" : ""}${digits}`;
}

function markdownTable({ columns, rows }: StudyTable): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => numberText(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function recordText({
  study,
  quick,
  permuted,
  covariates,
  seed,
  engine,
  cores,
  version,
  node,
}: StudyDocument): string {
  const options = `${quick ? " --quick" : ""}${permuted ? " --permuted" : ""}${covariates.length > 0 ? ` --covariates ${covariates.join(",")}` : ""}`;
  return `\`ratewise study ${study}${options} --seed ${seed}\`, version ${version}, engine ${engine}, Node ${node.slice(1)}, ${cores} cores.`;
}
