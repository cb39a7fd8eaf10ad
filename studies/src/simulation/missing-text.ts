import { median } from "@ratewise/core/evaluate";
import { SETS } from "./beside-paper.ts";
import { rowsText } from "./cell-words.ts";
import { allCells } from "./report-tables.ts";
import {
  rankRows,
  type SimulationRows,
  searchedRows,
  searchRows,
  type TableCell,
} from "./simulation-rows.ts";

/** What searches took, by the rows that they saw. */
function searchCost(rows: SimulationRows): string {
  const searches = [...new Set(allCells.flatMap((cell) => searchRows(rows, cell)))];
  const seen = [...new Set(searches.map((row) => row.rows))].sort((a, b) => a - b);
  if (seen.length === 0)
    return ` A search of 30 models by 5 folds would take ${SEARCH_MINUTES} minutes of one core at 3,000 rows, both mimics together (measured with 2 folds, which have a quarter of the work), and grows with the rows.`;
  const took = seen.map((n) => {
    const own = searches.filter((row) => row.rows === n);
    const minutes = own.map(({ seconds }) => (seconds.boosting + seconds.forest) / 60);
    return `${median(minutes).toFixed(0)} minutes of one core at ${n.toLocaleString("en")} rows`;
  });
  return ` A search of 30 models by 5 folds took ${took.join(" and ")}, both mimics together.`;
}

/** By 38 and 69 seconds for boosting and forest, 30 models by 2 folds, regression with 3,000 rows; measured once. */
const SEARCH_MINUTES = 7;

/** What was not run in full, and what it would take. */
export function missingText(rows: SimulationRows): string[] {
  const named = (cells: readonly TableCell[]): string =>
    (["regression", "classification"] as const)
      .flatMap((task) => {
        const sizes = cells.filter((cell) => cell.task === task).map((cell) => cell.rows);
        return sizes.length > 0 ? [`${task} with ${rowsText(sizes)} rows`] : [];
      })
      .join(", ");
  const ranks = allCells.filter((cell) => rankRows(rows, cell, "paper").length < SETS);
  const searched = allCells.filter((cell) => searchedRows(rows, cell).length < SETS);
  const cost = searchCost(rows);
  return [
    ...(ranks.length > 0
      ? [`Not run in full: variants and mimics in ${named(ranks)}.${rankCost(rows)}`]
      : []),
    ...(searched.length > 0
      ? [
          `Not run in full: searched mimics in ${searched.length === allCells.length ? "all cells" : named(searched)}.${cost}`,
        ]
      : []),
  ];
}

/** What the largest data sets took that were ranked by everything but a search. */
function rankCost(rows: SimulationRows): string {
  const ranked = allCells.flatMap((cell) => rankRows(rows, cell, "paper"));
  if (ranked.length === 0) return "";
  const largest = Math.max(...ranked.map((row) => row.rows));
  const seconds = ranked
    .filter((row) => row.rows === largest)
    .map((row) => Object.values(row.seconds).reduce((sum, value) => sum + value, 0));
  return ` A data set of ${largest.toLocaleString("en")} rows takes ${median(seconds).toFixed(0)} seconds of one core with training, RATE, gradients and both mimics.`;
}
