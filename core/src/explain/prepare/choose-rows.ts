import { columnNamed, type Table } from "../../data/index.ts";
import { structureOfColumn } from "../../data/row-columns.ts";
import { type RowStructure, splitByStructure, structureOfRows } from "../../data/row-structure.ts";
import { foldRows, type Split, splitRows, splitRowsByClass } from "../../data/split.ts";
import { RatewiseError } from "../../errors.ts";
import type { Key } from "../../random/index.ts";
import { mention, say } from "../../words/words.ts";

/** Which rows no network sees, or not all of them. At most one of the four ways; default a share of the rows by chance. */
export interface SplitOptions {
  /** Share of the rows that no network sees. Default 0.3. */
  readonly testFraction?: number;
  /** A column of groups, such as patients: rows of one group stay together. It is left out of the predictors. */
  readonly splitBy?: string;
  /** A column of numbers, or of dates and times in ISO 8601: the latest rows are held out. It is left out of the predictors unless kept. */
  readonly time?: string;
  /** As many networks, each trained without one part of the rows: each row is held out once, and the networks are the ensemble. */
  readonly folds?: number;
  /** Rows to test on, in the same columns. */
  readonly test?: Table;
}

/** How the rows were held out, for the record. */
export type SplitRecord =
  | { readonly kind: "fraction"; readonly fraction: number }
  | {
      readonly kind: "groups";
      readonly fraction: number;
      readonly column: string;
      /** How many groups there are in either part. */
      readonly groups: { readonly train: number; readonly test: number };
    }
  | {
      readonly kind: "time";
      readonly fraction: number;
      readonly column: string;
      /** The earliest time that was held out, as the column has it. */
      readonly from: number | string;
    }
  | { readonly kind: "folds"; readonly folds: number }
  | { readonly kind: "file" };

/** Rows of the table in each part, and what ties them together. */
export interface ChosenRows extends Split {
  readonly split: SplitRecord;
  /** Of the training rows, whose parts held back in training keep to it too; and of the test rows. */
  readonly structure: { readonly train: RowStructure | null; readonly test: RowStructure | null };
  /** Places among the training rows that the network of each fold does not see; null where all networks see all of them. */
  readonly folds: readonly Uint32Array[] | null;
}

export interface RowsToSplit {
  readonly source: Table;
  /** The usable rows of it. */
  readonly rows: Uint32Array;
  /** Of those rows, class indexes; null for numbers. */
  readonly labels: Int32Array | null;
  readonly classes: number;
  /** Rows from here on are those of the test table. */
  readonly firstTest: number;
  readonly key: Key;
}

const LEAST_ROWS_IN_FOLD = 2;

/** Refuses what cannot be asked together. */
export function checkSplit({ testFraction, ...ways }: SplitOptions, ensemble = 1): void {
  const named = (["splitBy", "time", "folds", "test"] as const).filter(
    (name) => ways[name] !== undefined,
  );
  const refuse = (one: string, other: string) =>
    new RatewiseError("domain", {
      in: "explain",
      what: say`${mention(one)} and ${mention(other)} exclude one another`,
      advice: "give one of them",
    });
  if (named.length > 1) throw refuse(named[0], named[1]);
  const [way] = named;
  if (testFraction !== undefined && (way === "folds" || way === "test"))
    throw refuse("testFraction", way);
  if (ensemble > 1 && way === "folds") throw refuse("ensemble", way);
}

export function chooseRows(given: RowsToSplit, options: SplitOptions): ChosenRows {
  const { rows, firstTest } = given;
  const { splitBy, time, folds, test } = options;
  const none = { structure: { train: null, test: null }, folds: null };
  if (test) {
    const known = rows.filter((row) => row < firstTest);
    const unseen = rows.filter((row) => row >= firstTest);
    if (known.length === 0 || unseen.length === 0)
      throw new RatewiseError("domain", {
        at: known.length === 0 ? undefined : "the test table",
        what: "has no row with a target and every predictor",
      });
    return { train: known, test: unseen, split: { kind: "file" }, ...none };
  }
  if (folds !== undefined) return inFolds(given, folds);
  const fraction = options.testFraction ?? 0.3;
  if (splitBy !== undefined) return byColumn(given, "groups", splitBy, fraction);
  if (time !== undefined) return byColumn(given, "time", time, fraction);
  return {
    ...tableRows(rows, byChance(given, fraction)),
    split: { kind: "fraction", fraction },
    ...none,
  };
}

/** Classes keep their shares. */
function byChance({ rows, labels, classes, key }: RowsToSplit, fraction: number): Split {
  return labels
    ? splitRowsByClass(key, labels, classes, fraction)
    : splitRows(key, rows.length, fraction);
}

function inFolds({ rows, labels, key }: RowsToSplit, folds: number): ChosenRows {
  const most = Math.floor(rows.length / LEAST_ROWS_IN_FOLD);
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= most))
    throw new RatewiseError("domain", {
      in: "explain",
      what: say`needs from 2 to ${most} ${mention("folds")} of ${rows.length} rows, got ${folds}`,
    });
  const parts = foldRows(key, rows.length, folds, labels);
  for (const part of parts) {
    const held = new Set(part);
    checkClasses(labels?.filter((_, at) => !held.has(at)) ?? null);
  }
  return {
    train: rows,
    test: new Uint32Array(),
    split: { kind: "folds", folds },
    structure: { train: null, test: null },
    folds: parts,
  };
}

function byColumn(
  { source, rows, labels, key }: RowsToSplit,
  kind: RowStructure["kind"],
  name: string,
  fraction: number,
): ChosenRows {
  const column = columnNamed(source, name);
  const structure = structureOfColumn(kind, column, rows);
  const places = splitByStructure(key, structure, fraction);
  if (!places)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs at least 2 different ${kind === "time" ? "times" : "groups"} in column "${name}", got 1`,
      name,
    });
  checkClasses(labels && Int32Array.from(places.train, (at) => labels[at]));
  const train = structureOfRows(structure, places.train);
  const test = structureOfRows(structure, places.test);
  const count = ({ values }: RowStructure): number => new Set(values).size;
  const base = { ...tableRows(rows, places), structure: { train, test }, folds: null };
  if (kind === "groups") {
    const groups = { train: count(train), test: count(test) };
    return { ...base, split: { kind, fraction, column: name, groups } };
  }
  const first = test.values.indexOf(least(test.values));
  const row = base.test[first];
  const from = column.kind === "number" ? column.values[row] : column.levels[column.codes[row]];
  return { ...base, split: { kind: "time", fraction, column: name, from } };
}

function tableRows(rows: Uint32Array, { train, test }: Split): Split {
  return { train: train.map((at) => rows[at]), test: test.map((at) => rows[at]) };
}

/** Rows to learn from that are all of one class teach nothing. */
function checkClasses(labels: Int32Array | null): void {
  if (labels && new Set(labels).size < 2)
    throw new RatewiseError("domain", {
      in: "explain",
      what: "needs rows of at least 2 classes to learn from, but this split leaves one",
      advice: "hold out fewer rows, or split in another way",
    });
}

function least(values: ArrayLike<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) found = Math.min(found, values[i]);
  return found;
}
