import { median } from "@ratewise/core";
import { summariseSelection } from "../selection/summary.ts";
import { SETS } from "./beside-paper.ts";
import { middle } from "./cell-median.ts";
import { mimicMethods } from "./mimic-rankings.ts";
import { published, publishedBest, sizes } from "./published.ts";
import { allCells } from "./report-tables.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  searchedRows,
  searchRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

/** What came out, in sentences; the numbers of every cell stand in the tables. */
export function answerText(rows: SimulationRows, quick: boolean): string[] {
  return [
    ...areasText(rows),
    ...variantsText(rows),
    ...mimicsText(rows),
    ...selectionText(rows),
    ...(quick ? [] : missingText(rows)),
  ];
}

const placeOf = ({ rows }: TableCell): number => sizes.indexOf(rows as (typeof sizes)[number]);

/** "0.73 to 0.97" of a method over the cells that it was run in, beside the paper's. */
function beside(
  rows: SimulationRows,
  method: ShownMethod,
  paper: (cell: TableCell) => number,
): { readonly text: string; readonly cells: number; readonly above: number } | null {
  // Of one data set there is no median.
  const cells = allCells.filter((cell) => method.areas(rows, cell).size > 1);
  if (cells.length === 0) return null;
  const ours = cells.map((cell) => middle(rows, method, cell)!);
  const theirs = cells.map(paper);
  const range = (values: readonly number[]): string =>
    `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
  return {
    text: `${range(ours)} (the paper ${range(theirs)})`,
    cells: cells.length,
    above: ours.filter((area, k) => area > theirs[k]).length,
  };
}

const ofCells = (count: number, cells: number): string =>
  count === cells ? `all ${cells} cells` : `${count} of ${cells} cells`;

function areasText(rows: SimulationRows): string[] {
  const rate = beside(rows, shownMethods.rate, (cell) => published[cell.task].rate[placeOf(cell)]);
  const direct = beside(rows, shownMethods.standard, (cell) =>
    publishedBest(cell.task, placeOf(cell)),
  );
  return [
    ...(rate
      ? [
          `RATE finds the causal variables better than in the paper in ${ofCells(rate.above, rate.cells)}: median areas under the ROC curve are ${rate.text}.`,
        ]
      : []),
    ...(direct
      ? [
          `Direct importance, by gradients of a network of the recipe standard, is better than the best of the paper's methods in ${ofCells(direct.above, direct.cells)}: ${direct.text}.`,
        ]
      : []),
  ];
}

function variantsText(rows: SimulationRows): string[] {
  const own = allCells.flatMap((cell) => rankRows(rows, cell, "paper"));
  if (own.length === 0) return [];
  const least = Math.min(...own.map(({ meanTerm }) => meanTerm));
  const same = Math.min(...own.map(({ agreement }) => agreement.wholeDivergence));
  const gap = (name: "mutual information" | "published" | "pseudo-inverse" | "nugget" | "r-2020") =>
    median(own.map(({ areas }) => areas[name] - areas.noise));
  const others = (["nugget", "pseudo-inverse", "r-2020", "published"] as const).map((name) =>
    Math.abs(gap(name)),
  );
  return [
    `The trace term is negligible: the mean term has at least ${(100 * least).toFixed(1)}% of the divergence in each of ${own.length} data sets, and both rank alike (Spearman ${same.toFixed(3)} at the least). The other variants of RATE differ from the default by ${Math.max(...others).toFixed(3)} at most in their median area.`,
    `Mutual information is no ranking of effects: it asks how an effect depends on the others, not how large it is, and its area is ${Math.abs(gap("mutual information")).toFixed(2)} ${gap("mutual information") < 0 ? "below" : "above"} that of RATE.`,
  ];
}

function mimicsText(rows: SimulationRows): string[] {
  const texts: string[] = [];
  for (const [name, method, searched, which] of [
    ["boosting", shownMethods.boosting, shownMethods.boostingSearched, "boosting"],
    ["forests", shownMethods.forest, shownMethods.forestSearched, "forest"],
  ] as const) {
    const paper = (cell: TableCell): number => published[cell.task][which][placeOf(cell)];
    const plain = beside(rows, method, paper);
    if (!plain) return [];
    const found = beside(rows, searched, paper);
    texts.push(
      `${name} without a search ${plain.text}${found ? `, with one ${found.text}${found.cells < allCells.length ? ` in the ${found.cells} cells searched so far` : ""}` : ""}`,
    );
  }
  const forests = allCells
    .filter((cell) => cell.task === "regression")
    .flatMap((cell) => middle(rows, shownMethods.forest, cell) ?? []);
  const grows =
    forests.length > 1 && forests.at(-1)! >= forests[0]
      ? " The paper's forest finds less as rows grow (0.78 with 3,000, 0.61 with 100,000); this one finds more."
      : "";
  return [`Mimics: ${texts.join("; ")}.${grows}`, ...ownSearchText(rows)];
}

/** Whether it matters that the repeats of a cell share a search. */
function ownSearchText(rows: SimulationRows): string[] {
  const gaps = allCells.flatMap((cell) => {
    const shared = new Map(searchedRows(rows, cell).map(({ seed, areas }) => [seed, areas]));
    return searchRows(rows, cell).flatMap(({ seed, areas }) => {
      const other = shared.get(seed);
      return other ? [mimicMethods.map((method) => areas[method] - other[method])] : [];
    });
  });
  if (gaps.length === 0) return [];
  const [boosting, forest] = mimicMethods.map((_, m) => {
    const own = gaps.map((gap) => gap[m]);
    const mean = own.reduce((sum, gap) => sum + gap, 0) / own.length;
    const most = Math.max(...own.map(Math.abs));
    return `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(3)} on average and ${most.toFixed(3)} at most`;
  });
  return [
    `A search of its own in each of ${gaps.length} data sets changes their areas from those with the settings that all repeats share by ${boosting} for boosting, ${forest} for forests.`,
  ];
}

function selectionText({ selection }: SimulationRows): string[] {
  const found = summariseSelection(selection).filter(({ ranking }) =>
    ["one covariance", "ensemble meanSquared"].includes(ranking),
  );
  if (found.length === 0) return [];
  const over = found.filter(({ fdp, halfWidth }) => fdp - halfWidth > 0.1);
  return [
    `Knockoffs that promise a false discovery rate of 0.1 have between ${Math.min(...found.map(({ fdp }) => fdp)).toFixed(2)} and ${Math.max(...found.map(({ fdp }) => fdp)).toFixed(2)} in the ${found.length} rankings and cells recorded${over.length > 0 ? `, ${over.length} of them above it beyond their intervals` : ", none above it beyond its interval"}.`,
  ];
}

/** By 38 and 69 seconds for boosting and forest, 30 models by 2 folds, regression with 3,000 rows; measured once. */
const SEARCH_MINUTES = 7;

/** What was not run in full, and what it would take. */
function missingText(rows: SimulationRows): string[] {
  const named = (cells: readonly TableCell[]): string =>
    cells.map(({ task, rows: n }) => `${task} with ${n.toLocaleString("en")} rows`).join(", ");
  const ranks = allCells.filter((cell) => rankRows(rows, cell, "paper").length < SETS);
  const searched = allCells.filter((cell) => searchedRows(rows, cell).length < SETS);
  const searches = allCells.flatMap((cell) => searchRows(rows, cell));
  const minutes = searches.map(({ seconds }) => (seconds.boosting + seconds.forest) / 60);
  const cost =
    searches.length > 0
      ? ` A search of 30 models by 5 folds took ${median(minutes).toFixed(0)} minutes of one core at ${median(searches.map((row) => row.rows)).toLocaleString("en")} rows, both mimics together.`
      : ` A search of 30 models by 5 folds would take ${SEARCH_MINUTES} minutes of one core at 3,000 rows, both mimics together (measured with 2 folds, which have a quarter of the work), and grows with the rows.`;
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
