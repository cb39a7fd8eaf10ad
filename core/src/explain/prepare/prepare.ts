import { appendRows } from "../../data/append-rows.ts";
import { encode } from "../../data/design.ts";
import { type Encoding, isNumeric, lineOf, OTHER_LEVEL } from "../../data/encoding.ts";
import { fitEncoding } from "../../data/fit-encoding.ts";
import {
  type Column,
  columnNamed,
  type Exclusion,
  excludeColumns,
  indexNames,
  type LearningTask,
  pooledLevelsNote,
  readingNotes,
  type Table,
  type Target,
  targetFromColumn,
  type VariableGroup,
} from "../../data/index.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { fold, type Key } from "../../random/index.ts";
import { clause, mention, say, type Words } from "../../words/words.ts";
import { checkSplit, chooseRows, type SplitOptions } from "./choose-rows.ts";
import { checkClassCells } from "./class-cells.ts";
import { columnNames, groupsOfColumns, variablesAsGroups } from "./column-names.ts";
import { type ConstantColumn, constantColumns, constantsNote } from "./constant-columns.ts";
import type { Prepared } from "./prepared.ts";
import { processRows } from "./process-rows.ts";
import { columnWeights, type WeightOptions, weightsNote, weightsOfClasses } from "./row-weights.ts";

export interface PrepareOptions extends SplitOptions, WeightOptions {
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
  const { key } = options;
  checkSplit(options);
  const column = columnNamed(given, options.target);
  // Of one row every column is constant, which is not what is wrong with it.
  if (given.rows === 1) throw tooFewRows(1, 1);
  const { target: own, diagnostics: notes } = targetFromColumn(column, options.task);
  const { predictors: asked, excluded: left } = choosePredictors(given, options);
  const { source, target } = withTestRows(given, own, asked, options);
  const byColumn = columnWeights(source, options.target, options.weights, given.rows);
  const {
    predictors,
    excluded,
    rows,
    notes: rowNotes,
  } = usable(
    source,
    { target, weights: byColumn, firstTest: given.rows },
    { predictors: asked.map(({ name }) => columnNamed(source, name)), excluded: left },
    options,
  );
  const diagnostics: Diagnostic[] = [...notes, ...readingNotes([column, ...asked]), ...rowNotes];
  checkClassCells(target, rows.length);

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
  const names = predictors.map(({ name }) => name);
  const encoding = fitEncoding(source, names, trainRows);
  diagnostics.push(...pooledLevelsNote(source, names, trainRows, encoding));
  if (options.test) checkLevels(source, encoding, given.rows);
  const response = (part: Uint32Array) =>
    Float64Array.from(part, (row) =>
      target.task === "regression" ? target.values[row] : target.labels[row],
    );
  const classWeights = weightsOfClasses(
    target,
    options.classWeights,
    response(trainRows),
    byColumn && Float64Array.from(trainRows, (row) => byColumn[row]),
  );
  const partOf = (part: Uint32Array): Prepared["train"] => {
    const y = response(part);
    const weight = (row: number, i: number) => (byColumn?.[row] ?? 1) * (classWeights?.[y[i]] ?? 1);
    const weights = byColumn || classWeights ? Float64Array.from(part, weight) : null;
    return { X: encode(encoding, source, part), y, weights };
  };
  const trained = partOf(trainRows);
  diagnostics.push(...weightsNote(trained.weights, options));
  const variables = variablesAsGroups(encoding);
  const groups = options.groups?.(indexNames(variables.map(({ name }) => name))) ?? [];
  const prepared: Prepared = {
    task: target.task,
    target: target.name,
    classes: target.task === "classification" ? target.classes : null,
    encoding,
    train: trained,
    test: partOf(testRows),
    rows: { train: trainRows, test: testRows },
    source,
    firstTest: options.test ? given.rows : 0,
    ...held,
    classWeights,
    columnNames: columnNames(encoding),
    variables,
    directions: encoding.variables.map((variable) =>
      isNumeric(variable) ? Math.sign(lineOf(variable).scale) : 0,
    ),
    groups: groupsOfColumns(variables, groups),
    excluded,
    diagnostics,
  };
  const { model = "network" } = options;
  switch (model) {
    case "network":
      return prepared;
    case "gp":
      return processRows(prepared, key, options.subsample);
  }
  return model satisfies never;
}

function choosePredictors(
  source: Table,
  { target, keep = [], families, weights, splitBy, time, ...options }: PrepareOptions,
): { predictors: Column[]; excluded: Exclusion[] } {
  const exclude = [
    ...(options.exclude ?? []),
    ...(families === undefined ? [] : [families]),
  ].filter((name) => name !== weights);
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
  const weighing = weights === undefined ? [] : [{ name: weights, reason: "weighs the rows" }];
  const dividing = [
    ...(splitBy === undefined ? [] : [{ name: splitBy, reason: "its groups divide the rows" }]),
    ...(time === undefined || keep.includes(time)
      ? []
      : [{ name: time, reason: "its times divide the rows" }]),
  ].filter(({ name }) => name !== weights && !exclude.includes(name));
  const asked = new Set([...exclude, ...[...weighing, ...dividing].map(({ name }) => name)]);
  const others: Table = {
    rows: source.rows,
    columns: source.columns.filter(({ name }) => name !== target && !asked.has(name)),
  };
  const excluded = [
    ...exclude.map((name) => ({ name, reason: "left out as asked" })),
    ...weighing,
    ...dividing,
    ...excludeColumns(others, new Set(keep)),
  ];
  const out = new Set(excluded.map(({ name }) => name));
  const predictors = others.columns.filter(({ name }) => !out.has(name));
  return { predictors, excluded };
}

function checkPredictors(
  target: string,
  predictors: readonly Column[],
  excluded: readonly Exclusion[],
): void {
  if (predictors.length < 2)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs at least 2 predictors beside "${target}", got ${predictors.length}${describe(excluded)}`,
      excluded,
    });
}

interface UsablePart {
  readonly predictors: readonly Column[];
  readonly excluded: readonly Exclusion[];
  readonly rows: Uint32Array;
  readonly notes: readonly Diagnostic[];
}

/** The rows that can be used, and the predictors that still vary in them: those that do not leave, and drop no rows. */
function usable(
  source: Table,
  asked: AskedRows,
  { predictors, excluded }: { predictors: readonly Column[]; excluded: readonly Exclusion[] },
  { missing = "drop", keep = [] }: PrepareOptions,
): UsablePart {
  const left: ConstantColumn[] = [];
  for (;;) {
    const out = new Set(left.map(({ name }) => name));
    const stay = predictors.filter(({ name }) => !out.has(name));
    const all = [
      ...excluded,
      ...left.map(({ name, value }) => ({
        name,
        reason: `constant: ${value} in every row that is left`,
      })),
    ];
    checkPredictors(asked.target.name, stay, all);
    const notes: Diagnostic[] = [];
    const rows = usableRows(source, asked, stay, missing, notes);
    // What varies in the test table alone teaches nothing.
    const known = rows.filter((row) => row < asked.firstTest);
    const constant = constantColumns(
      stay.filter(({ name }) => !keep.includes(name)),
      known,
    );
    if (constant.length === 0) {
      notes.push(...constantsNote(left, known.length, asked.firstTest));
      return { predictors: stay, excluded: all, rows, notes };
    }
    left.push(...constant);
  }
}

/** The table with the rows of the test table after its own; the target of both. */
function withTestRows(
  source: Table,
  own: Target,
  predictors: readonly Column[],
  { test, target: name, weights }: PrepareOptions,
): { source: Table; target: Target } {
  if (!test) return { source, target: own };
  const both = appendRows(
    source,
    test,
    new Set([
      name,
      ...(weights === undefined ? [] : [weights]),
      ...predictors.map((column) => column.name),
    ]),
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

/** What a row has to have. */
interface AskedRows {
  readonly target: Target;
  readonly weights: Float64Array | null;
  /** Rows from here on are those of the test table. */
  readonly firstTest: number;
}

/** Rows with a response, a weight and, unless they are to be filled, with every predictor. */
function usableRows(
  source: Table,
  { target, weights, firstTest }: AskedRows,
  predictors: readonly Column[],
  missing: MissingPolicy,
  diagnostics: Diagnostic[],
): Uint32Array {
  const without = new Uint8Array(source.rows); // 1: no response, 2: a predictor is missing, 3: no weight
  for (let i = 0; i < source.rows; i++) {
    const absent =
      target.task === "regression" ? Number.isNaN(target.values[i]) : target.labels[i] < 0;
    if (absent) without[i] = 1;
    else if (weights && !(weights[i] > 0)) without[i] = 3;
  }
  const gaps: { readonly name: string; readonly rows: number }[] = [];
  for (const column of predictors) {
    let count = 0;
    for (let i = 0; i < source.rows; i++) {
      const absent =
        column.kind === "number" ? Number.isNaN(column.values[i]) : column.codes[i] < 0;
      if (!absent || without[i] === 1 || without[i] === 3) continue;
      count++;
      if (missing === "error") throw missingValue(column, i, firstTest);
      without[i] = 2;
    }
    if (count > 0) gaps.push({ name: column.name, rows: count });
  }
  const noResponse = without.reduce((count, code) => count + (code === 1 ? 1 : 0), 0);
  const incomplete = without.reduce((count, code) => count + (code === 2 ? 1 : 0), 0);
  if (noResponse > 0)
    diagnostics.push(
      diagnostic(
        "target-missing",
        `${noResponse} of ${source.rows} rows have no value of "${target.name}" and are left out.`,
        { rows: noResponse },
      ),
    );
  const weightless = without.reduce((count, code) => count + (code === 3 ? 1 : 0), 0);
  if (weightless > 0)
    diagnostics.push(
      diagnostic(
        "weights-missing",
        `${weightless} of ${source.rows} rows weigh 0 or have no weight, and are left out.`,
        { rows: weightless },
      ),
    );
  const { fills, words } = treatmentOf(missing);
  if (incomplete > 0)
    diagnostics.push(
      diagnostic(
        "predictors-missing",
        say`${incomplete} of ${source.rows} rows have missing predictors${mostMissing(gaps)}${words}`,
        { rows: incomplete, columns: gaps.length },
      ),
    );
  const kept: number[] = [];
  for (let i = 0; i < source.rows; i++)
    if (without[i] === 0 || (without[i] === 2 && fills)) kept.push(i);
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

/** Whether rows without some predictor stay, and what is said of them. */
function treatmentOf(missing: MissingPolicy): { readonly fills: boolean; readonly words: Words } {
  switch (missing) {
    case "mean":
      return { fills: true, words: ". They are filled with the mean of the training rows." };
    case "drop":
      return {
        fills: false,
        words: say` and are left out${clause`; ${mention("missing", "mean")} keeps them`}.`,
      };
    case "error":
      return { fills: false, words: "" };
  }
  return missing satisfies never;
}

function missingValue({ name }: Column, at: number, firstTest: number): RatewiseError {
  const row = at < firstTest ? at + 1 : `${at - firstTest + 1} of the test table`;
  return new RatewiseError("domain", {
    in: "explain",
    what: `needs every value, but "${name}" is missing in row ${row}`,
    advice: say`use ${mention("missing", "drop")} or ${mention("missing", "mean")}`,
    row: at + 1,
    name,
  });
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
