import type { PermutationSelection, RateResult } from "@ratewise/core";
import { rankCsv } from "../rank-csv.ts";

export interface MoreColumns {
  /** Shares of the mean squared gradients of a network that was trained here. */
  readonly direct: Float64Array | null;
  readonly selection: PermutationSelection | null;
}

/** As rank's CSV, with the columns that streaming adds: direct; pValue, qValue, selected. */
export function* importanceCsv(
  result: RateResult,
  { direct, selection }: MoreColumns,
): Generator<string> {
  const titles = [
    ...(direct ? ["direct"] : []),
    ...(selection ? ["pValue", "qValue", "selected"] : []),
  ];
  if (titles.length === 0) {
    yield* rankCsv(result);
    return;
  }
  let j = -1; // the first line holds the titles
  for (const piece of rankCsv(result)) {
    const lines = piece.split("\n").slice(0, -1);
    yield lines
      .map((line) => `${line},${j < 0 && j++ < 0 ? titles.join(",") : cells(j++)}\n`)
      .join("");
  }

  function cells(variable: number): string {
    const own = direct ? [direct[variable]] : [];
    return [
      ...own,
      ...(selection
        ? [selection.pValues[variable], selection.qValues[variable], selection.selected[variable]]
        : []),
    ].join(",");
  }
}
