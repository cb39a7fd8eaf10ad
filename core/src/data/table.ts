import { nameOf, RatewiseError, shapeError } from "../errors.ts";

/** Numbers, NaN where a value is missing. */
export interface NumberColumn {
  readonly kind: "number";
  readonly name: string;
  readonly values: Float64Array;
  /** Written as 45% in the file, read as 45. */
  readonly notation?: "percent";
}

/** Categories as indexes into `levels`, −1 where a value is missing. */
export interface CategoryColumn {
  readonly kind: "category";
  readonly name: string;
  readonly levels: readonly string[];
  readonly codes: Int32Array;
}

export type Column = NumberColumn | CategoryColumn;

/** Named columns of equal length: what every file reader makes and `prepare` takes. */
export interface Table {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** Throws unless `value` is a table: in plain JavaScript the name of a file, or a matrix, may come instead. */
export function needTable(where: string, value: unknown): asserts value is Table {
  const { rows, columns } = (value ?? {}) as Partial<Table>;
  if (Number.isInteger(rows) && Array.isArray(columns)) return;
  throw new RatewiseError("shape", {
    in: where,
    what: `needs a table, got ${nameOf(value)}`,
    advice: "read one with readTable of @ratewise/files, or make one with table(columns)",
  });
}

/** A table from its columns: at least one, of one length, with distinct names. */
export function table(columns: readonly Column[]): Table {
  if (!Array.isArray(columns)) throw shapeError("table", "a list of columns", nameOf(columns));
  if (columns.length === 0) throw shapeError("table", "at least one column", "none");
  const rows = columnLength(columns[0]);
  const seen = new Set<string>();
  for (const column of columns) {
    if (columnLength(column) !== rows)
      throw shapeError(
        "table",
        `${rows} rows in column "${column.name}", as in "${columns[0].name}"`,
        `${columnLength(column)}`,
      );
    if (seen.has(column.name))
      throw new RatewiseError("domain", {
        in: "table",
        what: `two columns are named "${column.name}"`,
        advice: "rename one of them",
        name: column.name,
      });
    seen.add(column.name);
  }
  return { rows, columns };
}

function columnLength(column: Column): number {
  return column.kind === "number" ? column.values.length : column.codes.length;
}

/** The column of that name, or an error that lists the names there are. */
export function columnNamed(source: Table, name: string): Column {
  const found = source.columns.find((column) => column.name === name);
  if (found) return found;
  const names = source.columns.map((column) => column.name);
  const shown = names.slice(0, 20).join(", ") + (names.length > 20 ? ", …" : "");
  throw new RatewiseError("unknown-name", {
    what: `no column "${name}"`,
    advice: `the columns are ${shown}`,
    name,
    names,
  });
}

/** How many values of the column are missing. */
export function missingCount(column: Column): number {
  let count = 0;
  if (column.kind === "number") {
    for (const value of column.values) if (Number.isNaN(value)) count++;
  } else {
    for (const code of column.codes) if (code < 0) count++;
  }
  return count;
}
