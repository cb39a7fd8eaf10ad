import { encode, fitEncoding } from "../../data/design.ts";
import {
  type Column,
  columnNamed,
  type Exclusion,
  excludeColumns,
  indexNames,
  type LearningTask,
  readingNotes,
  splitRows,
  type Table,
  type Target,
  targetFromColumn,
  type VariableGroup,
} from "../../data/index.ts";
import { splitRowsByClass } from "../../data/split.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { fold, type Key } from "../../random/index.ts";
import { clause, mention, say, type Words } from "../../words/words.ts";
import { columnNames, groupsOfColumns, variablesAsGroups } from "./column-names.ts";
import type { Prepared } from "./prepared.ts";
import { processRows } from "./process-rows.ts";

export interface PrepareOptions {
  readonly key: Key;
  readonly target: string;
  readonly task?: LearningTask;
  /** Rows with a missing predictor: left out, filled with the training mean, or an error. Default `drop`. */
  readonly missing?: MissingPolicy;
  /** Share of the rows that no network sees. Default 0.3. */
  readonly testFraction?: number;
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
export function prepare(source: Table, options: PrepareOptions): Prepared {
  const { missing = "drop", testFraction = 0.3, key } = options;
  const column = columnNamed(source, options.target);
  // Of one row every column is constant, which is not what is wrong with it.
  if (source.rows === 1) throw tooFewRows(1, 1);
  const { target, diagnostics: notes } = targetFromColumn(column, options.task);
  const { predictors, excluded } = choosePredictors(source, options);
  const diagnostics: Diagnostic[] = [...notes, ...readingNotes([column, ...predictors])];
  const rows = usableRows(source, target, predictors, missing, diagnostics);

  const labels =
    target.task === "classification" ? Int32Array.from(rows, (row) => target.labels[row]) : null;
  const splitKey = fold(key, "split");
  const { train, test } = labels
    ? splitRowsByClass(
        splitKey,
        labels,
        (target as { classes: readonly string[] }).classes.length,
        testFraction,
      )
    : splitRows(splitKey, rows.length, testFraction);
  const trainRows = train.map((at) => rows[at]);
  const testRows = test.map((at) => rows[at]);
  const encoding = fitEncoding(
    source,
    predictors.map(({ name }) => name),
    trainRows,
  );
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
  { target, keep = [], families, ...options }: PrepareOptions,
): { predictors: Column[]; excluded: Exclusion[] } {
  const exclude = [...(options.exclude ?? []), ...(families === undefined ? [] : [families])];
  for (const name of [...exclude, ...keep]) columnNamed(source, name);
  const asked = new Set(exclude);
  const others: Table = {
    rows: source.rows,
    columns: source.columns.filter(({ name }) => name !== target && !asked.has(name)),
  };
  const excluded = [
    ...exclude.map((name) => ({ name, reason: "left out as asked" })),
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
          what: `needs every value, but "${column.name}" is missing in row ${i + 1}`,
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
    diagnostics.push(
      diagnostic(
        "target-missing",
        `${noResponse} of ${source.rows} rows have no value of "${target.name}" and are left out.`,
        { rows: noResponse },
      ),
    );
  if (incomplete > 0)
    diagnostics.push(
      diagnostic(
        "predictors-missing",
        missing === "mean"
          ? `${incomplete} of ${source.rows} rows have missing predictors${mostMissing(gaps)}. They are filled with the mean of the training rows.`
          : say`${incomplete} of ${source.rows} rows have missing predictors${mostMissing(gaps)} and are left out${clause`; ${mention("missing", "mean")} keeps them`}.`,
        { rows: incomplete, columns: gaps.length },
      ),
    );
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
