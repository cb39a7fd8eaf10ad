import { RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import { squaresOf } from "../linalg/moments.ts";
import { fold, type Key, normalInto, permutation, subsample } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { type ColumnCorrelation, correlatedNormals } from "./columns.ts";

export const simulatedLinks = ["identity", "logistic"] as const;
type SimulatedLink = (typeof simulatedLinks)[number];

export interface SimulateOptions {
  readonly key: Key;
  readonly rows: number;
  /** `identity`: y = f. `logistic`: y = 1[f ≥ 0], a tenth of the labels flipped. Default `identity`. */
  readonly link?: SimulatedLink;
  /** p, default 100. */
  readonly variables?: number;
  /** Size of each of the three causal sets, default 10. */
  readonly causalSetSize?: number;
  /** Default independent columns. */
  readonly correlation?: ColumnCorrelation;
}

const known: Readonly<Record<keyof SimulateOptions, true>> = {
  key: true,
  rows: true,
  link: true,
  variables: true,
  causalSetSize: true,
  correlation: true,
};

/** The truth behind simulated rows: plain data, in the units of f. */
export interface SimulatedTruth {
  readonly link: SimulatedLink;
  readonly variables: number;
  readonly correlation: ColumnCorrelation;
  /** C₁, C₂, C₃ in increasing order; every variable of C₁ interacts with every one of C₂. */
  readonly causalSets: readonly [Uint32Array, Uint32Array, Uint32Array];
  /** β, one for each of the p variables, 0 outside the causal sets. */
  readonly additive: Float64Array;
  /** α, |C₁|×|C₂|. */
  readonly interactions: Matrix;
  readonly noiseSd: number;
}

export interface SimulatedRows {
  readonly X: Matrix;
  /** The response, or the labels 0 and 1. */
  readonly y: Float64Array;
}

export interface Simulation extends SimulatedRows {
  readonly truth: SimulatedTruth;
}

/** Shares of the variance of f: additive effects, interactions, noise. */
const SHARES = [0.3, 0.3, 0.4] as const;
const FLIPPED = 0.1;

/**
 * The paper's generator: f = Σ_{j∈C} x_jβ_j + Σ_{j∈C₁,k∈C₂} x_jx_kα_jk + ε with normal effects, each
 * of the three parts rescaled so that its sample variance is 0.3, 0.3 and 0.4. The causal sets and
 * all effects are drawn anew from the key. O(n·(p + |C₁||C₂|)).
 */
export function simulate(options: SimulateOptions): Simulation {
  refuseUnknown("simulate", options, known);
  checkKey("simulate", options.key);
  refuseUnlisted("simulate", "link", simulatedLinks, options.link);
  const { key, rows, link = "identity", variables = 100, causalSetSize: c = 10 } = options;
  const correlation = options.correlation ?? { kind: "independent" };
  if (!(Number.isInteger(rows) && rows >= 2))
    throw new RatewiseError("domain", {
      in: "simulate",
      what: `needs at least 2 rows, got ${rows}`,
    });
  if (!(Number.isInteger(c) && c >= 1 && 3 * c <= variables))
    throw new RatewiseError("domain", {
      in: "simulate",
      what: `needs three causal sets within ${variables} variables, got 3 × ${c}`,
    });
  const X = correlatedNormals(rows, variables, correlation, fold(key, "X"));
  const shuffled = permutation(fold(key, "causal"), variables);
  const causalSets = [0, 1, 2].map((s) => shuffled.slice(s * c, (s + 1) * c).sort());
  const draws = new Float64Array(3 * c);
  normalInto(draws, fold(key, "additive"));
  const additive = new Float64Array(variables);
  causalSets.forEach((set, s) => {
    set.forEach((j, k) => {
      additive[j] = draws[s * c + k];
    });
  });
  const interactions = matrix(c, c);
  normalInto(interactions.data, fold(key, "interactions"));

  const unscaled = [
    additivePart(X, additive),
    interactionPart(X, causalSets[0], causalSets[1], interactions),
    noisePart(rows, fold(key, "noise")),
  ];
  const scales = unscaled.map((part, s) => Math.sqrt(SHARES[s] / sampleVariance(part)));
  scaleInPlace(additive, scales[0]);
  scaleInPlace(interactions.data, scales[1]);
  const f = new Float64Array(rows);
  unscaled.forEach((part, s) => {
    for (let i = 0; i < rows; i++) f[i] += scales[s] * part[i];
  });

  const truth: SimulatedTruth = {
    link,
    variables,
    correlation,
    causalSets: [causalSets[0], causalSets[1], causalSets[2]],
    additive,
    interactions,
    noiseSd: scales[2],
  };
  return { X, y: respond(f, link, fold(key, "flip")), truth };
}

/** New rows from the same truth: same effects, same scaling constants, fresh columns, noise and flips. */
export function simulateMoreRows(truth: SimulatedTruth, rows: number, key: Key): SimulatedRows {
  refuseUnlisted("simulateMoreRows", "link", simulatedLinks, truth.link ?? null);
  const X = correlatedNormals(rows, truth.variables, truth.correlation, fold(key, "X"));
  const [first, second] = truth.causalSets;
  const f = additivePart(X, truth.additive);
  const interaction = interactionPart(X, first, second, truth.interactions);
  const noise = noisePart(rows, fold(key, "noise"));
  for (let i = 0; i < rows; i++) f[i] += interaction[i] + truth.noiseSd * noise[i];
  return { X, y: respond(f, truth.link, fold(key, "flip")) };
}

/** One label a variable, 1 where it is causal: what a ranking is judged against. */
export function causalLabels(truth: SimulatedTruth): Uint8Array {
  const labels = new Uint8Array(truth.variables);
  for (const set of truth.causalSets) for (const j of set) labels[j] = 1;
  return labels;
}

function respond(f: Float64Array, link: SimulatedTruth["link"], key: Key): Float64Array {
  switch (link) {
    case "identity":
      return f;
    case "logistic": {
      const y = f.map((value) => (value >= 0 ? 1 : 0));
      for (const i of subsample(key, f.length, Math.round(FLIPPED * f.length))) y[i] = 1 - y[i];
      return y;
    }
  }
  return link satisfies never;
}

function additivePart(X: Matrix, additive: Float64Array): Float64Array {
  const out = new Float64Array(X.rows);
  for (let i = 0; i < X.rows; i++)
    for (let j = 0; j < X.cols; j++) out[i] += X.data[i * X.cols + j] * additive[j];
  return out;
}

function interactionPart(
  X: Matrix,
  first: Uint32Array,
  second: Uint32Array,
  interactions: Matrix,
): Float64Array {
  const out = new Float64Array(X.rows);
  for (let i = 0; i < X.rows; i++) {
    const row = i * X.cols;
    for (let a = 0; a < first.length; a++) {
      let sum = 0;
      for (let b = 0; b < second.length; b++)
        sum += X.data[row + second[b]] * interactions.data[a * interactions.cols + b];
      out[i] += X.data[row + first[a]] * sum;
    }
  }
  return out;
}

function noisePart(rows: number, key: Key): Float64Array {
  const out = new Float64Array(rows);
  normalInto(out, key);
  return out;
}

function sampleVariance(values: Float64Array): number {
  return squaresOf(values) / (values.length - 1);
}

function scaleInPlace(values: Float64Array, scale: number): void {
  for (let i = 0; i < values.length; i++) values[i] *= scale;
}
