import {
  type Column,
  type Diagnostic,
  type Matrix,
  matrix,
  RatewiseError,
  type Table,
} from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import { didYouMean, mention, say } from "@ratewise/core/words";

/** The rows of a table as a network takes them: columns in their order, numbers as they are. */
export interface NetworkRows {
  readonly X: Matrix;
  readonly names: readonly string[];
  /** The response of the same rows; null without one. */
  readonly response: Column | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface NetworkRowsOptions {
  /** The column that is the response. */
  readonly target?: string;
  /** Columns that do not go into the network. */
  readonly exclude?: readonly string[];
  /** What to do with a row that lacks a value. */
  readonly missing: "drop" | "error";
}

/** Takes a table apart. A network by itself knows no categories: whoever trained it knows how they became numbers. */
export function networkRows(source: Table, options: NetworkRowsOptions): NetworkRows {
  const { target, exclude = [], missing } = options;
  const all = source.columns.map(({ name }) => name);
  for (const name of exclude)
    if (!all.includes(name))
      throw new RatewiseError("unknown-name", {
        what: `has no column "${name}" to leave out${didYouMean(name, all)}`,
      });
  const columns = source.columns.filter(({ name }) => name !== target && !exclude.includes(name));
  const text = columns.filter((column) => column.kind === "category");
  if (text.length > 0)
    throw new RatewiseError("domain", {
      what: `needs numbers for the network, got texts in ${text
        .slice(0, 5)
        .map(({ name }) => `"${name}"`)
        .join(", ")}`,
      advice: "encode them as in training, or leave them out with --exclude",
    });
  const response = source.columns.find(({ name }) => name === target) ?? null;
  const numbers = columns.map((column) =>
    column.kind === "number" ? column.values : new Float64Array(),
  );
  const kept: number[] = [];
  for (let i = 0; i < source.rows; i++) {
    const gap = numbers.findIndex((values) => Number.isNaN(values[i]));
    const answered =
      response === null ||
      (response.kind === "number" ? !Number.isNaN(response.values[i]) : response.codes[i] >= 0);
    if (gap < 0 && answered) kept.push(i);
    else if (missing === "error")
      throw new RatewiseError("domain", {
        what: `needs every value, but "${gap >= 0 ? columns[gap].name : target}" is missing in row ${i + 1}`,
        advice: say`use ${mention("missing", "drop")}`,
        option: "missing",
        row: i + 1,
      });
  }
  const X = matrix(kept.length, columns.length);
  kept.forEach((row, i) => {
    numbers.forEach((values, j) => {
      X.data[i * columns.length + j] = values[row];
    });
  });
  const dropped = source.rows - kept.length;
  return {
    X,
    names: columns.map(({ name }) => name),
    response: response && rowsOf(response, kept),
    diagnostics:
      dropped === 0
        ? []
        : [
            diagnostic(
              "rows-missing",
              `${dropped} of ${source.rows} rows have missing values and are left out.`,
              { rows: dropped },
            ),
          ],
  };
}

function rowsOf(column: Column, rows: readonly number[]): Column {
  return column.kind === "number"
    ? { ...column, values: Float64Array.from(rows, (row) => column.values[row]) }
    : { ...column, codes: Int32Array.from(rows, (row) => column.codes[row]) };
}
