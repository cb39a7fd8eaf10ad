import type { SimulationKind } from "./answer.ts";
import { rowsText } from "./cell-words.ts";
import { MOST_SEARCH_ROWS } from "./methods-cell.ts";
import { allCells, ENOUGH_SETS } from "./report-tables.ts";
import {
  rankRows,
  type SimulationRows,
  searchedRows,
  searchRows,
  shownMethods,
  timesRows,
} from "./simulation-rows.ts";

/** How it was done: of what was not run nothing is said. */
export function methodText(rows: SimulationRows, { quick, permuted }: SimulationKind): string[] {
  const control = permuted ? " Responses are permuted among the rows before anything is done." : "";
  return [
    `100 standard normal columns, 30 of them causal in three sets of 10, every variable of the first set in a product with every one of the second; additive effects, products and noise have 30%, 30% and 40% of the variance; classes are the sign with a tenth flipped. Causal set and effects are drawn anew for every data set, ${setsText(rows)}.${control}`,
    "70% of the rows train a network of 32-16 units, 30% of those for stopping: as the paper does (recipe paper: patience 2, last weights), and with an input penalty by validation (recipe standard). Rankings are made on the training rows; which variables are causal is looked at last.",
    `RATE is that of covariance effects with the noise term, one network, recipe paper; gradient RATE, or direct importance, is the closed form of RATE for a variable's derivatives at all rows${rows.cells.length > 0 ? " (*full*; *weak* is what that tends to for many weak variables, *meanSquared* the mean squared gradient)" : ""}. The variants: *noise* is the default; *nugget* adds a thousandth of the mean variance of an effect to the diagonal instead of the noise, *pseudo-inverse* inverts what has a rank, *r-2020* and *published* are what the code of 2020 and the paper's own code compute, *linear* projects by least squares.`,
    `Mimics are trained on the network's mean (or probability) at the training rows and rank by mean decrease in impurity. Without a search the GBM has 100 trees of 31 leaves and the forest 50 trees with a third of the variables a split and leaves of 5 rows. ${searchesText(rows)}`,
    timesText(rows),
    `${intervalsText(rows)} Times are of one core, processor time where the journal's clock says so. ${recordText(rows, quick || permuted)}`,
  ];
}

/** "seeds 1, 2, … in order, 25 a cell". */
function setsText(rows: SimulationRows): string {
  const sets = allCells.flatMap((cell) => {
    const own = Object.values(shownMethods).map((method) => method.areas(rows, cell).size);
    return Math.max(...own) > 0 ? [Math.max(...own)] : [];
  });
  const seeds = allCells.flatMap((cell) => [...shownMethods.rate.areas(rows, cell).keys()]);
  if (sets.length === 0) return "seeds in order";
  const [first, least, most] = [Math.min(...seeds), Math.min(...sets), Math.max(...sets)];
  return `seeds ${first}, ${first + 1}, … in order, ${least} a cell${most > least ? `, up to ${most} in some (see “Data sets run”)` : ""}`;
}

function searchesText(rows: SimulationRows): string {
  const searches = [...new Set(allCells.flatMap((cell) => searchRows(rows, cell)))];
  if (searches.length === 0) return "No search for better settings was run.";
  const searched = allCells.filter((cell) => searchedRows(rows, cell).length > 0);
  const large = searched.filter((cell) => cell.rows > MOST_SEARCH_ROWS).map((cell) => cell.rows);
  const shared =
    large.length > 0
      ? `, so that cells of ${rowsText([...new Set([MOST_SEARCH_ROWS, ...large])])} rows share one`
      : "";
  const own = allCells.flatMap((cell) => {
    const count = searches.filter(
      (row) => row.seed > 0 && row.rows === cell.rows && searchRows(rows, cell).includes(row),
    ).length;
    return count > 0 ? [{ rows: cell.rows, count }] : [];
  });
  const sizes = rowsText([...new Set(own.map((cell) => cell.rows))]);
  const counts = [...new Set(own.map(({ count }) => count))].join(" or ");
  return `With one, 30 models by 5 folds, as in the paper: once a cell, on one more data set of at most ${MOST_SEARCH_ROWS.toLocaleString("en")} rows whose winner all repeats use${shared}${own.length > 0 ? `; at ${sizes} rows also in each of ${counts} repeats by itself` : ""}. The paper prints no grids: these are the library's.`;
}

function timesText(rows: SimulationRows): string {
  const shown =
    "The figure and the table of seconds have all that follows the training under RATE: the rows through the network and the effect sizes too.";
  return allCells.some((cell) => timesRows(rows, cell).length > 0)
    ? `The RATE step is what leads from the Gaussian of the effect sizes to the ranking: what the paper solves p systems for. The whole is training and ranking by RATE and both mimics, without a search. ${shown}`
    : shown;
}

function intervalsText(rows: SimulationRows): string {
  const sets = allCells.flatMap((cell) => {
    const { length } = rankRows(rows, cell, "paper");
    return length > 0 ? [length] : [];
  });
  const few = `of fewer than ${ENOUGH_SETS} data sets there is none`;
  if (sets.length === 0 || Math.max(...sets) < ENOUGH_SETS) return `No intervals: ${few}.`;
  return `Intervals are 95%, percentiles of 1,000 bootstraps of the data sets${Math.min(...sets) < ENOUGH_SETS ? `; ${few}` : ""}.`;
}

function recordText({ cells, methods, selection }: SimulationRows, here: boolean): string {
  if (here) return "Every data set's values are in result.json.";
  const files = [
    ...(cells.length > 0 ? ["simulation.jsonl (networks and ensembles)"] : []),
    ...(methods.length > 0 ? ["methods.jsonl (variants, mimics, searches)"] : []),
    ...(selection.length > 0 ? ["selection.jsonl"] : []),
  ];
  return `Recorded data sets are rows of \`studies/results\`: ${files.join(", ")}; what a run computes is in its result.json.`;
}
