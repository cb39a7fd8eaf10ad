import type { ComponentChildren } from "preact";
import type { TableColumn } from "./sortable-table.tsx";

interface NumberColumnOptions<Row>
  extends Partial<Pick<TableColumn<Row>, "cell" | "large" | "means">> {
  readonly print?: (value: number) => ComponentChildren;
  /** What stands where there is no number; default "–". */
  readonly none?: string;
}

/** A column of numbers, sorted by them. */
export function numberColumn<Row>(
  title: string,
  numberOf: (row: Row) => number | null | undefined,
  { print = (value) => value, none = "–", ...more }: NumberColumnOptions<Row> = {},
): TableColumn<Row> {
  const value = (row: Row): number | null => numberOf(row) ?? null;
  const cell = (row: Row): ComponentChildren => {
    const found = value(row);
    return found === null ? none : print(found);
  };
  return { title, numeric: true, cell, value, ...more };
}
