import { nameOf, RatewiseError, shapeError } from "../errors.ts";
import type { Matrix } from "./matrix.ts";

/**
 * Position of the first NaN or infinity, −1 when every number is finite. 0·x is 0 for a finite x alone, so
 * four sums of it tell of four numbers at a time, at the speed of the memory.
 */
export function firstNonFinite(values: Float64Array | Float32Array): number {
  const whole = values.length - (values.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += 0 * values[i];
    b += 0 * values[i + 1];
    c += 0 * values[i + 2];
    d += 0 * values[i + 3];
  }
  for (let i = whole; i < values.length; i++) a += 0 * values[i];
  if (a + b + c + d === 0) return -1;
  return values.findIndex((value) => !Number.isFinite(value));
}

/** Throws unless `value` is rows with their sizes: in plain JavaScript nested lists, or a table, may come instead. */
export function needMatrix(where: string, name: string, value: unknown): void {
  const { data, rows, cols } = (value ?? {}) as Partial<Matrix>;
  if (ArrayBuffer.isView(data) && Number.isInteger(rows) && Number.isInteger(cols)) return;
  throw new RatewiseError("shape", {
    in: where,
    what: `needs ${name} as a matrix, got ${nameOf(value)}`,
    advice: "make one with matrix(rows, columns, numbers) or fromRows(lists)",
  });
}

/** Throws unless `value` is numbers in a typed array: of a list, some operations make lists. */
export function needNumbers(where: string, name: string, value: unknown): void {
  if (value instanceof Float64Array) return;
  throw new RatewiseError("shape", {
    in: where,
    what: `needs ${name} as a Float64Array, got ${nameOf(value)}`,
    advice: "make one with Float64Array.from(numbers)",
  });
}

/** Throws `shape` unless A is square. */
export function requireSquare(where: string, A: Matrix): void {
  if (A.rows !== A.cols) throw shapeError(where, "a square matrix", shapeOf(A));
}

/** Throws `domain`, naming the entry, when A holds NaN or an infinity. */
export function requireFinite(where: string, A: Matrix): void {
  const at = firstNonFinite(A.data);
  if (at < 0) return;
  const row = Math.floor(at / A.cols);
  const column = at % A.cols;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs finite numbers, got ${A.data[at]} at row ${row}, column ${column}`,
    advice: "remove or impute it",
    row,
    column,
  });
}

/** Throws `shape` unless `x` has `length` numbers. */
export function requireLength(
  where: string,
  name: string,
  x: ArrayLike<number>,
  length: number,
): void {
  if (x.length !== length) throw shapeError(where, `${length} numbers in ${name}`, `${x.length}`);
}

/** "rows×cols", as error messages spell a shape. */
export function shapeOf(A: Matrix): string {
  return `${A.rows}×${A.cols}`;
}
