import { existsSync } from "node:fs";
import { join } from "node:path";
import { median } from "@ratewise/core/evaluate";
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

/** All that the page is made of: one row per data set and part. */
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

/** A ranking of the tables: its areas in a cell, one per seed. */
export interface ShownMethod {
  readonly name: string;
  /** Which of the paper's rows it repeats. */
  readonly paper: "rate" | "boosting" | "forest" | null;
  readonly areas: (rows: SimulationRows, cell: TableCell) => ReadonlyMap<number, number>;
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

/** Rows of a cell that are of one part. */
function partRows<Part extends MethodsResult>(
  { methods }: SimulationRows,
  study: Part["study"],
  { task, rows }: TableCell,
  recipe: "paper" | "standard" = "paper",
): Part[] {
  return methods.filter(
    (row): row is Part =>
      row.study === study &&
      row.recipe === recipe &&
      row.link === linkOf(task) &&
      row.rows === rows,
  );
}

export const rankRows = (
  rows: SimulationRows,
  cell: TableCell,
  recipe: "paper" | "standard",
): RankResult[] => partRows(rows, "rank", cell, recipe);

export const searchedRows = (rows: SimulationRows, cell: TableCell): SearchedResult[] =>
  partRows(rows, "searched", cell);

export const timesRows = (rows: SimulationRows, cell: TableCell): TimesResult[] =>
  partRows(rows, "times", cell);

/** Cells of more than `MOST_SEARCH_ROWS` rows share a search. */
export const searchRows = (rows: SimulationRows, cell: TableCell): SearchResult[] =>
  partRows(rows, "search", { ...cell, rows: Math.min(cell.rows, MOST_SEARCH_ROWS) });

type SeedAreas = readonly (readonly [seed: number, area: number])[];

const cellRows = (
  { cells }: SimulationRows,
  { task, rows }: TableCell,
  recipe: "paper" | "standard",
): CellResult[] =>
  cells.filter(
    (row) =>
      row.recipe === recipe &&
      row.link === linkOf(task) &&
      row.rows === rows &&
      row.correlation.kind === "independent",
  );

function shown(
  name: string,
  paper: ShownMethod["paper"],
  areas: (rows: SimulationRows, cell: TableCell) => SeedAreas,
): ShownMethod {
  return { name, paper, areas: (rows, cell) => new Map(areas(rows, cell)) };
}

/** Areas of both sources: where a data set is in both they are of one and the same network. */
const ofOneNetwork =
  (
    recipe: "paper" | "standard",
    inCell: "covariance" | "full",
    inRank: "noise" | "gradient",
  ): Parameters<typeof shown>[2] =>
  (rows, cell) => [
    ...rankRows(rows, cell, recipe).map(({ seed, areas }) => [seed, areas[inRank]] as const),
    ...cellRows(rows, cell, recipe).map(({ seed, one }) => [seed, one[inCell]] as const),
  ];

const ofFive =
  (recipe: "paper" | "standard"): Parameters<typeof shown>[2] =>
  (rows, cell) =>
    cellRows(rows, cell, recipe)
      .filter(({ members }) => members === 5)
      .map(({ seed, ensemble }) => [seed, ensemble.full]);

/** Mimics of the paper's networks, with the settings of a search or without. */
const ofMimic =
  (method: "boosting" | "forest", searched: boolean): Parameters<typeof shown>[2] =>
  (rows, cell) =>
    (searched ? searchedRows(rows, cell) : rankRows(rows, cell, "paper")).map(({ seed, areas }) => [
      seed,
      areas[method]!,
    ]);

/** The rows of the tables, in their order. */
export const shownMethods: Readonly<Record<ShownName, ShownMethod>> = {
  rate: shown("RATE", "rate", ofOneNetwork("paper", "covariance", "noise")),
  boosting: shown("GBM mimic", "boosting", ofMimic("boosting", false)),
  boostingSearched: shown("GBM mimic, searched", "boosting", ofMimic("boosting", true)),
  forest: shown("RF mimic", "forest", ofMimic("forest", false)),
  forestSearched: shown("RF mimic, searched", "forest", ofMimic("forest", true)),
  gradient: shown("gradient RATE", null, ofOneNetwork("paper", "full", "gradient")),
  gradientOfFive: shown("gradient RATE, five networks", null, ofFive("paper")),
  standardRate: shown("RATE, standard", null, ofOneNetwork("standard", "covariance", "noise")),
  standard: shown("gradient RATE, standard", null, ofOneNetwork("standard", "full", "gradient")),
  standardOfFive: shown("gradient RATE, standard, five networks", null, ofFive("standard")),
};

/** The median area of a method in a cell; null where it was not run. */
export function middle(rows: SimulationRows, method: ShownMethod, cell: TableCell): number | null {
  const areas = [...method.areas(rows, cell).values()];
  return areas.length > 0 ? median(areas) : null;
}
