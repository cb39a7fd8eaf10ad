import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import {
  checkOutputData,
  checkVariance,
  type OutputData,
  type OutputLink,
} from "./output-weights.ts";
import { checkRowWeights } from "./row-counts.ts";

/** How a last layer's responses come about, and the prior of its weights. */
export interface OutputOptions {
  readonly link: OutputLink;
  /** C, for a softmax only. */
  readonly classes?: number;
  /** σ_p² of the prior w ~ N(0, σ_p² I), default 1. */
  readonly priorVariance?: number;
  /** τ² of the identity link. */
  readonly noiseVariance?: number;
  /** b, held fixed, one per output; or `integrated` out under a flat prior. Default zeros. */
  readonly bias?: Float64Array | "integrated";
  /** What each row counts: 2 as the row twice. Default 1. */
  readonly weights?: Float64Array;
}

/**
 * Finding output weights as a penalised likelihood: −Σ_i c_i log p(y_i | F_i) + ½ Σ_k λ_k Σ_c w_ck², F = H Wᵀ + b, c_i what row i counts.
 * H may carry a column of ones with λ = 0, whose weights are then added to the biases.
 */
export interface OutputProblem extends OutputData {
  /** b, one per output. */
  readonly bias: Float64Array;
  /** λ, one per column of H. */
  readonly precision: Float64Array;
  /** 1/τ² of the identity link, 1 for classes. */
  readonly noisePrecision: number;
  /** What each row counts; default 1. */
  readonly counts?: Float64Array | undefined;
}

/** H with its responses, prior and biases, once they fit. Also what SWAG walks on. */
export function problemOf(
  where: string,
  H: Matrix,
  y: Float64Array,
  options: OutputOptions,
): { problem: OutputProblem; integrated: boolean } {
  const { link, priorVariance = 1, noiseVariance } = options;
  const data = checkOutputData(where, H, y, link, options.classes);
  checkVariance(where, "prior variance", priorVariance);
  if (link === "identity" && noiseVariance === undefined)
    throw new RatewiseError("domain", {
      in: where,
      what: "needs a noise variance for the identity link, got none",
      option: "noiseVariance",
      advice: "pass residualNoiseVariance(y, fitted)",
    });
  const integrated = options.bias === "integrated";
  const bias =
    options.bias === undefined || options.bias === "integrated"
      ? new Float64Array(data.outputs)
      : options.bias;
  if (bias.length !== data.outputs)
    throw shapeError(where, `${data.outputs} biases, one per output`, `${bias.length}`);
  const noisePrecision =
    link === "identity" ? 1 / checkVariance(where, "noise variance", noiseVariance!) : 1;
  if (options.weights) checkRowWeights(where, options.weights, H.rows);
  const counts = options.weights;
  const rest = { y, link, outputs: data.outputs, bias, noisePrecision, priorVariance, counts };
  return { problem: withOnes(H, integrated, rest), integrated };
}

/** The problem on H, with a column of ones of no prior precision where the bias is to be integrated out. */
export function withOnes(
  H: Matrix,
  ones: boolean,
  { priorVariance, ...rest }: Omit<OutputProblem, "H" | "precision"> & { priorVariance: number },
): OutputProblem {
  const cols = H.cols + (ones ? 1 : 0);
  const precision = new Float64Array(cols).fill(1 / priorVariance, 0, H.cols);
  if (!ones) return { ...rest, H, precision };
  const wide = matrix(H.rows, cols);
  for (let i = 0; i < H.rows; i++) {
    wide.data.set(H.data.subarray(i * H.cols, (i + 1) * H.cols), i * cols);
    wide.data[i * cols + H.cols] = 1;
  }
  return { ...rest, H: wide, precision };
}
