import { atLeast, type Finding, finding, type StudyReport } from "../study/study.ts";
import { answerText } from "./answer.ts";
import { methodFindings } from "./beside-paper.ts";
import { cellText, middle } from "./cell-median.ts";
import { figuresOf } from "./figure.ts";
import { published, sizes } from "./published.ts";
import { askedRows, tablesOf } from "./report-tables.ts";
import {
  type ShownMethod,
  type SimulationRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";
import { timeFindings } from "./times.ts";

/** The page of the simulation from whatever rows there are. */
export function simulationReport(rows: SimulationRows, quick: boolean): StudyReport {
  return {
    method: methodText(),
    answer: answerText(rows, quick),
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
    "RATE is that of covariance effects with the noise term, one network, recipe paper; gradient RATE, or direct importance, is the closed form of RATE for a variable's derivatives at all rows (*full*; *weak* is what that tends to for many weak variables, *meanSquared* the mean squared gradient; where the best form is told it is the best of the three in that cell, seen afterwards). The variants: *noise* is the default; *nugget* adds a thousandth of the mean variance of an effect to the diagonal instead of the noise, *pseudo-inverse* inverts what has a rank, *r-2020* and *published* are what the code of 2020 and the paper's own code compute, *linear* projects by least squares.",
    "Mimics are trained on the network's mean (or probability) at the training rows and rank by mean decrease in impurity. Without a search the GBM has 100 trees of 31 leaves and the forest 50 trees with a third of the variables a split and leaves of 5 rows. With one, 30 models by 5 folds, as in the paper: once a cell, on one more data set of at most 10,000 rows whose winner all repeats use, so that cells of 10,000 rows and more share one; at 3,000 rows also in each of 3 repeats by itself. The paper prints no grids: these are the library's.",
    "The RATE step is what leads from the Gaussian of the effect sizes to the ranking: what the paper solves p systems for. The whole is training and ranking by RATE and both mimics, without a search. The figure and the table of seconds have all that follows the training under RATE: the rows through the network and the effect sizes too.",
    "Intervals are percentiles of 1,000 bootstraps of the data sets. Times are of one core, processor time where the journal's clock says so. Every data set's values are rows of `studies/results`: simulation.jsonl (networks and ensembles), methods.jsonl (variants, mimics, searches), selection.jsonl.",
  ];
}

function findingsOf(rows: SimulationRows): Finding[] {
  return [...methodFindings(rows), askedFinding(rows), ...timeFindings(rows)];
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
