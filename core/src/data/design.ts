import { RatewiseError, shapeError } from "../errors.ts";
import type { Rows } from "../linalg/rows.ts";
import { type Encoding, isNumeric, OTHER_LEVEL, type VariableEncoding } from "./encoding.ts";
import { expandInto } from "./expansion.ts";
import { type CategoryColumn, type Column, columnNamed, type Table } from "./table.ts";

/** A standardised row-major design matrix in single precision, as the networks take it. */
export interface Design extends Rows {
  readonly data: Float32Array;
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
  const design: Design = { data: new Float32Array(size), rows: rows.length, cols: width };
  for (const variable of encoding.variables) {
    const column = columnNamed(source, variable.name);
    checkKind(variable, column);
    if (column.kind === "number") encodeNumbers(design, variable, column.values, rows);
    else encodeTexts(design, variable, column, rows);
  }
  for (const expansion of encoding.expansions ?? [])
    for (let i = 0; i < rows.length; i++) expandInto(design.data, i * width, expansion);
  return design;
}

/** Throws where the table has texts for numbers, or numbers for texts. */
export function checkKind(variable: VariableEncoding, column: Column): void {
  const numbers = isNumeric(variable);
  if (numbers === (column.kind === "number")) return;
  throw new RatewiseError("domain", {
    what: `column "${variable.name}" holds ${numbers ? "texts" : "numbers"}, but the model was trained with ${numbers ? "numbers" : "texts"} there`,
    name: variable.name,
  });
}

/** A number of a variable as its column of X has it. */
export function numberCoder(variable: VariableEncoding): (value: number) => number {
  if (!isNumeric(variable)) return () => Number.NaN;
  const { mean, scale } = variable;
  if (variable.kind === "number") return (value) => (value - mean) / scale;
  const [zero, one] = variable.values;
  return (value) => ((value - zero) / (one - zero) - mean) / scale;
}

/** A text of a variable as its columns of X have it. One that training did not meet is "(other)"; of two, their mean. */
export function textCoder(variable: VariableEncoding): (text: string) => readonly number[] {
  if (variable.kind === "category") {
    const { levels, shares, scale } = variable;
    const codes = [-1, ...levels.keys()].map((level) =>
      shares.map((share, k) => ((k === level ? 1 : 0) - share) / scale),
    );
    const places = new Map(levels.map((level, k) => [level, codes[k + 1]]));
    const other = places.get(OTHER_LEVEL) ?? codes[0];
    return (text) => places.get(text) ?? other;
  }
  if (isNumeric(variable) || variable.kind !== "pair") return () => [Number.NaN];
  const { values, mean, scale } = variable;
  const codes = [[0], [(0 - mean) / scale], [(1 - mean) / scale]];
  const places: readonly (string | number)[] = values;
  return (text) => codes[places.indexOf(text) + 1];
}

function encodeNumbers(
  { data, cols }: Design,
  variable: VariableEncoding,
  values: Float64Array,
  rows: Uint32Array,
): void {
  const code = numberCoder(variable);
  for (let i = 0; i < rows.length; i++) {
    const value = values[rows[i]];
    data[i * cols + variable.first] = Number.isNaN(value) ? 0 : code(value);
  }
}

function encodeTexts(
  { data, cols }: Design,
  variable: VariableEncoding,
  { levels, codes }: CategoryColumn,
  rows: Uint32Array,
): void {
  const coded = levels.map(textCoder(variable));
  for (let i = 0; i < rows.length; i++) {
    if (codes[rows[i]] < 0) continue;
    const code = coded[codes[rows[i]]];
    for (let k = 0; k < code.length; k++) data[i * cols + variable.first + k] = code[k];
  }
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
