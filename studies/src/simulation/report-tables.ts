import { fold, keyFromSeed } from "@ratewise/core";
import { bootstrap, median } from "@ratewise/core/evaluate";
import { meanWithError } from "../mean-with-error.ts";
import { settingsText } from "../searched-mimic.ts";
import type { StudyTable } from "../study/study.ts";
import { type BarRow, barRows, barsTable } from "./bars.ts";
import { MOST_SEARCH_ROWS, type RankResult } from "./methods-cell.ts";
import { mimicMethods } from "./mimic-rankings.ts";
import { published, publishedIntervals, sizes, type Task } from "./published.ts";
import { rateRankings } from "./rate-rankings.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  searchedRows,
  searchRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";
import { summarise } from "./summary.ts";

export const TASKS: readonly Task[] = ["regression", "classification"];
export const NONE = "not run";
/** Of fewer data sets a bootstrap says nothing. */
export const ENOUGH_SETS = 10;

export const allCells: readonly TableCell[] = TASKS.flatMap((task) =>
  sizes.map((rows) => ({ task, rows })),
);

export function tablesOf(rows: SimulationRows): StudyTable[] {
  return [
    ...TASKS.map((task) => areaTable(rows, task)),
    barsTable(
      "Medians of networks and ensembles beside what was asked of them",
      rows.cells.length === 0 ? [] : askedRows(rows),
    ),
    ...rankedTables(rows),
    searchTable(rows),
    runTable(rows),
  ].filter((table) => table.rows.length > 0);
}

/** Tables 1 and 2: medians with intervals. */
function areaTable(rows: SimulationRows, task: Task): StudyTable {
  const of = (method: ShownMethod): (string | number)[] => [
    method.name,
    ...sizes.map((n) => {
      const areas = [...method.areas(rows, { task, rows: n }).values()];
      return areas.length === 0 ? NONE : areaText(areas, fold(keyFromSeed(1), method.name, n));
    }),
  ];
  const printed = (["rate", "boosting", "forest"] as const).map((which) => [
    `the paper's ${{ rate: "RATE", boosting: "GBM mimic", forest: "RF mimic" }[which]}, as printed`,
    ...published[task][which].map(
      (area, at) => `${area.toFixed(2)} (${publishedIntervals[task][which][at]})`,
    ),
  ]);
  return {
    title: `Table ${task === "regression" ? 1 : 2}: median area under the ROC curve (95% interval, of ${ENOUGH_SETS} data sets or more), ${task}`,
    columns: ["ranking", ...sizes.map((n) => `${n.toLocaleString("en")} rows`)],
    // What was run in some cell: its others are said not to have been.
    rows: [
      ...printed,
      ...Object.values(shownMethods)
        .map(of)
        .filter((row) => row.some((cell, at) => at > 0 && cell !== NONE)),
    ],
  };
}

/** A median with its interval, where there are data sets enough for one. */
function areaText(areas: readonly number[], key: Parameters<typeof fold>[0]): string {
  if (areas.length < ENOUGH_SETS) return median(areas).toFixed(3);
  const { estimate, lower, upper } = bootstrap(areas, median, { key, repeats: 1000 });
  return `${estimate.toFixed(3)} (${lower.toFixed(3)}–${upper.toFixed(3)})`;
}

/** What is asked of networks and ensembles, apart from the paper: areas, R² and accuracy on fresh rows. */
export function askedRows({ cells }: SimulationRows): BarRow[] {
  return barRows(summarise(cells)).filter(
    ({ median: found, cell }) => found !== null || !/autoregressive|blocks/.test(cell),
  );
}

const cellName = ({ task, rows }: TableCell): string => `${task} ${rows.toLocaleString("en")}`;

/** A column of a table that has a line for every cell: its value from the data sets ranked by all variants. */
type Column = readonly [string, (own: readonly RankResult[], cell: TableCell) => string];

/** Variants, the terms of RATE, and seconds, cell by cell. */
function rankedTables(rows: SimulationRows): StudyTable[] {
  const ranked = allCells
    .map((cell) => ({ cell, own: rankRows(rows, cell, "paper") }))
    .filter(({ own }) => own.length > 0);
  const table = (title: string, columns: readonly Column[]): StudyTable => ({
    title,
    columns: ["cell", ...columns.map(([name]) => name)],
    rows: ranked.map(({ cell, own }) => [
      cellName(cell),
      ...columns.map(([, value]) => value(own, cell)),
    ]),
  });
  const middle = (name: string, digits: number, pick: (row: RankResult) => number): Column => [
    name,
    (own) => median(own.map(pick)).toFixed(digits),
  ];
  const seconds = (name: string, stage: string): Column => [
    name,
    (own) => secondsText(own.map((row) => row.seconds[stage])),
  ];
  return [
    table(
      "RATE in every variant: median areas, one network of the recipe paper",
      rateRankings.map((name) => middle(name, 3, ({ areas }) => areas[name])),
    ),
    table("Is the trace term negligible, and does mutual information rank?", [
      middle("mean term as a share of the whole divergence", 4, ({ meanTerm }) => meanTerm),
      middle("Spearman of the two rankings", 4, ({ agreement }) => agreement.wholeDivergence),
      middle(
        "Spearman of RATE and mutual information",
        2,
        ({ agreement }) => agreement.mutualInformation,
      ),
    ]),
    table("Seconds of one core, means ± standard errors", [
      seconds("training", "train"),
      seconds("RATE", "rate"),
      seconds("gradient RATE", "gradient"),
      seconds("GBM mimic", "boosting"),
      seconds("RF mimic", "forest"),
      ...mimicMethods.map(
        (method): Column => [
          method === "boosting" ? "GBM search" : "RF search",
          (_, cell) => secondsText(searchRows(rows, cell).map((row) => row.seconds[method])),
        ],
      ),
    ]),
  ];
}

function secondsText(seconds: readonly number[]): string {
  if (seconds.length === 0) return NONE;
  const { mean, error } = meanWithError(seconds);
  const spread = Number.isNaN(error) ? "" : ` ± ${Number(error.toPrecision(1))}`;
  return `${Number(mean.toPrecision(2))}${spread}`;
}

function searchTable(rows: SimulationRows): StudyTable {
  return {
    title: "Searches: 30 models by 5 folds on the network's predictions",
    columns: ["cell", "data set", "mimic", "R² unsearched", "R² of the winner", "winner", "area"],
    rows: allCells
      .filter((cell) => cell.rows <= MOST_SEARCH_ROWS)
      .flatMap((cell) =>
        searchRows(rows, cell).flatMap(({ seed, settings, scores, areas }) =>
          mimicMethods.map((method) => [
            cell.rows < MOST_SEARCH_ROWS ? cellName(cell) : `${cellName(cell)} and more`,
            seed === 0 ? "one more, for all repeats" : `seed ${seed}, its own`,
            method === "boosting" ? "GBM" : "RF",
            scores[method][1].toFixed(3),
            scores[method][0].toFixed(3),
            settingsText(settings[method], 2),
            areas[method].toFixed(3),
          ]),
        ),
      ),
  };
}

/** How many data sets of each part there are: what is missing is told, not left out. */
function runTable(rows: SimulationRows): StudyTable {
  const { gradientOfFive, standardOfFive } = shownMethods;
  return {
    title: "Data sets run",
    columns: [
      ...["cell", "networks and ensembles, paper", "networks and ensembles, standard"],
      ...["variants and mimics", "mimics, searched", "searches"],
    ],
    rows: allCells.map((cell) => [
      cellName(cell),
      gradientOfFive.areas(rows, cell).size,
      standardOfFive.areas(rows, cell).size,
      rankRows(rows, cell, "paper").length,
      searchedRows(rows, cell).length,
      searchRows(rows, cell).length,
    ]),
  };
}
