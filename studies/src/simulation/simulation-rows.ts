import { existsSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../journal.ts";
import type { SelectionResult } from "../selection/task.ts";
import type { CellResult } from "./cell.ts";
import {
  type MethodsResult,
  MOST_SEARCH_ROWS,
  type RankResult,
  type SearchedResult,
  type SearchResult,
  type TimesResult,
} from "./methods-cell.ts";
import type { Task } from "./published.ts";

/** All that the page is made of: one row a data set and part. */
export interface SimulationRows {
  /** One network and ensembles, of both recipes. */
  readonly cells: readonly CellResult[];
  /** Every variant of RATE, and the mimics. */
  readonly methods: readonly MethodsResult[];
  readonly selection: readonly SelectionResult[];
}

/** What a checkout has recorded; nothing where the package was installed. */
export function recordedRows(
  folder: string = join(import.meta.dirname, "../../results"),
): SimulationRows {
  const read = <Row>(name: string): Row[] =>
    existsSync(join(folder, name)) ? openJournal<Row>(join(folder, name)).rows : [];
  return {
    cells: read<CellResult>("simulation.jsonl"),
    methods: read<MethodsResult>("methods.jsonl"),
    selection: read<SelectionResult>("selection.jsonl"),
  };
}

/** A column of the paper's Tables 1 or 2. */
export interface TableCell {
  readonly task: Task;
  readonly rows: number;
}

export const linkOf = (task: Task): "identity" | "logistic" =>
  task === "regression" ? "identity" : "logistic";

/** A ranking of the tables: its areas in a cell, one a seed. */
export interface ShownMethod {
  readonly name: string;
  /** Which of the paper's rows it repeats. */
  readonly paper: "rate" | "boosting" | "forest" | null;
  readonly areas: (rows: SimulationRows, cell: TableCell) => ReadonlyMap<number, number>;
  /** Its curve in each data set. */
  readonly curves: (rows: SimulationRows, cell: TableCell) => readonly (readonly number[])[];
}

type ShownName =
  | "rate"
  | "boosting"
  | "boostingSearched"
  | "forest"
  | "forestSearched"
  | "gradient"
  | "gradientOfFive"
  | "standardRate"
  | "standard"
  | "standardOfFive";

export function rankRows(
  { methods }: SimulationRows,
  { task, rows }: TableCell,
  recipe: "paper" | "standard",
): RankResult[] {
  return methods.filter(
    (row): row is RankResult =>
      row.study === "rank" &&
      row.recipe === recipe &&
      row.link === linkOf(task) &&
      row.rows === rows,
  );
}

export function searchedRows({ methods }: SimulationRows, cell: TableCell): SearchedResult[] {
  return methods.filter(
    (row): row is SearchedResult =>
      row.study === "searched" && row.link === linkOf(cell.task) && row.rows === cell.rows,
  );
}

export function timesRows({ methods }: SimulationRows, cell: TableCell): TimesResult[] {
  return methods.filter(
    (row): row is TimesResult =>
      row.study === "times" && row.link === linkOf(cell.task) && row.rows === cell.rows,
  );
}

/** Cells of more than `MOST_SEARCH_ROWS` rows share a search. */
export function searchRows({ methods }: SimulationRows, cell: TableCell): SearchResult[] {
  const rows = Math.min(cell.rows, MOST_SEARCH_ROWS);
  return methods.filter(
    (row): row is SearchResult =>
      row.study === "search" && row.link === linkOf(cell.task) && row.rows === rows,
  );
}

function cellRows(
  { cells }: SimulationRows,
  { task, rows }: TableCell,
  recipe: "paper" | "standard",
): CellResult[] {
  return cells.filter(
    (row) =>
      row.recipe === recipe &&
      row.link === linkOf(task) &&
      row.rows === rows &&
      row.correlation.kind === "independent",
  );
}

/** Areas by seed, of both sources: where a data set is in both they are of one and the same network. */
function ofOneNetwork(
  recipe: "paper" | "standard",
  inCell: "covariance" | "full",
  inRank: "noise" | "gradient",
): Pick<ShownMethod, "areas" | "curves"> {
  return {
    areas: (rows, cell) =>
      new Map([
        ...rankRows(rows, cell, recipe).map(({ seed, areas }) => [seed, areas[inRank]] as const),
        ...cellRows(rows, cell, recipe).map(({ seed, one }) => [seed, one[inCell]] as const),
      ]),
    curves: (rows, cell) => rankRows(rows, cell, recipe).map(({ curves }) => curves[inRank]),
  };
}

function ofFive(recipe: "paper" | "standard"): Pick<ShownMethod, "areas" | "curves"> {
  return {
    areas: (rows, cell) =>
      new Map(
        cellRows(rows, cell, recipe)
          .filter(({ members }) => members === 5)
          .map(({ seed, ensemble }) => [seed, ensemble.full]),
      ),
    curves: () => [],
  };
}

function ofMimic(method: "boosting" | "forest"): Pick<ShownMethod, "areas" | "curves"> {
  return {
    areas: (rows, cell) =>
      new Map(rankRows(rows, cell, "paper").map(({ seed, areas }) => [seed, areas[method]!])),
    curves: (rows, cell) => rankRows(rows, cell, "paper").map(({ curves }) => curves[method]),
  };
}

function ofSearched(method: "boosting" | "forest"): Pick<ShownMethod, "areas" | "curves"> {
  return {
    areas: (rows, cell) =>
      new Map(searchedRows(rows, cell).map(({ seed, areas }) => [seed, areas[method]])),
    curves: (rows, cell) => searchedRows(rows, cell).map(({ curves }) => curves[method]),
  };
}

/** The rows of the tables, in their order. */
export const shownMethods: Readonly<Record<ShownName, ShownMethod>> = {
  rate: { name: "RATE", paper: "rate", ...ofOneNetwork("paper", "covariance", "noise") },
  boosting: { name: "GBM mimic", paper: "boosting", ...ofMimic("boosting") },
  boostingSearched: { name: "GBM mimic, searched", paper: "boosting", ...ofSearched("boosting") },
  forest: { name: "RF mimic", paper: "forest", ...ofMimic("forest") },
  forestSearched: { name: "RF mimic, searched", paper: "forest", ...ofSearched("forest") },
  gradient: { name: "gradient RATE", paper: null, ...ofOneNetwork("paper", "full", "gradient") },
  gradientOfFive: { name: "gradient RATE, five networks", paper: null, ...ofFive("paper") },
  standardRate: {
    ...{ name: "RATE, standard", paper: null },
    ...ofOneNetwork("standard", "covariance", "noise"),
  },
  standard: {
    ...{ name: "gradient RATE, standard", paper: null },
    ...ofOneNetwork("standard", "full", "gradient"),
  },
  standardOfFive: {
    ...{ name: "gradient RATE, standard, five networks", paper: null },
    ...ofFive("standard"),
  },
};
