import { groupBy } from "../group-by.ts";
import type { StudyTable } from "../study/study.ts";
import type { CoverageRow } from "./coverage.ts";

export interface CoverageSummary extends Pick<CoverageRow, "setting" | "posterior" | "of"> {
  readonly seeds: number;
  readonly mean: number;
  /** Of the mean over seeds. */
  readonly standardError: number;
}

/** Mean coverage over seeds, in the order of first appearance. */
export function summariseCoverage(rows: readonly CoverageRow[]): CoverageSummary[] {
  const cells = groupBy(rows, (row) => JSON.stringify([row.setting, row.posterior, row.of]));
  return [...cells.values()].map((cell) => {
    const [{ setting, posterior, of }] = cell;
    const seeds = cell.length;
    const mean = cell.reduce((sum, row) => sum + row.coverage / seeds, 0);
    const squares = cell.reduce((sum, row) => sum + (row.coverage - mean) ** 2, 0);
    const standardError = seeds > 1 ? Math.sqrt(squares / (seeds - 1) / seeds) : Number.NaN;
    return { setting, posterior, of, seeds, mean, standardError };
  });
}

/** The summaries as a table. */
export function coverageTable(summaries: readonly CoverageSummary[]): StudyTable {
  return {
    title: "Coverage",
    columns: ["data", "posterior", "90% intervals of", "hold", "data sets"],
    rows: summaries.map(({ setting, posterior, of, seeds, mean, standardError }) => [
      ...[setting, posterior, of],
      ...[`${(100 * mean).toFixed(1)}% ± ${(100 * standardError).toFixed(1)}`, seeds],
    ]),
  };
}
