import { median } from "@ratewise/core/evaluate";
import { groupBy } from "../group-by.ts";
import { mapRecord } from "../map-record.ts";
import type { StudyTable } from "../study/study.ts";
import type { CellRequest, CellResult, RankingAreas } from "./cell.ts";

/** Medians over seeds of one cell of the table. */
export interface CellSummary {
  readonly cell: string;
  readonly seeds: number;
  readonly one: RankingAreas;
  readonly ensemble: RankingAreas;
  readonly oneScore: number;
  readonly ensembleScore: number;
  readonly trainSeconds: number;
}

export function cellName({ recipe, link, correlation, rows }: CellRequest): string {
  const columns = correlation.kind === "independent" ? "" : ` ${correlation.kind}`;
  return `${recipe} ${link === "identity" ? "regression" : "classification"}${columns} ${rows.toLocaleString("en")}`;
}

/** One summary a cell, in the order of first appearance. */
export function summarise(results: readonly CellResult[]): CellSummary[] {
  return [...groupBy(results, cellName)].map(([cell, rows]) => {
    const middle = (pick: (row: CellResult) => number) => median(rows.map(pick));
    const areas = (which: "one" | "ensemble"): RankingAreas =>
      mapRecord(rows[0][which], (_, ranking) => middle((row) => row[which][ranking]));
    return {
      cell,
      seeds: rows.length,
      one: areas("one"),
      ensemble: areas("ensemble"),
      oneScore: middle((row) => row.oneScore),
      ensembleScore: middle((row) => row.ensembleScore),
      trainSeconds: middle((row) => row.trainSeconds),
    };
  });
}

const COLUMNS = ["covariance", "linear", "full", "weak", "meanSquared"] as const;

/** The summaries as a table; ×5 is of an ensemble of five. */
export function summaryTable(summaries: readonly CellSummary[]): StudyTable {
  return {
    title: "Medians over seeds",
    columns: [
      ...["cell", "seeds", ...COLUMNS.flatMap((column) => [column, `${column} ×5`])],
      ...["score", "score ×5", "s"],
    ],
    rows: summaries.map((row) => [
      ...[row.cell, row.seeds],
      ...COLUMNS.flatMap((column) => [row.one[column].toFixed(3), row.ensemble[column].toFixed(3)]),
      ...[row.oneScore.toFixed(3), row.ensembleScore.toFixed(3), row.trainSeconds.toFixed(1)],
    ]),
  };
}
