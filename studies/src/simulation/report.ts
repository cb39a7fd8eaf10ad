import { atLeast, atMost, type Finding, finding, type StudyReport } from "../study/study.ts";
import { answerText, missingText } from "./answer.ts";
import { cellText, middle } from "./cell-median.ts";
import { figuresOf } from "./figure.ts";
import { published, publishedBest, sizes } from "./published.ts";
import { allCells, askedRows, tablesOf } from "./report-tables.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

/** Medians of the paper have two digits: this much above one of them is above what was rounded to it. */
const ROUNDING = 0.005;
/** How far below the paper's median RATE and a mimic may come out. */
const RATE_ROOM = 0.02;
const MIMIC_ROOM = 0.03;
const MINUTES = 30;
/** Data sets of a cell, as in the paper: fewer are told, not judged. */
const SETS = 25;

/** The page of the simulation from whatever rows there are. */
export function simulationReport(rows: SimulationRows, quick: boolean): StudyReport {
  return {
    method: methodText(),
    answer: [...answerText(rows), ...(quick ? [] : missingText(rows))],
    findings: quick ? quickFindings(rows) : findingsOf(rows),
    tables: tablesOf(rows),
    figures: figuresOf(rows),
    numbers: { ...rows },
  };
}

function methodText(): string[] {
  return [
    "100 standard normal columns, 30 of them causal in three sets of 10, every variable of the first set in a product with every one of the second; additive effects, products and noise have 30%, 30% and 40% of the variance; classes are the sign with a tenth flipped. Causal set and effects are drawn anew for every data set, seeds 1, 2, 3, … in order, 25 a cell (50 where a median came within 0.01 of what was asked).",
    "70% of the rows train a network of 32-16 units, 30% of those for stopping: as the paper does (recipe paper: patience 2, last weights), and with an input penalty by validation (recipe standard). Rankings are made on the training rows; which variables are causal is looked at last.",
    "RATE is that of covariance effects with the noise term, one network, recipe paper. Mimics are trained on the network's mean (or probability) at the training rows and rank by mean decrease in impurity. Without a search the GBM has 100 trees of 31 leaves and the forest 50 trees with a third of the variables a split and leaves of 5 rows. With one, 30 models by 5 folds, as in the paper: once a cell, on one more data set of at most 10,000 rows whose winner all repeats use; at 3,000 rows also in each of 3 repeats by itself. The paper prints no grids: these are the library's.",
    "Intervals are percentiles of 1,000 bootstraps of the data sets. Times are of one core, processor time where the journal's clock says so. Every data set's values are rows of `studies/results`: simulation.jsonl (networks and ensembles), methods.jsonl (variants, mimics, searches), selection.jsonl.",
  ];
}

/** A median beside the paper's, with the bar that it has to reach; told where it has not been run. */
function beside(
  rows: SimulationRows,
  method: ShownMethod,
  paper: (cell: TableCell, at: number) => number,
  bar: (paper: number) => number,
): Finding[] {
  return allCells.map((cell) => {
    const printed = paper(cell, sizes.indexOf(cell.rows as (typeof sizes)[number]));
    const found = middle(rows, method, cell);
    const what = `${method.name}: ${cellText(cell)}`;
    const sets = method.areas(rows, cell).size;
    if (found !== null && sets < SETS)
      return finding(what, printed, `${found.toFixed(3)}, ${sets} of ${SETS} data sets`);
    return found === null
      ? finding(what, printed, "not run")
      : finding(what, printed, found, atLeast(Number(bar(printed).toFixed(3))));
  });
}

function findingsOf(rows: SimulationRows): Finding[] {
  const printed = (which: "rate" | "boosting" | "forest") => (cell: TableCell, at: number) =>
    published[cell.task][which][at];
  const mimics = [
    [shownMethods.boosting, "boosting"],
    [shownMethods.boostingSearched, "boosting"],
    [shownMethods.forest, "forest"],
    [shownMethods.forestSearched, "forest"],
  ] as const;
  return [
    ...beside(rows, shownMethods.rate, printed("rate"), (paper) => paper - RATE_ROOM),
    ...beside(
      rows,
      shownMethods.standard,
      ({ task }, at) => publishedBest(task, at),
      (paper) => paper + ROUNDING,
    ).map((row) => ({ ...row, what: `${row.what}, beside the paper's best` })),
    ...mimics.flatMap(([method, which]) =>
      beside(rows, method, printed(which), (paper) => paper - MIMIC_ROOM),
    ),
    askedFinding(rows),
    ...timeFindings(rows),
  ];
}

function askedFinding(rows: SimulationRows): Finding {
  const asked = askedRows(rows);
  return finding(
    "medians of networks and ensembles that reach what was asked of them",
    null,
    asked.filter(({ verdict }) => verdict.startsWith("holds")).length,
    atLeast(asked.length),
  );
}

/** What the paper's methods took, and RATE in it. */
function timeFindings(rows: SimulationRows): Finding[] {
  const ranked = allCells.map((cell) => rankRows(rows, cell, "paper"));
  const all = ranked.flat();
  if (all.length === 0) return [];
  const sum = (of: (seconds: Readonly<Record<string, number>>) => number): number =>
    all.reduce((total, { seconds }) => total + of(seconds), 0);
  const whole = sum(({ train, rate, boosting, forest }) => train + rate + boosting + forest);
  const complete = ranked.every((own) => own.length >= SETS);
  const minutes = whole / 60 / 2;
  return [
    complete
      ? finding(
          "the paper's methods without search, minutes of two cores",
          null,
          minutes,
          atMost(MINUTES),
        )
      : finding(
          "the paper's methods without search, minutes of two cores",
          null,
          `${minutes.toFixed(1)} for ${all.length} of 200 data sets`,
        ),
    finding("share of RATE in that", null, sum(({ rate }) => rate) / whole),
  ];
}

/** What two data sets of 3,000 rows a link have to show; permuted responses show none of it. */
function quickFindings(rows: SimulationRows): Finding[] {
  const small = (task: TableCell["task"]): TableCell => ({ task, rows: sizes[0] });
  const line = (method: ShownMethod, task: TableCell["task"], bar: number): Finding =>
    finding(
      `${method.name}: ${cellText(small(task))}`,
      method.paper && published[task][method.paper][0],
      middle(rows, method, small(task))!,
      atLeast(bar),
    );
  return [
    line(shownMethods.rate, "regression", 0.75),
    line(shownMethods.boosting, "regression", 0.75),
    line(shownMethods.forest, "regression", 0.7),
    line(shownMethods.standard, "regression", 0.88),
    line(shownMethods.rate, "classification", 0.66),
    line(shownMethods.standard, "classification", 0.72),
  ];
}
