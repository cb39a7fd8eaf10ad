import type { ExplainedVariable } from "@ratewise/core/explain";
import { csvCellOfText, type ParquetColumn } from "@ratewise/files";

/** A column of the file: its title, what it holds, and what that is for a variable. */
interface ImportanceColumn {
  readonly title: string;
  readonly kind: ParquetColumn["kind"];
  readonly cell: (row: ExplainedVariable) => string | number | boolean | null | undefined;
}

const column = (
  title: string,
  kind: ImportanceColumn["kind"],
  cell: ImportanceColumn["cell"],
): ImportanceColumn => ({ title, kind, cell });

const columns: readonly ImportanceColumn[] = [
  column("name", "text", (v) => v.name),
  column("rank", "integer", (v) => v.rank),
  column("rate", "number", (v) => v.rate),
  column("kld", "number", (v) => v.kld),
  column("kldExact", "number", (v) => v.kldExact),
  column("mutualInformation", "number", (v) => v.mutualInformation),
  column("mean", "number", (v) => v.mean),
  column("sd", "number", (v) => v.sd),
  column("directRate", "number", (v) => v.direct?.rate),
  column("directRank", "integer", (v) => v.direct?.rank),
  column("standInFor", "text", (v) => v.standInFor),
];
/** Only where they were asked for. */
const optional: readonly ImportanceColumn[] = [
  column("selected", "boolean", (v) => v.selected),
  column("pValue", "number", (v) => v.pValue),
  column("qValue", "number", (v) => v.qValue),
  column("topK", "number", (v) => v.topK),
  column("rankLow", "integer", (v) => v.rankInterval?.[0]),
  column("rankHigh", "integer", (v) => v.rankInterval?.[1]),
];

/** A result with variables, of whatever model. */
interface Explained {
  readonly variables: readonly ExplainedVariable[];
}

/** The columns that a table of this result has. */
export function importanceColumns({ variables }: Explained): readonly ImportanceColumn[] {
  const asked = optional.filter(({ cell }) =>
    variables.some((row) => (cell(row) ?? null) !== null),
  );
  return [...columns, ...asked];
}

/** The variables of an explanation as CSV, in the order of the table. What is null is an empty cell. */
export function* explainCsv(document: Explained): Generator<string> {
  const shown = importanceColumns(document);
  const cells = (row: ExplainedVariable): string[] =>
    shown.map(({ cell }) => {
      const value = cell(row) ?? "";
      return typeof value === "string" && value !== "" ? csvCellOfText(value) : `${value}`;
    });
  yield `${shown.map(({ title }) => title).join(",")}\n`;
  for (const row of document.variables) yield `${cells(row).join(",")}\n`;
}
