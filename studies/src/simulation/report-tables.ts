import { fold, keyFromSeed } from "@ratewise/core";
import { bootstrap, median } from "@ratewise/core/evaluate";
import { meanWithError } from "../mean-with-error.ts";
import { summariseSelection } from "../selection/summary.ts";
import type { StudyTable } from "../study/study.ts";
import { type BarRow, barRows } from "./bars.ts";
import { MOST_SEARCH_ROWS } from "./methods-cell.ts";
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

const TASKS: readonly Task[] = ["regression", "classification"];
const NONE = "not run";
/** Of fewer data sets a bootstrap says nothing. */
export const ENOUGH_SETS = 10;

export const allCells: readonly TableCell[] = TASKS.flatMap((task) =>
  sizes.map((rows) => ({ task, rows })),
);

export function tablesOf(rows: SimulationRows): StudyTable[] {
  return [
    ...TASKS.map((task) => areaTable(rows, task)),
    askedTable(rows),
    variantTable(rows),
    termTable(rows),
    timeTable(rows),
    searchTable(rows),
    selectionTable(rows),
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

function askedTable(rows: SimulationRows): StudyTable {
  return {
    title: "Medians of networks and ensembles beside what was asked of them",
    columns: ["what", "cell", "data sets", "median", "form", "at least", ""],
    rows:
      rows.cells.length === 0
        ? []
        : askedRows(rows).map((row) => [
            row.what,
            row.cell,
            row.seeds,
            row.median === null ? NONE : row.median.toFixed(3),
            row.form,
            row.atLeast,
            row.verdict,
          ]),
  };
}

const cellName = ({ task, rows }: TableCell): string => `${task} ${rows.toLocaleString("en")}`;

/** Every cell with data sets ranked by all variants, and those data sets. */
function ranked(rows: SimulationRows) {
  return allCells
    .map((cell) => ({ cell, own: rankRows(rows, cell, "paper") }))
    .filter(({ own }) => own.length > 0);
}

function variantTable(rows: SimulationRows): StudyTable {
  return {
    title: "RATE in every variant: median areas, one network of the recipe paper",
    columns: ["cell", ...rateRankings],
    rows: ranked(rows).map(({ cell, own }) => [
      cellName(cell),
      ...rateRankings.map((name) => median(own.map(({ areas }) => areas[name])).toFixed(3)),
    ]),
  };
}

function termTable(rows: SimulationRows): StudyTable {
  return {
    title: "Is the trace term negligible, and does mutual information rank?",
    columns: [
      "cell",
      "mean term as a share of the whole divergence",
      "Spearman of the two rankings",
      "Spearman of RATE and mutual information",
    ],
    rows: ranked(rows).map(({ cell, own }) => [
      cellName(cell),
      median(own.map(({ meanTerm }) => meanTerm)).toFixed(4),
      median(own.map(({ agreement }) => agreement.wholeDivergence)).toFixed(4),
      median(own.map(({ agreement }) => agreement.mutualInformation)).toFixed(2),
    ]),
  };
}

function timeTable(rows: SimulationRows): StudyTable {
  const stages = ["train", "rate", "gradient", ...mimicMethods];
  const text = (seconds: readonly number[]): string => {
    if (seconds.length === 0) return NONE;
    const { mean, error } = meanWithError(seconds);
    const spread = Number.isNaN(error) ? "" : ` ± ${Number(error.toPrecision(1))}`;
    return `${Number(mean.toPrecision(2))}${spread}`;
  };
  return {
    title: "Seconds of one core, means ± standard errors",
    columns: [
      "cell",
      "training",
      "RATE",
      "gradient RATE",
      "GBM mimic",
      "RF mimic",
      "GBM search",
      "RF search",
    ],
    rows: ranked(rows).map(({ cell, own }) => [
      cellName(cell),
      ...stages.map((stage) => text(own.map(({ seconds }) => seconds[stage]))),
      ...mimicMethods.map((method) =>
        text(searchRows(rows, cell).map(({ seconds }) => seconds[method])),
      ),
    ]),
  };
}

const cellsWithSearch = allCells.filter(({ rows }) => rows <= MOST_SEARCH_ROWS);

function searchTable(rows: SimulationRows): StudyTable {
  return {
    title: "Searches: 30 models by 5 folds on the network's predictions",
    columns: ["cell", "data set", "mimic", "R² unsearched", "R² of the winner", "winner", "area"],
    rows: cellsWithSearch.flatMap((cell) =>
      searchRows(rows, cell).flatMap(({ seed, settings, scores, areas }) =>
        mimicMethods.map((method) => [
          cell.rows < MOST_SEARCH_ROWS ? cellName(cell) : `${cellName(cell)} and more`,
          seed === 0 ? "one more, for all repeats" : `seed ${seed}, its own`,
          method === "boosting" ? "GBM" : "RF",
          scores[method][1].toFixed(3),
          scores[method][0].toFixed(3),
          settingsText(settings[method]),
          areas[method].toFixed(3),
        ]),
      ),
    ),
  };
}

function settingsText(settings: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(settings).map(
    ([name, value]) =>
      `${name} ${typeof value === "number" ? Number(value.toPrecision(2)) : value}`,
  );
  return named.length === 0 ? "as without a search" : named.join(", ");
}

function selectionTable({ selection }: SimulationRows): StudyTable {
  const asked = ["one covariance", "ensemble meanSquared"];
  return {
    title: "Selection by knockoffs at a false discovery rate of 0.1",
    columns: [
      "cell",
      "ranking",
      "data sets",
      "false discovery proportion ± half its 95% interval",
      "power",
    ],
    rows: summariseSelection(selection)
      .filter(({ ranking }) => asked.includes(ranking))
      .map(({ cell, ranking, seeds, fdp, halfWidth, power }) => [
        cell,
        ranking === asked[0] ? "RATE, one network" : "mean squared gradient, five networks",
        seeds,
        `${fdp.toFixed(3)} ± ${halfWidth.toFixed(3)}`,
        power.toFixed(3),
      ]),
  };
}

/** How many data sets of each part there are: what is missing is told, not left out. */
function runTable(rows: SimulationRows): StudyTable {
  return {
    title: "Data sets run",
    columns: [
      "cell",
      "networks and ensembles, paper",
      "networks and ensembles, standard",
      "variants and mimics",
      "mimics, searched",
      "searches",
    ],
    rows: allCells.map((cell) => [
      cellName(cell),
      shownMethods.gradientOfFive.areas(rows, cell).size,
      shownMethods.standardOfFive.areas(rows, cell).size,
      rankRows(rows, cell, "paper").length,
      searchedRows(rows, cell).length,
      searchRows(rows, cell).length,
    ]),
  };
}
