import type { ExplainDocument, ExplainedVariable } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";

/** A column of the file, and what it holds for a variable. */
type Cells = readonly [
  title: string,
  cell: (row: ExplainedVariable) => string | number | boolean | null | undefined,
];

const columns: readonly Cells[] = [
  ["name", (v) => csvCellOfText(v.name)],
  ["rank", (v) => v.rank],
  ["rate", (v) => v.rate],
  ["kld", (v) => v.kld],
  ["kldExact", (v) => v.kldExact],
  ["mutualInformation", (v) => v.mutualInformation],
  ["mean", (v) => v.mean],
  ["sd", (v) => v.sd],
  ["directRate", (v) => v.direct?.rate],
  ["directRank", (v) => v.direct?.rank],
  ["standInFor", (v) => (v.standInFor === null ? null : csvCellOfText(v.standInFor))],
];
/** Only where they were asked for. */
const optional: readonly Cells[] = [
  ["selected", (v) => v.selected],
  ["pValue", (v) => v.pValue],
  ["qValue", (v) => v.qValue],
  ["topK", (v) => v.topK],
  ["rankLow", (v) => v.rankInterval?.[0]],
  ["rankHigh", (v) => v.rankInterval?.[1]],
];

/** The variables of an explanation as CSV, in the order of the table. What is null is an empty cell. */
export function* explainCsv({ variables }: ExplainDocument): Generator<string> {
  const asked = optional.filter(([, cell]) =>
    variables.some((row) => (cell(row) ?? null) !== null),
  );
  const shown = [...columns, ...asked];
  yield `${shown.map(([title]) => title).join(",")}\n`;
  for (const row of variables) yield `${shown.map(([, cell]) => cell(row) ?? "").join(",")}\n`;
}
