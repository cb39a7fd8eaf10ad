import type { Column, Table } from "./table.ts";

/** A column that takes no part, and why, in words a user can act on. */
export interface Exclusion {
  readonly name: string;
  readonly reason: string;
}

const DATE = /^\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})\s*$/;
const DECIMAL_COMMA = /^\s*[+-]?\d+(,\d+)+(\.\d+)?\s*$/;
const ID_NAME = /(^|[_\s.-])(id|uuid|guid|index|rownum|row_number|iid|fid)$/i;

/**
 * Which columns to leave out of the predictors: constant, all missing, dates, and identifiers.
 * `keep` names columns that stay whatever they look like.
 */
export function excludeColumns(source: Table, keep: ReadonlySet<string> = new Set()): Exclusion[] {
  const excluded: Exclusion[] = [];
  for (const column of source.columns) {
    const reason = keep.has(column.name) ? null : reasonToExclude(column);
    if (reason) excluded.push({ name: column.name, reason });
  }
  return excluded;
}

function reasonToExclude(column: Column): string | null {
  return column.kind === "number"
    ? reasonForNumbers(column.name, column.values)
    : reasonForCategories(column.levels, column.codes);
}

function reasonForNumbers(name: string, values: Float64Array): string | null {
  let first = Number.NaN;
  let constant = true;
  let integers = true;
  let consecutive = true;
  let last = Number.NaN;
  const seen = new Set<number>();
  let present = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (present++ === 0) first = value;
    else {
      if (value !== first) constant = false;
      if (value !== last + 1) consecutive = false;
    }
    last = value;
    if (integers && !Number.isInteger(value)) integers = false;
    if (integers) seen.add(value);
  }
  if (present === 0) return "every value is missing";
  if (constant) return `constant: ${first} in every row`;
  if (integers && present > 10) {
    if (consecutive) return "counts the rows";
    if (seen.size === present && ID_NAME.test(name))
      return "looks like an identifier: whole numbers, all different";
  }
  return null;
}

function reasonForCategories(levels: readonly string[], codes: Int32Array): string | null {
  const used = new Set(codes);
  used.delete(-1);
  const present = codes.reduce((count, code) => count + (code >= 0 ? 1 : 0), 0);
  if (present === 0) return "every value is missing";
  if (used.size === 1)
    return `constant: "${levels[codes.find((code) => code >= 0)!]}" in every row`;
  if (levels.length > 2 && levels.every((level) => DATE.test(level)))
    return "holds dates; turn them into numbers (age, month, …) to use them";
  if (levels.length > 2 && levels.every((level) => DECIMAL_COMMA.test(level)))
    return "holds numbers with commas; write decimals with a point and nothing between thousands";
  if (present > 10 && used.size > 0.5 * present)
    return `looks like an identifier or free text: ${used.size} different texts in ${present} rows`;
  return null;
}
