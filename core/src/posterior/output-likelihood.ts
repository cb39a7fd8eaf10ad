import { exp, sigmoid, softplus } from "../elementary/index.ts";
import { logSumExp } from "../elementary/log-sum-exp.ts";
import { type Matrix, matrix, multiplyTranspose } from "../linalg/index.ts";
import type { OutputProblem } from "./output-problem.ts";
import type { OutputLink } from "./output-weights.ts";

/** F = H Wᵀ + b, n×outputs, for W outputs×l. */
export function outputsOf({ H, bias }: OutputProblem, W: Matrix): Matrix {
  const F = multiplyTranspose(H, W);
  const C = F.cols;
  for (let e = 0; e < F.data.length; e++) F.data[e] += bias[e % C];
  return F;
}

/** E(y | F): F itself, the chance of class 1, or the chance of every class; n×outputs. */
export function expectations(link: OutputLink, { data, rows, cols }: Matrix): Matrix {
  const out = matrix(rows, cols);
  if (link === "identity") out.data.set(data);
  else if (link === "logistic") for (let i = 0; i < rows; i++) out.data[i] = sigmoid(data[i]);
  else
    for (let i = 0; i < rows; i++) {
      const top = data.subarray(i * cols, (i + 1) * cols).reduce((a, b) => Math.max(a, b));
      let sum = 0;
      for (let c = 0; c < cols; c++) {
        out.data[i * cols + c] = exp(data[i * cols + c] - top);
        sum += out.data[i * cols + c];
      }
      for (let c = 0; c < cols; c++) out.data[i * cols + c] /= sum;
    }
  return out;
}

/** −log p(y | F) without constants, summed over the rows by what they count. */
export function negativeLogLikelihood(problem: OutputProblem, F: Matrix): number {
  const { link, y, noisePrecision, counts } = problem;
  const { data, cols } = F;
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    const count = counts ? counts[i] : 1;
    if (link === "identity") sum += count * 0.5 * noisePrecision * (data[i] - y[i]) ** 2;
    else if (link === "logistic") sum += count * (softplus(data[i]) - y[i] * data[i]);
    else
      sum += count * (logSumExp(data.subarray(i * cols, (i + 1) * cols)) - data[i * cols + y[i]]);
  }
  return sum;
}

/** ∂(−log p)/∂F = E(y | F) − y, times 1/τ² for the identity link and what the row counts; in place of the expectations. */
export function residualsInPlace(problem: OutputProblem, expected: Matrix): Matrix {
  const { link, y, noisePrecision, counts } = problem;
  const { data, cols } = expected;
  for (let i = 0; i < y.length; i++)
    if (link === "softmax") data[i * cols + y[i]] -= 1;
    else data[i] = (data[i] - y[i]) * noisePrecision;
  if (counts) for (let e = 0; e < data.length; e++) data[e] *= counts[Math.floor(e / cols)];
  return expected;
}

/**
 * −∂²log p(y | F)/∂f_a∂f_b of every row: 1/τ², π(1 − π), or π_a(δ_ab − π_b), times what the row counts.
 *
 * @param expected as {@link expectations} has them
 */
export function curvature(
  { link, noisePrecision, counts }: Pick<OutputProblem, "link" | "noisePrecision" | "counts">,
  expected: Matrix,
  a: number,
  b: number,
): Float64Array {
  const { data, rows, cols } = expected;
  const out = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const chance = data[i * cols + a];
    out[i] =
      link === "identity"
        ? noisePrecision
        : chance * ((a === b ? 1 : 0) - data[i * cols + (link === "logistic" ? 0 : b)]);
    if (counts) out[i] *= counts[i];
  }
  return out;
}
