import { appendRows } from "../../data/append-rows.ts";
import { type Encoding, encode, fitEncoding, OTHER_LEVEL } from "../../data/design.ts";
import {
  type Column,
  columnNamed,
  type Exclusion,
  excludeColumns,
  indexNames,
  type LearningTask,
  readingNotes,
  type Table,
  type Target,
  targetFromColumn,
  type VariableGroup,
} from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { fold, type Key } from "../../random/index.ts";
import { mention, say, type Words } from "../../words/words.ts";
import { checkSplit, chooseRows, type SplitOptions } from "./choose-rows.ts";
import { columnNames, groupsOfColumns, variablesAsGroups } from "./column-names.ts";
import type { Prepared } from "./prepared.ts";
import { processRows } from "./process-rows.ts";

export interface PrepareOptions extends SplitOptions {
  readonly key: Key;
  readonly target: string;
  readonly task?: LearningTask;
  /** Rows with a missing predictor: left out, filled with the training mean, or an error. Default `drop`. */
  readonly missing?: MissingPolicy;
  /** Columns to leave out. */
  readonly exclude?: readonly string[];
  /** Columns to keep although they look like identifiers, dates or constants. */
  readonly keep?: readonly string[];
  /** A column of families: permuted responses stay within them. It is left out of the predictors. */
  readonly families?: string;
  /** Groups of the table's variables, given the names that are explained. */
  readonly groups?: (variables: ReadonlyMap<string, number>) => readonly VariableGroup[];
  /** A Bayesian network (default), or a Gaussian process for at most 4,000 training rows. */
  readonly model?: ModelKind;
  /** Training rows for the Gaussian process, drawn at random; default all. */
  readonly subsample?: number;
}

export const modelKinds = ["network", "gp"] as const;
export type ModelKind = (typeof modelKinds)[number];

export const missingPolicies = ["drop", "mean", "error"] as const;
export type MissingPolicy = (typeof missingPolicies)[number];

/** Fewer usable rows than this and there is nothing to learn from. */
const FEWEST_ROWS = 10;

/**
 * Chooses predictors and rows, splits them, and encodes both parts with what the training rows say.
 * Classes keep their shares in both parts. A Gaussian process gets as many training rows as it can take.
 */
export function prepare(given: Table, options: PrepareOptions): Prepared {
  const { missing = "drop", key } = options;
  checkSplit(options);
  const column = columnNamed(given, options.target);
  // Of one row every column is constant, which is not what is wrong with it.
  if (given.rows === 1) throw tooFewRows(1, 1);
  const { target: own, diagnostics: notes } = targetFromColumn(column, options.task);
  const { predictors: chosen, excluded } = choosePredictors(given, options);
  const diagnostics: Diagnostic[] = [...notes, ...readingNotes([column, ...chosen])];
  const { source, target } = withTestRows(given, own, chosen, options);
  const predictors = chosen.map(({ name }) => columnNamed(source, name));
  const rows = usableRows(source, target, predictors, missing, diagnostics, given.rows);

  const labels =
    target.task === "classification" ? Int32Array.from(rows, (row) => target.labels[row]) : null;
  const {
    train: trainRows,
    test: testRows,
    ...held
  } = chooseRows(
    {
      source,
      rows,
      labels,
      classes: target.task === "classification" ? target.classes.length : 0,
      firstTest: given.rows,
      key: fold(key, "split"),
    },
    options,
  );
  const encoding = fitEncoding(
    source,
    predictors.map(({ name }) => name),
    trainRows,
  );
  if (options.test) checkLevels(source, encoding, given.rows);
  const response = (part: Uint32Array) =>
    Float64Array.from(part, (row) =>
      target.task === "regression" ? target.values[row] : target.labels[row],
    );
  const variables = variablesAsGroups(encoding);
  const groups = options.groups?.(indexNames(variables.map(({ name }) => name))) ?? [];
  const prepared: Prepared = {
    task: target.task,
    target: target.name,
    classes: target.task === "classification" ? target.classes : null,
    encoding,
    train: { X: encode(encoding, source, trainRows), y: response(trainRows) },
    test: { X: encode(encoding, source, testRows), y: response(testRows) },
    rows: { train: trainRows, test: testRows },
    source,
    firstTest: options.test ? given.rows : 0,
    ...held,
    columnNames: columnNames(encoding),
    variables,
    categories: encoding.variables.map(({ kind }) => kind === "category"),
    groups: groupsOfColumns(variables, groups),
    excluded,
    diagnostics,
  };
  return options.model === "gp" ? processRows(prepared, key, options.subsample) : prepared;
}

function choosePredictors(
  source: Table,
  { target, keep = [], families, splitBy, time, ...options }: PrepareOptions,
): { predictors: Column[]; excluded: Exclusion[] } {
  const exclude = [...(options.exclude ?? []), ...(families === undefined ? [] : [families])];
  for (const name of [...exclude, ...keep]) columnNamed(source, name);
  for (const name of [splitBy, time])
    if (name !== undefined && columnNamed(source, name).name === target)
      throw new RatewiseError("domain", {
        in: "explain",
        what: `needs another column to split the rows by, got the target "${target}"`,
        name,
      });
  if (time !== undefined && keep.includes(time) && columnNamed(source, time).kind === "category")
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs numbers in column "${time}" to keep it as a predictor, got texts`,
      advice: "turn its dates into numbers",
      name: time,
    });
  const dividing = [
    ...(splitBy === undefined ? [] : [{ name: splitBy, reason: "its groups divide the rows" }]),
    ...(time === undefined || keep.includes(time)
      ? []
      : [{ name: time, reason: "its times divide the rows" }]),
  ].filter(({ name }) => !exclude.includes(name));
  const asked = new Set([...exclude, ...dividing.map(({ name }) => name)]);
  const others: Table = {
    rows: source.rows,
    columns: source.columns.filter(({ name }) => name !== target && !asked.has(name)),
  };
  const excluded = [
    ...exclude.map((name) => ({ name, reason: "left out as asked" })),
    ...dividing,
    ...excludeColumns(others, new Set(keep)),
  ];
  const out = new Set(excluded.map(({ name }) => name));
  const predictors = others.columns.filter(({ name }) => !out.has(name));
  if (predictors.length < 2)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs at least 2 predictors beside "${target}", got ${predictors.length}${describe(excluded)}`,
      excluded,
    });
  return { predictors, excluded };
}

/** The table with the rows of the test table after its own; the target of both. */
function withTestRows(
  source: Table,
  own: Target,
  predictors: readonly Column[],
  { test, target: name }: PrepareOptions,
): { source: Table; target: Target } {
  if (!test) return { source, target: own };
  const both = appendRows(
    source,
    test,
    new Set([name, ...predictors.map((column) => column.name)]),
  );
  const { target } = targetFromColumn(columnNamed(both, name), own.task);
  if (target.task === "classification" && own.task === "classification") {
    const strange = target.classes.find((label) => !own.classes.includes(label));
    if (strange !== undefined)
      throw new RatewiseError("domain", {
        at: "the test table",
        what: `the target "${name}" is "${strange}" in some rows, a class that the table to learn from does not have`,
        advice: "remove those rows, or add such rows to the table to learn from",
        name,
      });
  }
  return { source: both, target };
}

/** A level that the table to learn from does not have has no meaning to a model, unless it counts as one of the rare ones. */
function checkLevels(source: Table, encoding: Encoding, firstTest: number): void {
  for (const variable of encoding.variables) {
    const column = columnNamed(source, variable.name);
    if (column.kind !== "category") continue;
    if (variable.kind === "category" && variable.levels.includes(OTHER_LEVEL)) continue;
    const known = new Set(column.codes.subarray(0, firstTest));
    const at = column.codes.findIndex(
      (code, row) => row >= firstTest && !known.has(code) && code >= 0,
    );
    if (at < 0) continue;
    throw new RatewiseError("domain", {
      at: "the test table",
      what: `column "${variable.name}" is "${column.levels[column.codes[at]]}" in row ${at - firstTest + 1}, a level that the table to learn from does not have`,
      advice: say`remove such rows, or leave the column out with ${mention("exclude", variable.name)}`,
      name: variable.name,
      row: at - firstTest + 1,
    });
  }
}

function describe(excluded: readonly Exclusion[]): string {
  if (excluded.length === 0) return "";
  return `; left out: ${excluded
    .slice(0, 5)
    .map(({ name, reason }) => `"${name}" (${reason})`)
    .join(", ")}`;
}

/** Rows with a response and, unless they are to be filled, with every predictor. */
function usableRows(
  source: Table,
  target: Target,
  predictors: readonly Column[],
  missing: MissingPolicy,
  diagnostics: Diagnostic[],
  firstTest: number,
): Uint32Array {
  const without = new Uint8Array(source.rows); // 1: no response, 2: a predictor is missing
  for (let i = 0; i < source.rows; i++) {
    const absent =
      target.task === "regression" ? Number.isNaN(target.values[i]) : target.labels[i] < 0;
    if (absent) without[i] = 1;
  }
  const gaps: { readonly name: string; readonly rows: number }[] = [];
  for (const column of predictors) {
    let count = 0;
    for (let i = 0; i < source.rows; i++) {
      const absent =
        column.kind === "number" ? Number.isNaN(column.values[i]) : column.codes[i] < 0;
      if (!absent || without[i] === 1) continue;
      count++;
      if (missing === "error")
        throw new RatewiseError("domain", {
          in: "explain",
          what: `needs every value, but "${column.name}" is missing in row ${i < firstTest ? i + 1 : `${i - firstTest + 1} of the test table`}`,
          advice: say`use ${mention("missing", "drop")} or ${mention("missing", "mean")}`,
          row: i + 1,
          name: column.name,
        });
      without[i] = 2;
    }
    if (count > 0) gaps.push({ name: column.name, rows: count });
  }
  const noResponse = without.reduce((count, code) => count + (code === 1 ? 1 : 0), 0);
  const incomplete = without.reduce((count, code) => count + (code === 2 ? 1 : 0), 0);
  if (noResponse > 0)
    diagnostics.push({
      code: "target-missing",
      message: `${noResponse} of ${source.rows} rows have no value of "${target.name}" and are left out.`,
      rows: noResponse,
    });
  if (incomplete > 0)
    diagnostics.push({
      code: "predictors-missing",
      message:
        missing === "mean"
          ? `${incomplete} of ${source.rows} rows have missing predictors${mostMissing(gaps)}. They are filled with the mean of the training rows.`
          : `${incomplete} of ${source.rows} rows have missing predictors${mostMissing(gaps)} and are left out; --missing mean keeps them.`,
      rows: incomplete,
      columns: gaps.length,
    });
  const kept: number[] = [];
  for (let i = 0; i < source.rows; i++)
    if (without[i] === 0 || (without[i] === 2 && missing === "mean")) kept.push(i);
  if (kept.length < FEWEST_ROWS)
    throw tooFewRows(
      kept.length,
      source.rows,
      incomplete > 0 && missing === "drop"
        ? say`${mention("missing", "mean")} would keep more`
        : undefined,
    );
  return Uint32Array.from(kept);
}

function tooFewRows(usable: number, all: number, advice?: Words): RatewiseError {
  return new RatewiseError("domain", {
    in: "explain",
    what: `needs at least ${FEWEST_ROWS} usable rows, got ${usable} of ${all}`,
    advice,
    rows: usable,
  });
}

/** The columns in which most values are missing, at most three of them. */
function mostMissing(gaps: readonly { readonly name: string; readonly rows: number }[]): string {
  const most = gaps.toSorted((a, b) => b.rows - a.rows).slice(0, 3);
  const more = gaps.length > 3 ? ` and ${gaps.length - 3} more columns` : "";
  return ` (${most.map(({ name, rows }) => `${name}: ${rows}`).join(", ")}${more})`;
}
