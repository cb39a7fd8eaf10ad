import { log } from "../elementary/index.ts";
import { fold, type Key, normals, uniforms } from "../random/index.ts";
import type { Activation } from "./activation.ts";
import type { Architecture } from "./architecture.ts";
import { checkArchitecture } from "./check-architecture.ts";
import { patchSize } from "./image.ts";
import {
  type ConvolutionStage,
  type DenseStage,
  layoutOf,
  type MaskedDenseStage,
} from "./layout.ts";

/** Standard deviation of the output weights' posterior before training. */
const INITIAL_SD = 0.05;

/**
 * Where the weights before `relu` and `gelu` start: `he`, normal of sd √(2/inputs), or `glorot`,
 * uniform in ±√(6/(inputs + units)), which is smaller and what Keras does. Other activations: `glorot`.
 */
export const initials = ["he", "glorot"] as const;
export type Initial = (typeof initials)[number];

/**
 * Fresh parameters: hidden weights as {@link Initial} says, the inputs of a masked unit being those it
 * is joined to and those of a filter the cells under it; biases 0, γ and running variances 1, output
 * means N(0, 1/l), τ² = 1.
 */
export function initialParameters(
  architecture: Architecture,
  key: Key,
  initial: Initial = "he",
): Float64Array {
  checkArchitecture(architecture);
  const layout = layoutOf(architecture);
  const theta = new Float64Array(layout.size);
  layout.stages.forEach((stage, at) => {
    const child = fold(key, "layer", at);
    if (stage.kind === "dense")
      fillDense(theta, stage, weightDraws(stage.activation, initial, child));
    if (stage.kind === "masked-dense")
      fillMasked(theta, stage, weightDraws(stage.activation, initial, child));
    if (stage.kind === "convolution")
      fillConvolution(theta, stage, weightDraws(stage.activation, initial, child));
    if (stage.kind === "batch-normalisation")
      for (const start of [stage.weights, stage.variance])
        theta.fill(1, start, start + stage.channels);
  });
  const next = normals(fold(key, "output"));
  const { hidden, outputs } = layout;
  for (let k = 0; k < outputs * hidden; k++) {
    theta[layout.mean + k] = next() / Math.sqrt(hidden);
    theta[layout.logSd + k] = log(INITIAL_SD);
  }
  return theta;
}

type WeightDraw = (fanIn: number, fanOut: number) => number;

function fillDense(theta: Float64Array, stage: DenseStage, draw: WeightDraw): void {
  const { inputs, units, weights } = stage;
  for (let c = 0; c < inputs * units; c++) theta[weights + c] = draw(inputs, units);
}

function fillMasked(theta: Float64Array, stage: MaskedDenseStage, draw: WeightDraw): void {
  const { inputs, units, weights, from, to } = stage;
  const fanIn = new Uint32Array(units);
  const fanOut = new Uint32Array(inputs);
  for (let c = 0; c < from.length; c++) {
    fanIn[to[c]]++;
    fanOut[from[c]]++;
  }
  for (let c = 0; c < from.length; c++) theta[weights + c] = draw(fanIn[to[c]], fanOut[from[c]]);
}

/** Glorot's fan out counts the places that a cell goes to, as Keras does: filters × cells of the kernel. */
function fillConvolution(theta: Float64Array, stage: ConvolutionStage, draw: WeightDraw): void {
  const { window, filters, weights } = stage;
  const inputs = patchSize(window);
  const fanOut = (inputs / window.channels) * filters;
  for (let c = 0; c < inputs * filters; c++) theta[weights + c] = draw(inputs, fanOut);
}

function weightDraws(activation: Activation, initial: Initial, key: Key): WeightDraw {
  if (initial === "he" && (activation === "relu" || activation === "gelu")) {
    const next = normals(key);
    return (fanIn) => next() * Math.sqrt(2 / fanIn);
  }
  const next = uniforms(key);
  return (fanIn, fanOut) => (2 * next() - 1) * Math.sqrt(6 / (fanIn + fanOut));
}
