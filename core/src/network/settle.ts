import { exp, log, sigmoid } from "../elementary/index.ts";
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
 *     v_k = 1/(1/σ_p² + Σ_i w_i h_ik² s_i),   s_i = 1/τ², or π(1−π) for a class of probability π
 *
 * over the rows trained on, w_i what they count: exact for the identity link, second order for classes. A few hundred steps of
 * Adam on little data leave them far from there. One pass forward.
 */
export function settleVariances(network: Network, layout: Layout, input: SettleInput): Network {
  const { X, rows, priorVariance, noiseVariance, weights = null } = input;
  const { hidden: l, outputs, link } = layout;
  const theta = network.parameters.slice();
  const { hidden, mean } = forward(network, X);
  if (noiseVariance !== null)
    theta[layout.logNoise] = log(Math.max(noiseVariance, Number.MIN_VALUE));
  const noisePrecision = link === "identity" ? exp(-theta[layout.logNoise]) : 1;
  const precision = Float64Array.from(
    { length: outputs * l },
    (_, k) => 1 / (typeof priorVariance === "number" ? priorVariance : priorVariance[k % l]),
  );
  const count = rows ? rows.length : X.rows;
  for (let r = 0; r < count; r++) {
    const i = rows ? rows[r] : r;
    for (let c = 0; c < outputs; c++) {
      const curvature =
        (weights ? weights[i] : 1) *
        (link === "identity"
          ? noisePrecision
          : classCurvature(mean.data.subarray(i * outputs, (i + 1) * outputs), c));
      for (let k = 0; k < l; k++) precision[c * l + k] += hidden.data[i * l + k] ** 2 * curvature;
    }
  }
  for (let k = 0; k < precision.length; k++) theta[layout.logSd + k] = -0.5 * log(precision[k]);
  return { ...network, parameters: theta };
}

/** π(1−π) of class c: the curvature of −log p in its logit. */
function classCurvature(logits: Float64Array, c: number): number {
  if (logits.length === 1) {
    const chance = sigmoid(logits[0]);
    return chance * (1 - chance);
  }
  let others = 0;
  for (let o = 0; o < logits.length; o++) if (o !== c) others += exp(logits[o] - logits[c]);
  const chance = 1 / (1 + others);
  return chance * (1 - chance);
}
