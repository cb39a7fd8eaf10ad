import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite, type Matrix } from "../linalg/index.ts";

/** What turns f = hᵀw + b into a distribution of the response. */
export const outputLinks = ["identity", "logistic", "softmax"] as const;
export type OutputLink = (typeof outputLinks)[number];

/** Gaussian weights w ~ N(mean, covariance) of one output, in the shape that effect sizes are made from. */
export interface OutputWeights {
  readonly mean: Float64Array;
  /** l variances, or the full l×l matrix. */
  readonly covariance: Float64Array | Matrix;
  /** b, held fixed or at its mode. */
  readonly bias: number;
}

/** The last hidden layer's values, n×l, and the responses of the same rows. */
export interface OutputData {
  readonly H: Matrix;
  /** Numbers, or the classes 0 … C − 1. */
  readonly y: Float64Array;
  readonly link: OutputLink;
  /** One function of the rows, or C of a softmax. */
  readonly outputs: number;
}

/** Throws unless H and y fit one another and the link. @returns the data with its number of outputs. */
export function checkOutputData(
  where: string,
  H: Matrix,
  y: Float64Array,
  link: OutputLink,
  classes: number | undefined,
): OutputData {
  if (H.rows === 0 || H.cols === 0 || y.length !== H.rows)
    throw shapeError(
      where,
      "a response for each row of H, and at least one row and column",
      `${y.length} responses for ${H.rows}×${H.cols}`,
    );
  const at = firstNonFinite(H.data);
  if (at >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs finite hidden values, got ${H.data[at]} in row ${Math.floor(at / H.cols)} (counted from 0)`,
      advice: "drop the row",
      row: Math.floor(at / H.cols),
    });
  const outputs = link === "softmax" ? (classes ?? 0) : 1;
  if (link === "softmax" && !(Number.isInteger(classes) && outputs >= 2))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs at least 2 classes, got ${classes}`,
    });
  const count = link === "softmax" ? outputs : 2;
  const bad = y.findIndex((value) =>
    link === "identity"
      ? !Number.isFinite(value)
      : !(Number.isInteger(value) && value >= 0 && value < count),
  );
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs ${link === "identity" ? "finite responses" : `classes from 0 to ${count - 1}`}, got ${y[bad]} in row ${bad} (counted from 0)`,
      advice: "drop the row",
      row: bad,
    });
  return { H, y, link, outputs };
}

/** A variance that is positive and finite, or an error that says which is not. */
export function checkVariance(where: string, name: string, value: number): number {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs a ${name} that is positive and finite, got ${value}`,
  });
}
