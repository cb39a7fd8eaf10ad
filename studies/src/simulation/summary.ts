import { median } from "@ratewise/core/evaluate";
import type { CellResult, RankingAreas } from "./cell.ts";

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

export function cellName({ recipe, link, correlation, rows }: CellResult): string {
  const columns = correlation.kind === "independent" ? "" : ` ${correlation.kind}`;
  return `${recipe} ${link === "identity" ? "regression" : "classification"}${columns} ${rows.toLocaleString("en")}`;
}

/** One summary a cell, in the order of first appearance. */
export function summarise(results: readonly CellResult[]): CellSummary[] {
  const cells = new Map<string, CellResult[]>();
  for (const result of results) {
    const name = cellName(result);
    cells.set(name, [...(cells.get(name) ?? []), result]);
  }
  return [...cells].map(([cell, rows]) => {
    const middle = (pick: (row: CellResult) => number) => median(rows.map(pick));
    const areas = (which: "one" | "ensemble"): RankingAreas => ({
      covariance: middle((row) => row[which].covariance),
      linear: middle((row) => row[which].linear),
      full: middle((row) => row[which].full),
      weak: middle((row) => row[which].weak),
      meanSquared: middle((row) => row[which].meanSquared),
    });
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

/** The summaries as a Markdown table. */
export function summaryTable(summaries: readonly CellSummary[]): string {
  const names = COLUMNS.flatMap((column) => [column, `${column} ×5`]);
  const lines = summaries.map(
    ({ cell, seeds, one, ensemble, oneScore, ensembleScore, trainSeconds }) => {
      const areas = COLUMNS.flatMap((column) => [
        one[column].toFixed(3),
        ensemble[column].toFixed(3),
      ]);
      const cells = [
        cell,
        seeds,
        ...areas,
        oneScore.toFixed(3),
        ensembleScore.toFixed(3),
        trainSeconds.toFixed(1),
      ];
      return `| ${cells.join(" | ")} |`;
    },
  );
  const header = ["cell", "seeds", ...names, "score", "score ×5", "s"];
  return [`| ${header.join(" | ")} |`, `|${header.map(() => "---").join("|")}|`, ...lines].join(
    "\n",
  );
}
