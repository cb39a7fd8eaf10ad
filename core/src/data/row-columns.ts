import { RatewiseError } from "../errors.ts";
import type { RowStructure } from "./row-structure.ts";
import type { CategoryColumn, Column } from "./table.ts";
import { secondsOf } from "./time-text.ts";

/** The groups or times that a column gives to some rows; a row without one is an error. */
export function structureOfColumn(
  kind: RowStructure["kind"],
  column: Column,
  rows: Uint32Array,
): RowStructure {
  const { name } = column;
  const missing = rows.reduce((count, row) => count + Number(isMissing(column, row)), 0);
  if (missing > 0)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs a ${kind === "time" ? "time" : "group"} in every row in use, got ${missing} missing in column "${name}"`,
      advice: "fill them in, or leave those rows out",
      name,
    });
  if (kind === "time") {
    const values = column.kind === "number" ? column.values : timesOfTexts(column);
    return { kind, values: Float64Array.from(rows, (row) => values[row]) };
  }
  if (column.kind === "category")
    return { kind, values: Int32Array.from(rows, (row) => column.codes[row]) };
  const index = new Map<number, number>();
  for (const row of rows) {
    const value = column.values[row];
    if (!index.has(value)) index.set(value, index.size);
  }
  return { kind, values: Int32Array.from(rows, (row) => index.get(column.values[row])!) };
}

function isMissing(column: Column, row: number): boolean {
  return column.kind === "number" ? Number.isNaN(column.values[row]) : column.codes[row] < 0;
}

function timesOfTexts({ name, levels, codes }: CategoryColumn): Float64Array {
  const times = levels.map((level, code) => {
    const seconds = secondsOf(level);
    if (seconds !== null) return seconds;
    const row = codes.indexOf(code) + 1;
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs times in column "${name}", but row ${row} holds "${level.slice(0, 40)}", which is neither a number nor a date such as 2024-03-31 or 2024-03-31T10:30`,
      advice: "write dates as year-month-day, or turn them into numbers",
      name,
      row,
    });
  });
  return Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : times[code]));
}
