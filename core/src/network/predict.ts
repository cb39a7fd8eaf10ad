import { exp, sigmoid } from "../elementary/index.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import { functionVariances } from "../posterior/index.ts";
import { forward } from "./forward.ts";
import { layoutOf } from "./layout.ts";
import type { Network } from "./network.ts";
import { outputVariance } from "./output.ts";

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
 * MacKay's (1992) approximation E σ(f) ≈ σ(E f/√(1 + π·Var f/8)), for a softmax over pairs of classes
 * (Lu, Ie and Sha 2020, "mean-field 2").
 *
 * @param covariances of the weights of each output, where they are not the network's own variances
 */
export function predict(
  network: Network,
  X: Rows,
  covariances?: readonly (Float64Array | Matrix)[],
): Prediction {
  const layout = layoutOf(network.architecture);
  const { link, outputs } = layout;
  const { hidden, mean } = forward(network, X);
  const theta = network.parameters;
  const variance = covariances
    ? sideBySide(covariances.map((covariance) => functionVariances(hidden, covariance)))
    : matrix(X.rows, outputs, outputVariance(layout, theta, hidden.data, X.rows));
  const noiseVariance = link === "identity" ? exp(theta[layout.logNoise]) : null;
  const probabilities = link === "identity" ? null : moderated(mean, variance);
  return { mean, variance, noiseVariance, probabilities };
}

/** Columns as a matrix. */
function sideBySide(columns: readonly Float64Array[]): Matrix {
  const out = matrix(columns[0].length, columns.length);
  columns.forEach((column, c) => {
    for (let i = 0; i < column.length; i++) out.data[i * columns.length + c] = column[i];
  });
  return out;
}

/** Two logits with independent Gaussian errors: E σ(f_a − f_b). */
function averagedSigmoid(difference: number, variance: number): number {
  return sigmoid(difference / Math.sqrt(1 + (Math.PI * variance) / 8));
}

function moderated(mean: Matrix, variance: Matrix): Matrix {
  return mean.cols === 1 ? moderatedLogistic(mean, variance) : moderatedSoftmax(mean, variance);
}

function moderatedLogistic({ data, rows }: Matrix, variance: Matrix): Matrix {
  const out = matrix(rows, 2);
  for (let i = 0; i < rows; i++) {
    out.data[2 * i + 1] = averagedSigmoid(data[i], variance.data[i]);
    out.data[2 * i] = averagedSigmoid(-data[i], variance.data[i]);
  }
  return out;
}

/** p_c ∝ 1/(2 − C + Σ_{k≠c} 1/E σ(f_c − f_k)). O(n·C²). */
function moderatedSoftmax({ data, rows, cols }: Matrix, variance: Matrix): Matrix {
  const out = matrix(rows, cols);
  for (let i = 0; i < rows; i++) {
    const at = i * cols;
    let sum = 0;
    for (let c = 0; c < cols; c++) {
      let inverse = 2 - cols;
      for (let k = 0; k < cols; k++)
        if (k !== c)
          inverse +=
            1 /
            averagedSigmoid(
              data[at + c] - data[at + k],
              variance.data[at + c] + variance.data[at + k],
            );
      out.data[at + c] = 1 / inverse;
      sum += out.data[at + c];
    }
    for (let c = 0; c < cols; c++) out.data[at + c] /= sum;
  }
  return out;
}
