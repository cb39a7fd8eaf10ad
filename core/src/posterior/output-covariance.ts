import {
  cholesky,
  choleskyInverse,
  type Matrix,
  matrix,
  transposeMultiply,
} from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import { curvature } from "./output-likelihood.ts";
import type { OutputProblem } from "./output-problem.ts";

/** Which part of the Hessian is inverted. */
export interface CovarianceRequest {
  readonly problem: OutputProblem;
  /** E(y | F) at the mode, n×outputs. */
  readonly expected: Matrix;
  /** The outputs whose weights vary, the others being held at the mode. */
  readonly outputs: readonly number[];
  /** Columns of H that are biases: integrated out, so not in what is returned. */
  readonly biasColumns: number;
}

/**
 * The inverse of the Hessian of −log posterior in the weights of some outputs, block after block:
 *
 *     block (a, b) = Hᵀdiag(s_ab)H + δ_ab Λ,   s_ab = 1/τ², π(1−π) or π_a(δ_ab − π_b)
 *
 * without the rows and columns of the biases. With all outputs that is the covariance; with some, the
 * covariance given the others. O(c²·n·l² + c³·l³) for c outputs.
 */
export function conditionalCovariance(request: CovarianceRequest): Matrix {
  const { problem, outputs, biasColumns } = request;
  const width = problem.H.cols;
  const hessian = outputHessian(request);
  const size = hessian.rows;
  // The same number added to every bias changes no chance: with all classes free, the last bias is held.
  const all = problem.link === "softmax" && outputs.length === problem.outputs;
  const kept = Array.from({ length: size }, (_, e) => e);
  const free = all && biasColumns > 0 ? kept.slice(0, size - biasColumns) : kept;
  const inverse = choleskyInverse(cholesky(part(hessian, free)));
  return part(
    inverse,
    free.filter((e) => e % width < width - biasColumns),
  );
}

/** The Hessian itself, biases included, with the precision of the prior on its diagonal. */
export function outputHessian({ problem, expected, outputs }: CovarianceRequest): Matrix {
  const width = problem.H.cols;
  const size = outputs.length * width;
  const hessian = matrix(size, size);
  outputs.forEach((a, i) => {
    outputs.slice(0, i + 1).forEach((b, j) => {
      const block = weightedGram(problem.H, curvature(problem, expected, a, b));
      for (let r = 0; r < width; r++)
        for (let c = 0; c < width; c++) {
          hessian.data[(i * width + r) * size + j * width + c] = block.data[r * width + c];
          hessian.data[(j * width + c) * size + i * width + r] = block.data[r * width + c];
        }
    });
    for (let k = 0; k < width; k++)
      hessian.data[(i * width + k) * (size + 1)] += problem.precision[k];
  });
  return hessian;
}

/** The same with every column of H by itself: the variances (or c×c blocks) of a diagonal Hessian. */
export function columnCovariances(request: CovarianceRequest): Matrix[] {
  const { H, precision } = request.problem;
  const l = H.cols - request.biasColumns;
  const biases = Array.from({ length: request.biasColumns }, (_, k) => l + k);
  return Array.from({ length: l }, (_, k) => {
    const columns = [k, ...biases];
    const problem = {
      ...request.problem,
      H: selectColumns(H, columns),
      precision: Float64Array.from(columns, (column) => precision[column]),
    };
    return conditionalCovariance({ ...request, problem });
  });
}

/** Hᵀdiag(s)H. */
function weightedGram(H: Matrix, s: Float64Array): Matrix {
  const weighted = matrix(
    H.rows,
    H.cols,
    H.data.map((value, e) => value * s[Math.floor(e / H.cols)]),
  );
  return transposeMultiply(weighted, H);
}

/** Rows and columns `indexes` of a square matrix. */
function part(A: Matrix, indexes: readonly number[]): Matrix {
  if (indexes.length === A.rows) return A;
  const out = matrix(indexes.length, indexes.length);
  indexes.forEach((from, i) => {
    indexes.forEach((at, j) => {
      out.data[i * indexes.length + j] = A.data[from * A.cols + at];
    });
  });
  return out;
}
