import { RatewiseError, shapeError } from "../errors.ts";
import type { Rows } from "../linalg/rows.ts";
import { columnNamed, type Table } from "./table.ts";

/** A standardised row-major design matrix in single precision, as the networks take it. */
export interface Design extends Rows {
  readonly data: Float32Array;
}

/** How one variable becomes columns of X. `first` is its first column. */
export type VariableEncoding =
  | {
      readonly kind: "number";
      readonly name: string;
      readonly first: number;
      readonly mean: number;
      readonly scale: number;
    }
  | {
      readonly kind: "category";
      readonly name: string;
      readonly first: number;
      /** One column per level; texts that are none of them go to the last, "(other)", if there is one. */
      readonly levels: readonly string[];
      readonly shares: readonly number[];
      readonly scale: number;
    };

/** How a table becomes X: plain data, fitted on the training rows, stored with the model. */
export interface Encoding {
  readonly variables: readonly VariableEncoding[];
  /** Columns of X. */
  readonly width: number;
}

/** Levels beyond the most frequent ones share one column. */
const MOST_LEVELS = 30;
export const OTHER_LEVEL = "(other)";

/**
 * Learns means, scales and levels of the named variables from `rows`.
 * Numbers become (x − mean)/sd. A category becomes one indicator a level, centred, all divided by
 * the root mean square of their standard deviations: unit variance on average, without blowing up
 * rare levels.
 */
export function fitEncoding(source: Table, names: readonly string[], rows: Uint32Array): Encoding {
  const variables: VariableEncoding[] = [];
  let first = 0;
  for (const name of names) {
    const column = columnNamed(source, name);
    const variable =
      column.kind === "number"
        ? { kind: "number" as const, name, first, ...momentsOf(column.values, rows) }
        : {
            kind: "category" as const,
            name,
            first,
            ...levelsOf(column.levels, column.codes, rows),
          };
    variables.push(variable);
    first += variable.kind === "number" ? 1 : variable.levels.length;
  }
  return { variables, width: first };
}

/** Mean and standard deviation (n − 1) over the rows present; scale 1 where nothing varies. */
function momentsOf(values: Float64Array, rows: Uint32Array): { mean: number; scale: number } {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const row of rows) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    const delta = value - mean; // Welford
    mean += delta / ++count;
    squares += delta * (value - mean);
  }
  const sd = Math.sqrt(squares / (count - 1));
  return { mean, scale: sd > 0 ? sd : 1 };
}

function levelsOf(
  levels: readonly string[],
  codes: Int32Array,
  rows: Uint32Array,
): { levels: string[]; shares: number[]; scale: number } {
  const counts = new Float64Array(levels.length);
  let present = 0;
  for (const row of rows) {
    if (codes[row] < 0) continue;
    counts[codes[row]]++;
    present++;
  }
  const byCount = [...levels.keys()]
    .filter((code) => counts[code] > 0)
    .sort((a, b) => counts[b] - counts[a] || a - b);
  const kept = byCount.length > MOST_LEVELS ? byCount.slice(0, MOST_LEVELS - 1) : byCount;
  const names = kept.map((code) => levels[code]);
  const shares = kept.map((code) => counts[code] / present);
  if (kept.length < byCount.length) {
    names.push(OTHER_LEVEL);
    shares.push(1 - shares.reduce((sum, share) => sum + share, 0));
  }
  const variance = shares.reduce((sum, share) => sum + share * (1 - share), 0) / shares.length;
  return { levels: names, shares, scale: variance > 0 ? Math.sqrt(variance) : 1 };
}

/**
 * X for the given rows. A missing value becomes the mean of the training rows (0 after centring):
 * rows that should not be imputed are the caller's to leave out.
 */
export function encode(encoding: Encoding, source: Table, rows: Uint32Array): Design {
  const { width } = encoding;
  const size = rows.length * width;
  if (size > 2 ** 32)
    throw new RatewiseError("memory", {
      in: "encode",
      what: `${rows.length} rows × ${width} columns do not fit in memory`,
      rows: rows.length,
      width,
    });
  const data = new Float32Array(size);
  for (const variable of encoding.variables) {
    const column = columnNamed(source, variable.name);
    if (column.kind !== variable.kind)
      throw new RatewiseError("domain", {
        what: `column "${variable.name}" holds ${column.kind === "number" ? "numbers" : "texts"}, but the model was trained with ${variable.kind === "number" ? "numbers" : "texts"} there`,
        name: variable.name,
      });
    if (variable.kind === "number" && column.kind === "number") {
      const { mean, scale, first } = variable;
      for (let i = 0; i < rows.length; i++) {
        const value = column.values[rows[i]];
        data[i * width + first] = Number.isNaN(value) ? 0 : (value - mean) / scale;
      }
    } else if (variable.kind === "category" && column.kind === "category") {
      const { levels, shares, scale, first } = variable;
      const other = levels.indexOf(OTHER_LEVEL);
      const at = column.levels.map((level) => {
        const found = levels.indexOf(level);
        return found >= 0 ? found : other;
      });
      for (let i = 0; i < rows.length; i++) {
        const code = column.codes[rows[i]];
        if (code < 0) continue;
        const level = at[code];
        for (let k = 0; k < levels.length; k++)
          data[i * width + first + k] = ((k === level ? 1 : 0) - shares[k]) / scale;
      }
    }
  }
  return { data, rows: rows.length, cols: width };
}

/** For each column of X the index of the variable it belongs to. */
export function variableOfColumn(encoding: Encoding): Uint32Array {
  const owner = new Uint32Array(encoding.width);
  encoding.variables.forEach((variable, index) => {
    const width = variable.kind === "number" ? 1 : variable.levels.length;
    owner.fill(index, variable.first, variable.first + width);
  });
  return owner;
}

/** The given rows of a design, in the order given. */
export function selectDesignRows(design: Design, rows: Uint32Array): Design {
  const { cols } = design;
  const data = new Float32Array(rows.length * cols);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row >= design.rows)
      throw shapeError("selectDesignRows", `rows below ${design.rows}`, `${row}`);
    data.set(design.data.subarray(row * cols, (row + 1) * cols), i * cols);
  }
  return { data, rows: rows.length, cols };
}
