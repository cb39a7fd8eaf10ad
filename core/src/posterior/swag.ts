import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import type { Key } from "../random/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import { MOST_JOINT_WEIGHTS } from "./laplace.ts";
import { posteriorMode } from "./output-mode.ts";
import { type OutputOptions, problemOf } from "./output-problem.ts";
import type { OutputLink, OutputWeights } from "./output-weights.ts";
import { walk } from "./swag-walk.ts";
import { weightsFromDraws } from "./weights-from-draws.ts";

/**
 * What is kept of the snapshots' covariance: all of it (`full`), the variances (`diagonal`), or, as published,
 * half the variances plus half the covariance of the last K: ½diag(σ²) + ½ D Dᵀ/(K−1).
 */
export type SwagStructure = "full" | "diagonal" | { readonly rank: number };

export interface SwagOptions extends OutputOptions, RunOptions {
  readonly key: Key;
  /** b, held fixed, one per output; default zeros. */
  readonly bias?: Float64Array;
  /** s, one per pass over the rows; default 200. */
  readonly snapshots?: number;
  /** S, default a tenth of the rows and at most 128. */
  readonly batchSize?: number;
  /** Of plain steps, as published; left out, steps are measured by the curvature and need no rate. */
  readonly learningRate?: number;
  /** Default `full`. */
  readonly structure?: SwagStructure;
}

/** The Gaussian of a last layer's weights along a walk: plain data. */
export interface SwagPosterior {
  readonly kind: "swag";
  readonly link: OutputLink;
  readonly structure: SwagStructure;
  /** One per class of a softmax, otherwise one. */
  readonly outputs: readonly OutputWeights[];
  /** The weights along the walk, s×(outputs·l). */
  readonly snapshots: Matrix;
  readonly priorVariance: number;
  /** τ², null for classes. */
  readonly noiseVariance: number | null;
}

/**
 * Stochastic weight averaging, Gaussian (Maddox and others 2019), of the last layer alone: the hidden layers
 * are fixed, so a pass costs a product with H. The walk starts at the mode; its mean and covariance are the posterior's.
 */
export function swag(H: Matrix, y: Float64Array, options: SwagOptions): Promise<SwagPosterior> {
  return drive(swagSteps(H, y, options), options);
}

function* swagSteps(
  H: Matrix,
  y: Float64Array,
  options: SwagOptions,
): Generator<Progress, SwagPosterior> {
  const { key, snapshots = 200, learningRate = null, structure = "full" } = options;
  const { problem } = problemOf("swag", H, y, options);
  const batchSize = options.batchSize ?? Math.min(128, Math.ceil(H.rows / 10));
  const counts: [string, number, number, number][] = [
    ["snapshots", snapshots, 2, Number.MAX_SAFE_INTEGER],
    ["rows per batch", batchSize, 1, H.rows],
    ["last snapshots", typeof structure === "object" ? structure.rank : 2, 2, snapshots],
  ];
  for (const [name, value, least, most] of counts)
    if (!(Number.isInteger(value) && value >= least && value <= most))
      throw new RatewiseError("domain", {
        in: "swag",
        what: `needs ${least} to ${most} ${name}, got ${value}`,
      });
  if (learningRate !== null && !(learningRate > 0 && Number.isFinite(learningRate)))
    throw new RatewiseError("domain", {
      in: "swag",
      what: `needs a learning rate above 0, got ${learningRate}`,
      option: "learningRate",
    });
  const start = posteriorMode(problem);
  const taken = yield* walk(problem, {
    key,
    start,
    snapshots,
    batchSize,
    learningRate,
    mostJointWeights: MOST_JOINT_WEIGHTS,
  });
  if (!taken.data.every(Number.isFinite))
    throw new RatewiseError("not-converged", {
      in: "swag",
      what: "needs steps that stay bounded, got infinite weights",
      advice: `lower learningRate (now ${learningRate}) or leave it out`,
    });
  const outputs = Array.from({ length: problem.outputs }, (_, c): OutputWeights => {
    const draws = columnsOf(taken, c * H.cols, H.cols);
    return { ...momentsOf(draws, structure), bias: problem.bias[c] };
  });
  return {
    kind: "swag",
    link: options.link,
    structure,
    outputs,
    snapshots: taken,
    priorVariance: options.priorVariance ?? 1,
    noiseVariance: options.noiseVariance ?? null,
  };
}

/** The weights of logit a − logit b of a softmax, from the differences along the walk. */
export function swagContrast(posterior: SwagPosterior, a: number, b: number): OutputWeights {
  const { outputs, snapshots, structure } = posterior;
  for (const c of [a, b])
    if (!(Number.isInteger(c) && c >= 0 && c < outputs.length && a !== b))
      throw new RatewiseError("domain", {
        in: "swagContrast",
        what: `needs two different classes from 0 to ${outputs.length - 1}, got ${a} and ${b}`,
      });
  const l = outputs[0].mean.length;
  const [first, second] = [a, b].map((c) => columnsOf(snapshots, c * l, l));
  const draws = matrix(
    first.rows,
    l,
    first.data.map((value, e) => value - second.data[e]),
  );
  return { ...momentsOf(draws, structure), bias: outputs[a].bias - outputs[b].bias };
}

function momentsOf(draws: Matrix, structure: SwagStructure) {
  const { mean, covariance } = weightsFromDraws(draws);
  if (structure === "full") return { mean, covariance };
  const l = draws.cols;
  const variances = mean.map((_, k) => covariance.data[k * (l + 1)]);
  if (structure === "diagonal") return { mean, covariance: variances };
  const { rank } = structure;
  const low = matrix(l, l);
  for (let s = draws.rows - rank; s < draws.rows; s++)
    for (let i = 0; i < l; i++)
      for (let j = 0; j < l; j++)
        low.data[i * l + j] +=
          ((draws.data[s * l + i] - mean[i]) * (draws.data[s * l + j] - mean[j])) /
          (2 * (rank - 1));
  for (let k = 0; k < l; k++) low.data[k * (l + 1)] += variances[k] / 2;
  return { mean, covariance: low };
}

function columnsOf(A: Matrix, from: number, count: number): Matrix {
  const out = matrix(A.rows, count);
  for (let i = 0; i < A.rows; i++)
    out.data.set(A.data.subarray(i * A.cols + from, i * A.cols + from + count), i * count);
  return out;
}
