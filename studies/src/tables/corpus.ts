import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Column, Table } from "@ratewise/core";
import type { LearningTask } from "@ratewise/core/data";
import { readTable } from "@ratewise/files";

/** A table of the corpus, as `studies/tables/fetch.py` lists it. */
export interface CorpusEntry {
  readonly name: string;
  /** `named`: of ISLP, palmerpenguins, scikit-learn and vega-datasets; `further`: of other packages. */
  readonly group: "named" | "further";
  readonly file: string;
  readonly target: string;
  readonly task: LearningTask;
  readonly rows: number;
  readonly predictors: number;
  readonly classes: number | null;
  readonly incompleteRows: number;
  readonly package: string;
  readonly version: string;
  readonly sha256: string;
}

/** Rows by number, the first being 0. */
export interface CorpusSplit {
  /** Training rows where they are cut to so many; null where 30% of the rows are for the test. */
  readonly cut: number | null;
  readonly seed: number;
  readonly train: readonly number[];
  readonly test: readonly number[];
}

const readJson = <Value>(folder: string, file: string): Value =>
  JSON.parse(readFileSync(join(folder, file), "utf8")) as Value;

export const readManifest = (folder: string): CorpusEntry[] =>
  readJson<CorpusEntry[]>(folder, "manifest.json");

export const readSplits = (folder: string, { name }: CorpusEntry): CorpusSplit[] =>
  readJson<CorpusSplit[]>(folder, `${name}.splits.json`);

export const readCorpusTable = (folder: string, { file }: CorpusEntry): Promise<Table> =>
  readTable(join(folder, file));

/** Some rows of a table, as a file of these rows alone would be read: levels that none of them has are left out. */
export function rowsOf(source: Table, rows: readonly number[]): Table {
  return { rows: rows.length, columns: source.columns.map((column) => takeRows(column, rows)) };
}

function takeRows(column: Column, rows: readonly number[]): Column {
  if (column.kind === "number")
    return { ...column, values: Float64Array.from(rows, (row) => column.values[row]) };
  const codes = new Map<number, number>();
  const coded = Int32Array.from(rows, (row) => {
    const code = column.codes[row];
    if (code >= 0 && !codes.has(code)) codes.set(code, codes.size);
    return codes.get(code) ?? -1;
  });
  return { ...column, levels: [...codes.keys()].map((code) => column.levels[code]), codes: coded };
}
