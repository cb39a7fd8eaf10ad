import { type Matrix, matrix } from "../linalg/matrix.ts";
import { sigmoid } from "./activation.ts";
import { forward } from "./forward.ts";
import { layoutOf } from "./layout.ts";
import type { Network } from "./network.ts";
import { outputVariance } from "./output.ts";
import type { Rows } from "./rows.ts";

export interface Prediction {
  /** E f, n×outputs: the predicted response, or logits. */
  readonly mean: Matrix;
  /** Var f, n×outputs: uncertainty of the output weights alone. */
  readonly variance: Matrix;
  /** τ², to be added to `variance` for a new response; null for classes. */
  readonly noiseVariance: number | null;
  /** n×C (2 for `logistic`), rows sum to 1; null for the identity link. */
  readonly probabilities: Matrix | null;
}

/**
 * Predictive distribution of every row. Class probabilities average over the output weights by
 * MacKay's (1992) approximation: each logit is divided by √(1 + π·Var f/8) first.
 */
export function predict(network: Network, X: Rows): Prediction {
  const layout = layoutOf(network.architecture);
  const { link, outputs } = layout;
  const { hidden, mean } = forward(network, X);
  const theta = network.parameters;
  const variance = matrix(X.rows, outputs, outputVariance(layout, theta, hidden.data, X.rows));
  const noiseVariance = link === "identity" ? Math.exp(theta[layout.logNoise]) : null;
  const probabilities = link === "identity" ? null : moderated(mean, variance);
  return { mean, variance, noiseVariance, probabilities };
}

function moderated(mean: Matrix, variance: Matrix): Matrix {
  const { rows, cols } = mean;
  const logits = mean.data.map((f, i) => f / Math.sqrt(1 + (Math.PI * variance.data[i]) / 8));
  if (cols === 1) {
    const out = matrix(rows, 2);
    logits.forEach((f, i) => {
      out.data[2 * i] = sigmoid(-f);
      out.data[2 * i + 1] = sigmoid(f);
    });
    return out;
  }
  for (let i = 0; i < rows; i++) {
    const row = logits.subarray(i * cols, (i + 1) * cols);
    const top = row.reduce((a, b) => Math.max(a, b));
    let sum = 0;
    for (let c = 0; c < cols; c++) {
      row[c] = Math.exp(row[c] - top);
      sum += row[c];
    }
    for (let c = 0; c < cols; c++) row[c] /= sum;
  }
  return matrix(rows, cols, logits);
}
