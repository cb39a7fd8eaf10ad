import { RatewiseError, shapeError } from "../errors.ts";
import { dot } from "../linalg/dot.ts";
import { meanOf } from "../linalg/moments.ts";
import type { Column } from "./table.ts";

/** A response freed of covariates. */
export interface Residuals {
  /** NaN where the response or a covariate is missing. */
  readonly values: Float64Array;
  /** Share of the variance that the covariates had. */
  readonly explained: number;
  /** Rows that have everything. */
  readonly rows: number;
  /** Directions taken out, the constant included. */
  readonly rank: number;
}

/** A direction this much shorter than the column it came from is rounding error. */
const DEPENDENT = 1e-10;

/**
 * y − C(CᵀC)⁺Cᵀy with C a constant, the numbers, and one indicator a level of the categories, over the
 * rows that have all of them. C is made orthonormal column by column (Gram–Schmidt, twice each, which
 * is as good as Householder's; Giraud and others 2005); what depends on earlier columns is skipped, so
 * covariates may repeat each other. O(n·k²) for k columns.
 */
export function regressOut(values: Float64Array, covariates: readonly Column[]): Residuals {
  const n = values.length;
  const complete: number[] = [];
  const lengths = covariates.map((c) => (c.kind === "number" ? c.values : c.codes).length);
  if (lengths.some((length) => length !== n))
    throw shapeError("regressOut", `covariates of ${n} rows`, lengths.join(", "));
  for (let i = 0; i < n; i++) {
    const present = covariates.every((column) =>
      column.kind === "number" ? !Number.isNaN(column.values[i]) : column.codes[i] >= 0,
    );
    if (present && !Number.isNaN(values[i])) complete.push(i);
  }
  const basis: Float64Array[] = [];
  const rest = Float64Array.from(complete, (i) => values[i]);
  takeOut(basis, rest, new Float64Array(complete.length).fill(1));
  const before = dot(rest, rest);
  for (const column of covariates)
    for (const direction of directionsOf(column, complete)) takeOut(basis, rest, direction);
  if (basis.length >= complete.length)
    throw new RatewiseError("domain", {
      in: "regressOut",
      what: `needs more rows than covariates, got ${complete.length} complete rows and ${basis.length} directions`,
      advice: "leave some covariates out",
      rows: complete.length,
      rank: basis.length,
    });
  const residuals = new Float64Array(n).fill(Number.NaN);
  complete.forEach((row, at) => {
    residuals[row] = rest[at];
  });
  const explained = before > 0 ? 1 - dot(rest, rest) / before : 0;
  return { values: residuals, explained, rows: complete.length, rank: basis.length };
}

/** Makes `direction` orthonormal to `basis`, adds it there, and takes it out of `rest`. */
function takeOut(basis: Float64Array[], rest: Float64Array, direction: Float64Array): void {
  const length = Math.sqrt(dot(direction, direction));
  for (let pass = 0; pass < 2; pass++)
    for (const q of basis) subtract(direction, dot(q, direction), q);
  const left = Math.sqrt(dot(direction, direction));
  if (!(left > DEPENDENT * length)) return;
  for (let i = 0; i < direction.length; i++) direction[i] /= left;
  basis.push(direction);
  subtract(rest, dot(direction, rest), direction);
}

function* directionsOf(column: Column, rows: readonly number[]): Generator<Float64Array> {
  if (column.kind === "number") {
    // Centred before its length is measured: a year differs from a constant by little of its own length.
    const values = Float64Array.from(rows, (row) => column.values[row]);
    const mean = meanOf(values);
    yield values.map((value) => value - mean);
    return;
  }
  for (let level = 0; level < column.levels.length; level++)
    yield Float64Array.from(rows, (row) => (column.codes[row] === level ? 1 : 0));
}

function subtract(target: Float64Array, factor: number, other: Float64Array): void {
  for (let i = 0; i < target.length; i++) target[i] -= factor * other[i];
}
