import { activate, activationSlope } from "./activation.ts";
import type { DenseStage, Layout } from "./layout.ts";
import { type LossOptions, outputLoss } from "./loss.ts";
import type { StepNoise } from "./noise.ts";

/** Rows of inputs with their responses. */
export interface Batch {
  /** rows×p, row-major. */
  readonly X: Float64Array;
  readonly y: Float64Array;
  readonly rows: number;
}

/** What a layer leaves behind for its backward pass. */
export interface DenseTrace {
  readonly input: Float64Array;
  /** Values before the activation. */
  readonly before: Float64Array;
  readonly output: Float64Array;
}

/** The last hidden layer of a network of dense layers. */
export function headHidden(
  layout: Layout,
  theta: Float64Array,
  X: Float64Array,
  rows: number,
): Float64Array {
  return headTraces(layout, theta, X, rows).at(-1)?.output ?? X;
}

/** {@link outputLoss} of a network of dense layers, with its gradient in all parameters and in X. */
export function headLoss(
  layout: Layout,
  theta: Float64Array,
  { X, y, rows }: Batch,
  options: LossOptions,
  noise: StepNoise,
): { loss: number; gradient: Float64Array; slopes: Float64Array } {
  const traces = headTraces(layout, theta, X, rows);
  const H = traces.at(-1)?.output ?? X;
  const gradient = new Float64Array(layout.size);
  const { loss, slopes: dH } = outputLoss(layout, theta, H, y, options, noise, gradient);
  const slopes = denseStages(layout).reduceRight(
    (back, stage, at) => denseBackward(stage, theta, traces[at], rows, back, gradient),
    dH,
  );
  return { loss, gradient, slopes };
}

function denseStages({ stages }: Layout): DenseStage[] {
  return stages.filter((stage) => stage.kind === "dense");
}

function headTraces(
  layout: Layout,
  theta: Float64Array,
  X: Float64Array,
  rows: number,
): DenseTrace[] {
  const traces: DenseTrace[] = [];
  for (const stage of denseStages(layout))
    traces.push(denseForward(stage, theta, traces.at(-1)?.output ?? X, rows));
  return traces;
}

/** a(x W + b) of each row. */
export function denseForward(
  { inputs, units, weights, bias, activation }: DenseStage,
  theta: Float64Array,
  input: Float64Array,
  rows: number,
): DenseTrace {
  const before = new Float64Array(rows * units);
  for (let i = 0; i < rows; i++) {
    before.set(theta.subarray(bias, bias + units), i * units);
    for (let j = 0; j < inputs; j++)
      for (let u = 0; u < units; u++)
        before[i * units + u] += input[i * inputs + j] * theta[weights + j * units + u];
  }
  return { input, before, output: before.map((z) => activate(activation, z)) };
}

/** Adds dL/dθ to `gradient` and returns dL/dinput, from dL/doutput. */
export function denseBackward(
  { inputs, units, activation, weights, bias }: DenseStage,
  theta: Float64Array,
  { input, before, output }: DenseTrace,
  rows: number,
  dOutput: Float64Array,
  gradient: Float64Array,
): Float64Array {
  const dBefore = dOutput.map((d, i) => d * activationSlope(activation, before[i], output[i]));
  const dInput = new Float64Array(rows * inputs);
  for (let i = 0; i < rows; i++) {
    for (let u = 0; u < units; u++) gradient[bias + u] += dBefore[i * units + u];
    for (let j = 0; j < inputs; j++)
      for (let u = 0; u < units; u++) {
        gradient[weights + j * units + u] += input[i * inputs + j] * dBefore[i * units + u];
        dInput[i * inputs + j] += theta[weights + j * units + u] * dBefore[i * units + u];
      }
  }
  return dInput;
}
