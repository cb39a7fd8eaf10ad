import { exp, log, sigmoid } from "../elementary/index.ts";
import type { Matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import { forward } from "./forward.ts";
import type { Layout } from "./layout.ts";
import type { Network } from "./network.ts";
import { type RowWeights, weightOf } from "./row-weights.ts";

export interface SettleInput {
  readonly X: Rows;
  /** The rows trained on; null for all. */
  readonly rows: Uint32Array | null;
  /** σ² of every output weight's prior, or one each (l). */
  readonly priorVariance: number | Float64Array;
  /** τ² for a network that learns it; null to keep what it has. */
  readonly noiseVariance: number | null;
  /** What each row of X counts; default the same. */
  readonly weights?: RowWeights;
}

export interface ResidualInput {
  readonly X: Rows;
  readonly y: Float64Array;
  readonly rows: Uint32Array;
  readonly weights?: RowWeights;
}

/** Mean of (y − f)² over some rows, at the posterior mean; the responses as training saw them. */
export function meanSquaredResidual(
  network: Network,
  { X, y, rows, weights = null }: ResidualInput,
): number {
  const { mean } = forward(network, X);
  let sum = 0;
  for (const i of rows) sum += (weights ? weights[i] : 1) * (y[i] - mean.data[i]) ** 2;
  return sum / weightOf(rows, weights);
}

/**
 * Moves the variances of the output layer to where the variational bound is largest, given the means:
 *
 *     v_k = 1/(1/σ_p² + Σ_i w_i h_ik² s_i),   s_i = 1/τ², or E π(1−π) for a class of probability π
 *
 * over the rows trained on, w_i what they count. The expectation is over the output weights, so for classes it is a fixed
 * point: at the mean alone the curvature of rows that are told apart is nearly 0, and their variance would be the prior's.
 * A few hundred steps of Adam on little data leave the variances far from there. One pass forward.
 */
export function settleVariances(network: Network, layout: Layout, input: SettleInput): Network {
  const { X, rows, priorVariance, noiseVariance, weights = null } = input;
  const { hidden: l, outputs, link } = layout;
  const theta = network.parameters.slice();
  const { hidden, mean } = forward(network, X);
  if (noiseVariance !== null)
    theta[layout.logNoise] = log(Math.max(noiseVariance, Number.MIN_VALUE));
  const prior = Float64Array.from(
    { length: outputs * l },
    (_, k) => 1 / (typeof priorVariance === "number" ? priorVariance : priorVariance[k % l]),
  );
  const precisionWith = (curvature: (i: number, c: number) => number): Float64Array => {
    const precision = prior.slice();
    const count = rows ? rows.length : X.rows;
    for (let r = 0; r < count; r++) {
      const i = rows ? rows[r] : r;
      for (let c = 0; c < outputs; c++) {
        const own = (weights ? weights[i] : 1) * curvature(i, c);
        for (let k = 0; k < l; k++) precision[c * l + k] += hidden.data[i * l + k] ** 2 * own;
      }
    }
    return precision;
  };
  const noisePrecision = exp(-theta[layout.logNoise]);
  const precision =
    link === "identity"
      ? precisionWith(() => noisePrecision)
      : classPrecision(hidden, mean, precisionWith);
  for (let k = 0; k < precision.length; k++) theta[layout.logSd + k] = -0.5 * log(precision[k]);
  return { ...network, parameters: theta };
}

/** The precisions have settled once none moves by more than this share. */
const SETTLED = 0.01;
const MOST_TURNS = 50;

/** From the curvatures at the mean, half the way in every turn: the larger a variance, the larger the curvature that shrinks it. */
function classPrecision(
  hidden: Matrix,
  mean: Matrix,
  precisionWith: (curvature: (i: number, c: number) => number) => Float64Array,
): Float64Array {
  const { cols: l } = hidden;
  const { rows, cols: outputs } = mean;
  const variances = new Float64Array(rows * outputs);
  const curvature = (i: number, c: number): number => {
    const place = i * outputs;
    return expectedCurvature(
      mean.data.subarray(place, place + outputs),
      variances.subarray(place, place + outputs),
      c,
    );
  };
  let precision = precisionWith(curvature);
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    for (let i = 0; i < rows; i++)
      for (let c = 0; c < outputs; c++) {
        let sum = 0;
        for (let k = 0; k < l; k++) sum += hidden.data[i * l + k] ** 2 / precision[c * l + k];
        variances[i * outputs + c] = sum;
      }
    const next = precisionWith(curvature);
    let moved = 0;
    precision = precision.map((value, k) => {
      moved = Math.max(moved, Math.abs(next[k] / value - 1));
      return Math.sqrt(value * next[k]);
    });
    if (moved < SETTLED) break;
  }
  return precision;
}

/**
 * E π(1−π) of class c under Gaussian logits: by MacKay's (1992) E σ(f) ≈ σ(κ E f), κ = 1/√(1 + π·Var f/8), whose slope in
 * E f it is. Of several classes f is the logit less the logarithm of the others' sum, with its variance to first order.
 */
function expectedCurvature(logits: Float64Array, variances: Float64Array, c: number): number {
  let difference = logits[0];
  let variance = variances[0];
  if (logits.length > 1) {
    let largest = Number.NEGATIVE_INFINITY;
    for (let o = 0; o < logits.length; o++) if (o !== c) largest = Math.max(largest, logits[o]);
    let [sum, weighed] = [0, 0];
    for (let o = 0; o < logits.length; o++) {
      if (o === c) continue;
      const share = exp(logits[o] - largest);
      sum += share;
      weighed += share ** 2 * variances[o];
    }
    difference = logits[c] - largest - log(sum);
    variance = variances[c] + weighed / sum ** 2;
  }
  const scale = 1 / Math.sqrt(1 + (Math.PI * variance) / 8);
  const chance = sigmoid(scale * difference);
  return scale * chance * (1 - chance);
}
