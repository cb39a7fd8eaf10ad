import { activate, activationSlope } from "./activation.ts";
import {
  type NormalisedBatch,
  normaliseBatch,
  normaliseBatchBackward,
  predictionScale,
} from "./batch-normalisation.ts";
import {
  convolutionBackward,
  convolutionForward,
  poolBackward,
  poolForward,
} from "./image-stages.ts";
import type {
  BatchNormalisationStage,
  DenseStage,
  DropoutStage,
  MaskedDenseStage,
  Stage,
} from "./layout.ts";
import { dropoutInto, type StepNoise } from "./noise.ts";

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
    case "masked-dense":
      return denseForward(stage, theta, input, rows);
  }
  return stage satisfies never;
}

function denseForward(
  stage: DenseStage | MaskedDenseStage,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
): StageTrace {
  const before = new Float64Array(rows * stage.units);
  for (let i = 0; i < rows; i++)
    for (let u = 0; u < stage.units; u++) before[i * stage.units + u] = theta[stage.bias + u];
  if (stage.kind === "dense") multiplyDense(stage, theta, input, rows, before);
  else multiplyMasked(stage, theta, input, rows, before);
  return { input, before, output: before.map((z) => activate(stage.activation, z)) };
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
    case "masked-dense":
      return denseBackward(stage, theta, trace, rows, dOutput, gradient);
  }
  return stage satisfies never;
}

function denseBackward(
  stage: DenseStage | MaskedDenseStage,
  theta: Float64Array,
  { input, before, output }: StageTrace,
  rows: number,
  dOutput: Float64Array,
  gradient: Float64Array,
): Float64Array {
  const { inputs, units, activation, weights, bias } = stage;
  const dBefore = dOutput.map((d, i) => d * activationSlope(activation, before[i], output[i]));
  for (let i = 0; i < rows; i++)
    for (let u = 0; u < units; u++) gradient[bias + u] += dBefore[i * units + u];
  const dInput = new Float64Array(rows * inputs);
  const connection = (i: number, j: number, u: number, weight: number) => {
    gradient[weight] += input[i * inputs + j] * dBefore[i * units + u];
    dInput[i * inputs + j] += theta[weight] * dBefore[i * units + u];
  };
  for (let i = 0; i < rows; i++) {
    if (stage.kind === "dense") {
      for (let j = 0; j < inputs; j++)
        for (let u = 0; u < units; u++) connection(i, j, u, weights + j * units + u);
    } else {
      stage.from.forEach((j, c) => {
        connection(i, j, stage.to[c], weights + c);
      });
    }
  }
  return dInput;
}

function multiplyDense(
  { inputs, units, weights }: DenseStage,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
  before: Float64Array,
): void {
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < inputs; j++)
      for (let u = 0; u < units; u++)
        before[i * units + u] += input[i * inputs + j] * theta[weights + j * units + u];
}

function multiplyMasked(
  { inputs, units, weights, from, to }: MaskedDenseStage,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
  before: Float64Array,
): void {
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < from.length; c++)
      before[i * units + to[c]] += input[i * inputs + from[c]] * theta[weights + c];
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
