import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { blockOf, difference } from "./class-blocks.ts";
import {
  type CovarianceRequest,
  columnCovariances,
  conditionalCovariance,
} from "./output-covariance.ts";
import { expectations, outputsOf } from "./output-likelihood.ts";
import { posteriorMode } from "./output-mode.ts";
import { type OutputOptions, type OutputProblem, problemOf, withOnes } from "./output-problem.ts";
import type { OutputLink, OutputWeights } from "./output-weights.ts";

export interface LaplaceOptions extends OutputOptions {
  /** `full` (default): all covariances of the weights; `diagonal`: l variances, each given the others. */
  readonly structure?: "full" | "diagonal";
  /** Where the curvature is taken; default the mode. The response is then of no consequence but for its length. */
  readonly at?: GivenWeights;
}

/** Weights that somebody else found. */
export interface GivenWeights {
  /** W, outputs×l. */
  readonly weights: Matrix;
  /** b, one per output. */
  readonly bias: Float64Array;
}

/** N(mode, Hessian⁻¹) of a last layer's weights: plain data. */
export interface LaplacePosterior {
  readonly kind: "laplace";
  readonly link: OutputLink;
  readonly structure: "full" | "diagonal";
  /** One per class of a softmax, otherwise one. */
  readonly outputs: readonly OutputWeights[];
  /** The covariance of all classes' weights together, class after class; null but for a full softmax of at most {@link MOST_JOINT_WEIGHTS}. */
  readonly joint: Matrix | null;
  readonly priorVariance: number;
  /** τ², null for classes. */
  readonly noiseVariance: number | null;
  readonly biasIntegrated: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** C·l up to which the covariance of all classes together is formed: 32 MB. */
export const MOST_JOINT_WEIGHTS = 2000;

/**
 * Laplace's approximation of a last layer on the activations H (n×l) of any trained network, with forward
 * passes only: the mode of p(w | y, H), and the inverse Hessian there.
 *
 *     identity   V⁻¹ = I/σ_p² + HᵀH/τ²: exact, the conjugate answer
 *     logistic   V⁻¹ = I/σ_p² + Hᵀdiag(π(1−π))H
 *     softmax    blocks HᵀD_abH + δ_ab I/σ_p², D_ab = diag(π_a(δ_ab − π_b)), inverted as a whole while
 *                C·l ≤ 2,000; beyond that each class is given the others, which is far too narrow as a marginal,
 *                and the diagnostics say so. {@link laplaceContrast} has the difference of two classes.
 *
 * At given weights it is the curvature there, around them: what a network's own weights leave open.
 *
 * Integrating b out is the same as centring H, with weights s for classes. O(n·l² + l³), for a softmax with C·l.
 */
export function laplace(H: Matrix, y: Float64Array, options: LaplaceOptions): LaplacePosterior {
  const { link, structure = "full", priorVariance = 1 } = options;
  const { problem, integrated } = problemOf("laplace", H, y, options);
  const l = H.cols;
  const W = options.at ? givenWeights(options.at, problem) : posteriorMode(problem);
  const expected = expectations(link, outputsOf(problem, W));
  const request = { problem, expected, biasColumns: integrated ? 1 : 0 };
  const C = problem.outputs;
  const all = Array.from({ length: C }, (_, c) => c);
  const joint =
    structure === "full" && C > 1 && C * l <= MOST_JOINT_WEIGHTS
      ? conditionalCovariance({ ...request, outputs: all })
      : null;
  const outputs = all.map((c): OutputWeights => {
    const from = c * W.cols;
    return {
      mean: W.data.slice(from, from + l),
      covariance: joint
        ? blockOf(joint, c, c, l)
        : covarianceOf({ ...request, outputs: [c] }, structure),
      bias: problem.bias[c] + (integrated ? W.data[from + l] : 0),
    };
  });
  return {
    kind: "laplace",
    link,
    structure,
    outputs,
    joint,
    priorVariance,
    noiseVariance: options.noiseVariance ?? null,
    biasIntegrated: integrated,
    diagnostics: C > 1 && !joint ? [conditional(C)] : [],
  };
}

/**
 * The weights of logit a − logit b of a softmax: from the joint covariance where there is one, otherwise
 * from the two-class Hessian with its −π_aπ_b, given the other classes. Not the sum of two classes' variances.
 *
 * @param H the rows the posterior was made from
 * @param weights what each of them counted
 */
export function laplaceContrast(
  posterior: LaplacePosterior,
  H: Matrix,
  a: number,
  b: number,
  weights?: Float64Array,
): OutputWeights {
  const where = "laplaceContrast";
  const { outputs, joint, structure, biasIntegrated } = posterior;
  const C = outputs.length;
  const l = outputs[0].mean.length;
  for (const c of [a, b])
    if (!(Number.isInteger(c) && c >= 0 && c < C && a !== b))
      throw new RatewiseError("domain", {
        in: where,
        what: `needs two different classes from 0 to ${C - 1}, got ${a} and ${b}`,
      });
  if (H.cols !== l) throw shapeError(where, `the ${l} hidden units of the posterior`, `${H.cols}`);
  const mean = outputs[a].mean.map((value, k) => value - outputs[b].mean[k]);
  const bias = outputs[a].bias - outputs[b].bias;
  if (joint) return { mean, bias, covariance: difference(joint, a, b, l) };
  const problem = withOnes(H, biasIntegrated, {
    y: new Float64Array(0),
    link: posterior.link,
    outputs: C,
    bias: Float64Array.from(outputs, (output) => output.bias),
    noisePrecision: 1,
    priorVariance: posterior.priorVariance,
    counts: weights,
  });
  // The biases are in the offset already, so the weights of a column of ones are 0 here.
  const W = matrix(C, problem.H.cols);
  outputs.forEach((output, c) => {
    W.data.set(output.mean, c * W.cols);
  });
  const expected = expectations("softmax", outputsOf(problem, W));
  const request = { problem, expected, outputs: [a, b], biasColumns: biasIntegrated ? 1 : 0 };
  if (structure === "full")
    return { mean, bias, covariance: difference(conditionalCovariance(request), 0, 1, l) };
  const variances = columnCovariances(request).map((pair) => difference(pair, 0, 1, 1).data[0]);
  return { mean, bias, covariance: Float64Array.from(variances) };
}

/** Given weights in the shape of the problem's own: biases that vary have a column. */
export function givenWeights({ weights, bias }: GivenWeights, problem: OutputProblem): Matrix {
  const { outputs, H } = problem;
  const W = matrix(outputs, H.cols);
  const wide = H.cols - weights.cols;
  if (weights.rows !== outputs || bias.length !== outputs || wide < 0 || wide > 1)
    throw shapeError(
      "laplace",
      `given weights of ${outputs}×${H.cols}`,
      `${weights.rows}×${weights.cols} and ${bias.length} biases`,
    );
  for (let c = 0; c < outputs; c++) {
    W.data.set(weights.data.subarray(c * weights.cols, (c + 1) * weights.cols), c * W.cols);
    if (wide === 1) W.data[c * W.cols + weights.cols] = bias[c];
  }
  return W;
}

function covarianceOf(
  request: CovarianceRequest,
  structure: "full" | "diagonal",
): Matrix | Float64Array {
  if (structure === "full") return conditionalCovariance(request);
  return Float64Array.from(columnCovariances(request), ({ data }) => data[0]);
}

function conditional(classes: number): Diagnostic {
  return diagnostic(
    "conditional-class-variances",
    `Each class's variances hold the other ${classes - 1} classes fixed, so they are too narrow. Rank contrasts of two classes instead.`,
    { classes },
  );
}
