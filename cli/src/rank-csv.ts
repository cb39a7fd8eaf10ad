import { type RateResult, type VariableRow, variableRow } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";

/** Rows that go into one piece of text. */
const PIECE = 1000;

const numbers = [
  "rank",
  "rate",
  "kld",
  "kldExact",
  "mutualInformation",
  "mean",
  "sd",
] as const satisfies readonly (keyof VariableRow)[];

/** The variables of a ranking as CSV, in input order, piece by piece. What is null is an empty cell. */
export function* rankCsv(result: RateResult): Generator<string> {
  yield `${["name", ...numbers].join(",")}\n`;
  const p = result.variables.names.length;
  for (let from = 0; from < p; from += PIECE) {
    let text = "";
    for (let j = from; j < Math.min(from + PIECE, p); j++) {
      const row = variableRow(result, j);
      text += csvCellOfText(row.name);
      for (const column of numbers) text += `,${row[column] ?? ""}`;
      text += "\n";
    }
    yield text;
  }
}
