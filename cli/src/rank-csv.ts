import type { RateResult } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";

/** Rows that go into one piece of text. */
const PIECE = 8000;

/**
 * The variables of a ranking as CSV, in input order, piece by piece. What is null in the document is an empty
 * cell. Straight from the columns: an object for each of a million rows would cost more than its numbers.
 */
export function* rankCsv({ variables }: RateResult): Generator<string> {
  const { names, rank, rate, kld, kldExact, mutualInformation, mean, sd } = variables;
  const scores = Object.entries({ rate, kld, kldExact, mutualInformation });
  yield `name,rank,${scores.map(([name]) => name).join(",")},mean,sd\n`;
  for (let from = 0; from < names.length; from += PIECE) {
    let text = "";
    for (let j = from; j < Math.min(from + PIECE, names.length); j++) {
      const scored = rank[j] > 0;
      text += `${csvCellOfText(names[j])},${scored ? rank[j] : ""}`;
      for (const [, values] of scores) text += `,${scored ? cell(values, j) : ""}`;
      text += `,${mean[j]},${sd[j]}\n`;
    }
    yield text;
  }
}

function cell(values: Float64Array | null, j: number): number | "" {
  return values === null || Number.isNaN(values[j]) ? "" : values[j];
}
