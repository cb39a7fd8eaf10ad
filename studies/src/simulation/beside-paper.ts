import { atLeast, type Finding, finding } from "../study/study.ts";
import { PRINTED_ROUNDING, placeOf, published, publishedBest } from "./published.ts";
import { allCells } from "./report-tables.ts";
import {
  middle,
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

/** By method, in how many of the cells that were run in full its median reaches what the paper's asks for. */
export function methodFindings(rows: SimulationRows): Finding[] {
  return asked.map(({ what, method, paper, bar }) => {
    const judged = allCells.filter((cell) => method.areas(rows, cell).size >= SETS);
    if (judged.length === 0) return finding(what, null, "no cell run in full");
    const least = (cell: TableCell): number => Number(bar(paper(cell, placeOf(cell))).toFixed(3));
    const reached = judged.filter((cell) => middle(rows, method, cell)! >= least(cell)).length;
    return finding(
      `${what}: cells, of ${judged.length} run`,
      ...([null, reached, atLeast(judged.length)] as const),
    );
  });
}
