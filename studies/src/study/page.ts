import type { StudyDocument } from "./run-study.ts";
import type { Bar, Finding, StudyTable } from "./study.ts";

/** The study as a page of Markdown; its figures lie in `figures`, a folder beside it. */
export function studyPage(document: StudyDocument, figures = "figures"): string {
  const {
    title,
    question,
    source,
    method,
    choices,
    answer,
    findings,
    tables,
    seconds,
    processorSeconds,
  } = document;
  const kind = document.permuted
    ? "\n**Responses were permuted: this run is a control.**\n"
    : document.quick
      ? "\n*The quick version, smaller than the paper's.*\n"
      : "";
  const parts = [
    `# ${title}\n${kind}`,
    `**Question.** ${question} (${source})`,
    `**Method.** ${method.join(" ")}`,
    ...(choices.length > 0 ? [`**Chosen after results were seen.** ${choices.join(" ")}`] : []),
    `**Answer.** ${answer.join(" ")}`,
    findingsTable(findings),
    ...document.figures.map(
      ({ name, caption }) => `![${caption}](${figures}/${name}.svg)\n\n*${caption}*`,
    ),
    ...tables.map((table) => `## ${table.title}\n\n${markdownTable(table)}`),
    `## Record\n\n${recordText(document)}\n\n${markdownTable({
      title: "",
      columns: ["stage", "seconds", "of processors"],
      rows: Object.entries(seconds).map(([name, time]) => [
        name,
        time.toFixed(1),
        processorSeconds[name].toFixed(1),
      ]),
    })}`,
  ];
  return `${parts.join("\n\n")}\n`;
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

function findingsTable(findings: readonly Finding[]): string {
  return markdownTable({
    title: "",
    columns: ["", "paper", "here", "asked", ""],
    rows: findings.map((row) => cellsOf(row)),
  });
}

function cellsOf({ what, paper, ours, bar, holds }: Finding): string[] {
  return [
    what,
    paper === null ? "–" : numberText(paper),
    numberText(ours),
    bar === null ? "" : barText(bar),
    holds === null ? "" : holds ? "holds" : "missed",
  ];
}

function barText({ at, value }: Bar): string {
  return `${at === "least" ? "≥" : "≤"} ${numberText(value)}`;
}

/** Four digits, and no exponent where none is needed. */
export function numberText(value: number | string): string {
  if (typeof value === "string") return value;
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size !== 0 && size < 1e-3 ? value.toExponential(2) : `${Number(value.toPrecision(4))}`;
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
}: StudyDocument): string {
  const options = `${quick ? " --quick" : ""}${permuted ? " --permuted" : ""}${covariates.length > 0 ? ` --covariates ${covariates.join(",")}` : ""}`;
  return `\`ratewise study ${study}${options} --seed ${seed}\`, version ${version}, engine ${engine}, ${cores} cores.`;
}
