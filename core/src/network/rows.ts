import type { FloatArray } from "../compute/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import type { Rows } from "../linalg/rows.ts";
import { type Architecture, outputCount } from "./architecture.ts";
import type { Layout } from "./layout.ts";

/** Throws unless X and y are finite, of one length, and what the architecture takes. */
export function checkTrainingRows(X: Rows, y: FloatArray, architecture: Architecture): void {
  if (X.cols !== architecture.inputs)
    throw shapeError(
      "fit",
      `${architecture.inputs} columns, as the architecture says`,
      `${X.cols}`,
    );
  if (y.length !== X.rows) throw shapeError("fit", `one response a row (${X.rows})`, `${y.length}`);
  const bad = X.data.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: "fit",
      what: `needs finite inputs, got ${X.data[bad]} in row ${Math.floor(bad / X.cols)}, column ${bad % X.cols}`,
      advice: "fill or drop missing values first",
    });
  const classes = architecture.link === "softmax" ? outputCount(architecture) : 2;
  const fits = (value: number) =>
    architecture.link === "identity"
      ? Number.isFinite(value)
      : Number.isInteger(value) && value >= 0 && value < classes;
  const wrong = y.findIndex((value) => !fits(value));
  if (wrong >= 0)
    throw new RatewiseError("domain", {
      in: "fit",
      what: `needs ${architecture.link === "identity" ? "finite responses" : `classes from 0 to ${classes - 1}`}, got ${y[wrong]} in row ${wrong}`,
    });
}

export function rowsAsFloat32(X: Rows, start: number, rows: number): Float32Array {
  return Float32Array.from(X.data.subarray(start * X.cols, (start + rows) * X.cols));
}

export function checkColumns(where: string, layout: Layout, X: Rows): void {
  if (X.cols !== layout.inputs)
    throw shapeError(where, `${layout.inputs} columns, as in the fit`, `${X.cols}`);
}
