import { atLeast, type Finding, finding } from "../study/study.ts";
import { cellText, middle } from "./cell-median.ts";
import { PRINTED_ROUNDING, placeOf, published, publishedBest } from "./published.ts";
import { allCells } from "./report-tables.ts";
import {
  type ShownMethod,
  type SimulationRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

/** How far below the paper's median RATE and a mimic may come out. */
const RATE_ROOM = 0.02;
const MIMIC_ROOM = 0.03;
/** Data sets of a cell, as in the paper: fewer are told, not judged. */
export const SETS = 25;

/** What is asked of a method in every cell. */
interface Asked {
  /** In the words of the page. */
  readonly what: string;
  readonly method: ShownMethod;
  readonly paper: (cell: TableCell, at: number) => number;
  /** What the paper's median asks for. */
  readonly bar: (paper: number) => number;
}

const printed =
  (which: "rate" | "boosting" | "forest") =>
  ({ task }: TableCell, at: number): number =>
    published[task][which][at];

const mimic = (method: ShownMethod, which: "boosting" | "forest"): Asked => ({
  what: `${method.name} at most ${MIMIC_ROOM} below the paper's`,
  method,
  paper: printed(which),
  bar: (paper) => paper - MIMIC_ROOM,
});

const asked: readonly Asked[] = [
  {
    what: `RATE at most ${RATE_ROOM} below the paper's median area`,
    method: shownMethods.rate,
    paper: printed("rate"),
    bar: (paper) => paper - RATE_ROOM,
  },
  {
    what: "direct importance, recipe standard, above the paper's best method",
    method: shownMethods.standard,
    paper: ({ task }, at) => publishedBest(task, at),
    bar: (paper) => paper + PRINTED_ROUNDING,
  },
  mimic(shownMethods.boosting, "boosting"),
  mimic(shownMethods.boostingSearched, "boosting"),
  mimic(shownMethods.forest, "forest"),
  mimic(shownMethods.forestSearched, "forest"),
];

/**
 * Medians beside the paper's in every cell, each with the bar it has to reach. A cell that was not run in full is shown and not judged.
 * @internal
 */
export function cellFindings(rows: SimulationRows): Finding[] {
  return asked.flatMap((row) => allCells.map((cell) => inCell(rows, row, cell)));
}

function inCell(rows: SimulationRows, { method, paper, bar }: Asked, cell: TableCell): Finding {
  const median = paper(cell, placeOf(cell));
  const found = middle(rows, method, cell);
  const what = `${method.name}: ${cellText(cell)}`;
  const sets = method.areas(rows, cell).size;
  if (found === null) return finding(what, median, "not run");
  if (sets < SETS)
    return finding(what, median, `${found.toFixed(3)}, ${sets} of ${SETS} data sets`);
  return finding(what, median, found, atLeast(Number(bar(median).toFixed(3))));
}

/** The same by method: in how many of the cells that were run. */
export function methodFindings(rows: SimulationRows): Finding[] {
  return asked.map((row) => {
    const judged = allCells
      .map((cell) => inCell(rows, row, cell).holds)
      .filter((holds) => holds !== null);
    const what = `${row.what}: cells, of ${judged.length} run`;
    return judged.length === 0
      ? finding(row.what, null, "no cell run in full")
      : finding(what, null, judged.filter((holds) => holds).length, atLeast(judged.length));
  });
}
