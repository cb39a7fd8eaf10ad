import type { FloatArray, Workspace } from "../compute/index.ts";
import { RatewiseError, refuseUnknown, refuseUnlisted, shapeError } from "../errors.ts";
import { meansOfColumns } from "../linalg/moments.ts";
import type { Rows } from "../linalg/rows.ts";
import type { RunOptions } from "../run.ts";
import type { Architecture } from "./architecture.ts";
import { checkArchitecture } from "./check-architecture.ts";
import { blockRows } from "./forward.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { checkColumns } from "./rows.ts";
import { checkTarget, type SaliencyOf, saliencyTargets } from "./saliency-target.ts";

export const saliencyMethods = [
  "gradient",
  "gradient-x-input",
  "integrated-gradients",
  "lrp",
] as const;
export type SaliencyMethod = (typeof saliencyMethods)[number];

/** Rows that integrated gradients may start from, by name. */
export const saliencyBaselines = ["zero", "mean"] as const;
export type SaliencyBaseline = (typeof saliencyBaselines)[number];

/** An architecture and its parameters, in either precision; a Network is one. */
export interface NetworkParameters {
  readonly architecture: Architecture;
  readonly parameters: FloatArray;
}

export interface SaliencyOptions extends RunOptions {
  readonly method: SaliencyMethod;
  /** Default `logit`. */
  readonly of?: SaliencyOf;
  /** The class that is explained. Default 1 of a logistic, each row's likeliest of a softmax. */
  readonly class?: number;
  /** Where integrated gradients start: zeros, the mean of the rows of X, or a row of p numbers. Default zeros. */
  readonly baseline?: SaliencyBaseline | FloatArray;
  /** Midpoints of integrated gradients. Default 512. */
  readonly steps?: number;
  /** ε of LRP. Default 1e-4. */
  readonly epsilon?: number;
  /** Default `double`; `single` is about twice as fast, and good to about 1e-5 of the largest entry. */
  readonly precision?: "single" | "double";
}

const saliencyPrecisions = ["single", "double"] as const;

const known: Readonly<Record<keyof SaliencyOptions, true>> = {
  method: true,
  of: true,
  class: true,
  baseline: true,
  steps: true,
  epsilon: true,
  precision: true,
  signal: true,
  onProgress: true,
};

/** Rows that pass through the layers together; of images so many that a layer stays in the cache. */
const MOST_ROWS = 256;
const BLOCK_NUMBERS = 1 << 18;

export interface Member {
  readonly layout: Layout;
  readonly theta: FloatArray;
}

/** The options with their defaults, checked against the networks and the rows. */
export interface Plan
  extends Required<Pick<SaliencyOptions, "method" | "of" | "epsilon" | "precision">> {
  readonly members: readonly Member[];
  readonly block: number;
  /** 1 but for integrated gradients. */
  readonly steps: number;
  readonly baseline: FloatArray;
  /** Null for each row's likeliest. */
  readonly class: number | null;
}

export function planSaliency(
  networks: readonly NetworkParameters[],
  X: Rows,
  options: SaliencyOptions,
  workspace: Workspace | null,
): Plan {
  checkNames(options);
  const { method, of = "logit", precision = "double", steps = 512, epsilon = 1e-4 } = options;
  if (networks.length === 0) throw shapeError("saliency", "at least one network", "none");
  const members = networks.map((network) => memberOf(network, precision, workspace));
  for (const { layout } of members) checkColumns("saliency", layout, X);
  checkTarget("saliency", members[0].layout, of, options.class);
  checkFinite(X);
  if (!(Number.isInteger(steps) && steps >= 1))
    throw new RatewiseError("domain", {
      in: "saliency",
      what: `needs at least one step, got ${steps}`,
    });
  if (!(epsilon >= 0 && Number.isFinite(epsilon)))
    throw new RatewiseError("domain", {
      in: "saliency",
      what: `needs an ε of at least 0, got ${epsilon}`,
    });
  const { link } = members[0].layout;
  return {
    method,
    of,
    precision,
    epsilon,
    members,
    block: Math.min(...members.map(({ layout }) => blockRows(layout, MOST_ROWS, BLOCK_NUMBERS))),
    steps: method === "integrated-gradients" ? steps : 1,
    baseline: baselineRow(X, options.baseline ?? "zero"),
    class: options.class ?? (link === "softmax" ? null : link === "logistic" ? 1 : 0),
  };
}

function checkNames(options: SaliencyOptions): void {
  const where = "saliency";
  refuseUnknown(where, options, known);
  refuseUnlisted(where, "method", saliencyMethods, options.method ?? null);
  refuseUnlisted(where, "of", saliencyTargets, options.of);
  refuseUnlisted(where, "precision", saliencyPrecisions, options.precision);
  if (!ArrayBuffer.isView(options.baseline))
    refuseUnlisted(where, "baseline", saliencyBaselines, options.baseline);
}

/** The parameters lie where the engine uses them without a copy: every block and step does. */
function memberOf(
  { architecture, parameters }: NetworkParameters,
  precision: "single" | "double",
  workspace: Workspace | null,
): Member {
  checkArchitecture(architecture);
  const layout = layoutOf(architecture);
  const { size } = layout;
  if (parameters.length !== size)
    throw shapeError(
      "saliency",
      `${size} parameters, as the architecture says`,
      `${parameters.length}`,
    );
  const theta =
    precision === "single"
      ? (workspace?.float32(size) ?? new Float32Array(size))
      : (workspace?.float64(size) ?? new Float64Array(size));
  theta.set(parameters);
  return { layout, theta };
}

/** Some rows of X in the precision asked for. */
export function rowsIn(
  precision: "single" | "double",
  X: Rows,
  start: number,
  rows: number,
): FloatArray {
  const part = X.data.subarray(start * X.cols, (start + rows) * X.cols);
  return precision === "single" ? Float32Array.from(part) : Float64Array.from(part);
}

function checkFinite({ data, cols }: Rows): void {
  const bad = data.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: "saliency",
      what: `needs finite inputs, got ${data[bad]} in row ${Math.floor(bad / cols)}, column ${bad % cols}`,
      advice: "fill or drop missing values first",
    });
}

function baselineRow(X: Rows, baseline: SaliencyBaseline | FloatArray): FloatArray {
  if (baseline === "zero") return new Float64Array(X.cols);
  if (baseline === "mean") return meansOfColumns(X);
  if (baseline.length !== X.cols)
    throw shapeError("saliency", `a baseline of ${X.cols} numbers`, `${baseline.length}`);
  return baseline;
}
