import type { Column } from "../../data/index.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";

const SHOWN = 5;

export interface ConstantColumn {
  readonly name: string;
  /** As it is told: 7, or "north". */
  readonly value: string;
}

/** The columns that have one value alone in the rows that are left. */
export function constantColumns(columns: readonly Column[], rows: Uint32Array): ConstantColumn[] {
  return columns.flatMap((column) => {
    const value = onlyValue(column, rows);
    return value === null ? [] : [{ name: column.name, value }];
  });
}

/** null where there are two values, or none at all. */
function onlyValue(column: Column, rows: Uint32Array): string | null {
  const values = column.kind === "number" ? column.values : column.codes;
  const missing = (value: number) => (column.kind === "number" ? Number.isNaN(value) : value < 0);
  let only: number | null = null;
  for (const row of rows) {
    const value = values[row];
    if (missing(value)) continue;
    if (only !== null && value !== only) return null;
    only = value;
  }
  if (only === null) return null;
  return column.kind === "number" ? `${only}` : `"${column.levels[only]}"`;
}

/** That they left, in a sentence; nothing where none did. */
export function constantsNote(
  left: readonly ConstantColumn[],
  rows: number,
  of: number,
): Diagnostic[] {
  if (left.length === 0) return [];
  const names = left.slice(0, SHOWN).map(({ name, value }) => `"${name}" (${value})`);
  const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : "";
  return [
    diagnostic(
      "constant-in-rows-left",
      `Left out because only one value remains in the ${rows} of ${of} rows that are used: ${names.join(", ")}${more}.`,
      { names: left.map(({ name }) => name) },
    ),
  ];
}
