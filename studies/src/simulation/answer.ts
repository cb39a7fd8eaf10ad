import { median } from "@ratewise/core";
import { summariseSelection } from "../selection/summary.ts";
import { SETS } from "./beside-paper.ts";
import { middle } from "./cell-median.ts";
import { mimicMethods } from "./mimic-rankings.ts";
import { PRINTED_ROUNDING, published, publishedBest, sizes } from "./published.ts";
import type { RateRanking } from "./rate-rankings.ts";
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

interface Beside {
  readonly text: string;
  readonly cells: number;
  /** Cells whose median is above, and below, what was rounded to the paper's. */
  readonly above: number;
  readonly below: number;
}

/** "0.73 to 0.97" of a method over the cells that it was run in, beside the paper's. */
function beside(
  rows: SimulationRows,
  method: ShownMethod,
  paper: (cell: TableCell) => number,
): Beside | null {
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
    above: ours.filter((area, k) => area > theirs[k] + PRINTED_ROUNDING).length,
    below: ours.filter((area, k) => area < theirs[k] - PRINTED_ROUNDING).length,
  };
}

const ofCells = (count: number, cells: number): string =>
  count === cells ? `all ${cells} cells` : `${count} of ${cells} cells`;

/** "better than the paper's in 7 of 8 cells and as good in the rest". */
function compared({ cells, above, below }: Beside, whom: string): string {
  const rest = cells - above - below;
  return [
    `better than ${whom} in ${ofCells(above, cells)}`,
    ...(rest > 0 ? [`as good in ${rest}`] : []),
    ...(below > 0 ? [`worse in ${below}`] : []),
  ].join(", ");
}

function areasText(rows: SimulationRows): string[] {
  const best = (cell: TableCell): number => publishedBest(cell.task, placeOf(cell));
  const rate = beside(rows, shownMethods.rate, (cell) => published[cell.task].rate[placeOf(cell)]);
  const direct = beside(rows, shownMethods.standard, best);
  const parts = (
    [
      ["RATE of the recipe standard is", shownMethods.standardRate],
      ["gradients of the paper's own recipe are", shownMethods.gradient],
    ] as const
  ).flatMap(([name, method]) => {
    const found = beside(rows, method, best);
    return found ? [`${name} ${compared(found, "the paper's best")}`] : [];
  });
  return [
    ...(rate
      ? [
          `RATE with the paper's recipe finds the causal variables ${compared(rate, "the paper's RATE")}: median areas under the ROC curve are ${rate.text}.`,
        ]
      : []),
    ...(direct
      ? [
          `Direct importance, by gradients of a network of the recipe standard, is ${compared(direct, "the best of the paper's methods")}: ${direct.text}.${parts.length > 0 ? ` Recipe and ranking both have a part in it: ${parts.join("; ")}.` : ""}`,
        ]
      : []),
    ...mimicsBesideRate(rows),
  ];
}

/** Mimics of the same networks: fair beside RATE, unlike the numbers of the paper's. */
function mimicsBesideRate(rows: SimulationRows): string[] {
  const gaps = allCells.flatMap((cell) => {
    const own = rankRows(rows, cell, "paper").flatMap(({ areas }) =>
      areas.boosting === undefined ? [] : [{ rate: areas.noise, boosting: areas.boosting }],
    );
    if (own.length < 2) return [];
    return [median(own.map((row) => row.boosting)) - median(own.map((row) => row.rate))];
  });
  if (gaps.length === 0) return [];
  const above = gaps.filter((gap) => gap > 0).length;
  return [
    `On the same networks the boosting mimic ranks better than RATE in ${ofCells(above, gaps.length)}, by ${signed(Math.min(...gaps))} to ${signed(Math.max(...gaps))} in the median area${above > gaps.length / 2 ? ", as in the paper: what RATE has over it is its speed, and what it says of uncertainty" : ""}.`,
  ];
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function variantsText(rows: SimulationRows): string[] {
  const cells = allCells
    .map((cell) => rankRows(rows, cell, "paper"))
    .filter((own) => own.length > 0);
  if (cells.length === 0) return [];
  const all = cells.flat();
  const least = Math.min(...all.map(({ meanTerm }) => meanTerm));
  const same = Math.min(...all.map(({ agreement }) => agreement.wholeDivergence));
  const gaps = (name: RateRanking): number[] =>
    cells.map(
      (own) =>
        median(own.map(({ areas }) => areas[name])) - median(own.map(({ areas }) => areas.noise)),
    );
  const variants = (["nugget", "pseudo-inverse", "r-2020", "published"] as const).map((name) => {
    const own = gaps(name);
    return `${name} ${signed(Math.min(...own))} to ${signed(Math.max(...own))}`;
  });
  const information = gaps("mutual information");
  return [
    `The trace term is negligible: the mean term has at least ${(100 * least).toFixed(1)}% of the divergence in each of ${all.length} data sets, and both rank alike (Spearman ${same.toFixed(3)} at the least).`,
    `The other variants of RATE beside the default, by the median area of a cell: ${variants.join(", ")}.`,
    `Mutual information is no ranking of effects: it asks how an effect depends on the others, not how large it is, and its median area is ${signed(Math.min(...information))} to ${signed(Math.max(...information))} from that of RATE.`,
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
      ? " In regression the paper's forest finds less as rows grow (0.78 with 3,000, 0.61 with 100,000); this one finds more."
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
    return `${signed(mean)} on average and ${most.toFixed(3)} at most`;
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
