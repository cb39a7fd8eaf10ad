import { activate, activationSlope } from "../../../src/network/activation.ts";
import { predictionScale } from "../../../src/network/batch-normalisation.ts";
import { denseBackward, denseForward } from "../../../src/network/dense-head.ts";
import type {
  BatchNormalisationStage,
  DropoutStage,
  MaskedDenseStage,
  Stage,
} from "../../../src/network/layout.ts";
import type { StepNoise } from "../../../src/network/noise.ts";
import {
  type NormalisedBatch,
  normaliseBatch,
  normaliseBatchBackward,
} from "./batch-normalisation.ts";
import { dropoutInto } from "./dropout.ts";
import {
  convolutionBackward,
  convolutionForward,
  poolBackward,
  poolForward,
} from "./image-stages.ts";

/** What a stage leaves behind for its backward pass. */
export interface StageTrace {
  readonly input: Float64Array;
  /** Values before the activation; for dropout, the mask; for pooling, what was pooled. */
  readonly before: Float64Array;
  readonly output: Float64Array;
  /** Of a batch normalisation in training. */
  readonly batch?: NormalisedBatch;
}

/** One stage forward on `rows` rows; without noise it is prediction: nothing dropped, running moments. */
export function stageForward(
  stage: Stage,
  at: number,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
  noise: StepNoise | null,
): StageTrace {
  switch (stage.kind) {
    case "dropout":
      return dropoutForward(stage, at, input, rows, noise);
    case "flatten":
      return { input, before: input, output: input };
    case "convolution":
      return { input, ...convolutionForward(stage, theta, input, rows) };
    case "max-pool":
    case "average-pool":
      return { input, ...poolForward(stage, input, rows) };
    case "batch-normalisation":
      return normalise(stage, theta, input, noise !== null);
    case "dense":
      return denseForward(stage, theta, input, rows);
    case "masked-dense":
      return maskedForward(stage, theta, input, rows);
    case "skip":
      throw new Error("steps train no linear part");
  }
  return stage satisfies never;
}

function maskedForward(
  { inputs, units, bias, weights, from, to, activation }: MaskedDenseStage,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
): StageTrace {
  const before = Float64Array.from({ length: rows * units }, (_, at) => theta[bias + (at % units)]);
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < from.length; c++)
      before[i * units + to[c]] += input[i * inputs + from[c]] * theta[weights + c];
  return { input, before, output: before.map((z) => activate(activation, z)) };
}

/**
 * One stage backward: adds dL/dθ to `gradient` and returns dL/dinput, from dL/doutput.
 */
export function stageBackward(
  stage: Stage,
  theta: Float64Array,
  trace: StageTrace,
  rows: number,
  dOutput: Float64Array,
  gradient: Float64Array,
): Float64Array {
  switch (stage.kind) {
    case "dropout":
      return dOutput.map((d, i) => d * trace.before[i]);
    case "flatten":
      return dOutput;
    case "convolution":
      return convolutionBackward(stage, theta, trace, rows, dOutput, gradient);
    case "max-pool":
    case "average-pool":
      return poolBackward(stage, trace.before, rows, dOutput);
    case "batch-normalisation":
      return normaliseBatchBackward(stage, theta, trace.batch!, dOutput, gradient);
    case "dense":
      return denseBackward(stage, theta, trace, rows, dOutput, gradient);
    case "masked-dense":
      return maskedBackward(stage, theta, trace, rows, dOutput, gradient);
    case "skip":
      throw new Error("steps train no linear part");
  }
  return stage satisfies never;
}

function maskedBackward(
  { inputs, units, activation, weights, bias, from, to }: MaskedDenseStage,
  theta: Float64Array,
  { input, before, output }: StageTrace,
  rows: number,
  dOutput: Float64Array,
  gradient: Float64Array,
): Float64Array {
  const dBefore = dOutput.map((d, i) => d * activationSlope(activation, before[i], output[i]));
  dBefore.forEach((d, at) => {
    gradient[bias + (at % units)] += d;
  });
  const dInput = new Float64Array(rows * inputs);
  for (let i = 0; i < rows; i++)
    from.forEach((j, c) => {
      const d = dBefore[i * units + to[c]];
      gradient[weights + c] += input[i * inputs + j] * d;
      dInput[i * inputs + j] += theta[weights + c] * d;
    });
  return dInput;
}

function normalise(
  stage: BatchNormalisationStage,
  theta: Float64Array,
  input: Float64Array,
  training: boolean,
): StageTrace {
  if (training) {
    const batch = normaliseBatch(stage, theta, input);
    return { input, before: batch.before, output: batch.output, batch };
  }
  const { factor, shift } = predictionScale(stage, theta);
  const before = input.map((x, u) => factor[u % stage.channels] * x + shift[u % stage.channels]);
  return { input, before, output: before.map((z) => activate(stage.activation, z)) };
}

function dropoutForward(
  stage: DropoutStage,
  at: number,
  input: Float64Array,
  rows: number,
  noise: StepNoise | null,
): StageTrace {
  const mask = new Float64Array(rows * stage.units).fill(1);
  if (noise) dropoutInto(mask, stage.rate, at, noise);
  return { input, before: mask, output: input.map((x, i) => x * mask[i]) };
}
