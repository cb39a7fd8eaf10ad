import { activate, activationSlope } from "../../../src/network/activation.ts";
import { VARIANCE_EPSILON } from "../../../src/network/batch-normalisation.ts";
import type { BatchNormalisationStage } from "../../../src/network/layout.ts";

/** Share of a batch in the running moments. The training kernel has the same. */
const MOMENTUM = 0.1;

/** Mean and variance (over n, not n − 1) of each channel in a batch. */
export interface BatchMoments {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

export interface NormalisedBatch {
  /** (x − mean)/√(variance + ε). */
  readonly normalised: Float64Array;
  readonly moments: BatchMoments;
  readonly before: Float64Array;
  readonly output: Float64Array;
}

/** In training: with the batch's own moments. */
export function normaliseBatch(
  stage: BatchNormalisationStage,
  theta: Float64Array,
  input: Float64Array,
): NormalisedBatch {
  const { channels, weights, bias, activation } = stage;
  const moments = batchMoments(input, channels);
  const normalised = input.map((x, u) => {
    const c = u % channels;
    return (x - moments.mean[c]) / Math.sqrt(moments.variance[c] + VARIANCE_EPSILON);
  });
  const before = normalised.map(
    (x, u) => theta[weights + (u % channels)] * x + theta[bias + (u % channels)],
  );
  const output = before.map((z) => activate(activation, z));
  return { normalised, moments, before, output };
}

/**
 * Adds dL/dγ and dL/dβ to `gradient` and returns dL/dx. The moments depend on x too: with m values a
 * channel and g = γ·dL/dz, dL/dx = (g − mean g − x̂·mean(g·x̂))/√(variance + ε).
 */
export function normaliseBatchBackward(
  { channels, weights, bias, activation }: BatchNormalisationStage,
  theta: Float64Array,
  { normalised, moments, before, output }: NormalisedBatch,
  dOutput: Float64Array,
  gradient: Float64Array,
): Float64Array {
  const dBefore = dOutput.map((d, u) => d * activationSlope(activation, before[u], output[u]));
  const sum = new Float64Array(channels);
  const product = new Float64Array(channels);
  dBefore.forEach((d, u) => {
    sum[u % channels] += d;
    product[u % channels] += d * normalised[u];
  });
  for (let c = 0; c < channels; c++) {
    gradient[weights + c] += product[c];
    gradient[bias + c] += sum[c];
  }
  const m = dBefore.length / channels;
  return dBefore.map((d, u) => {
    const c = u % channels;
    const centred = d - sum[c] / m - (normalised[u] * product[c]) / m;
    return (theta[weights + c] * centred) / Math.sqrt(moments.variance[c] + VARIANCE_EPSILON);
  });
}

/** Moves the running moments towards a batch's; the variance over n − 1, as prediction wants it. */
export function averageMomentsInPlace(
  theta: Float64Array,
  { channels, mean, variance }: BatchNormalisationStage,
  { moments, before }: NormalisedBatch,
): void {
  const m = before.length / channels;
  const unbiased = m > 1 ? m / (m - 1) : 1;
  for (let c = 0; c < channels; c++) {
    theta[mean + c] += MOMENTUM * (moments.mean[c] - theta[mean + c]);
    theta[variance + c] += MOMENTUM * (unbiased * moments.variance[c] - theta[variance + c]);
  }
}

function batchMoments(input: Float64Array, channels: number): BatchMoments {
  const m = input.length / channels;
  const mean = new Float64Array(channels);
  const variance = new Float64Array(channels);
  input.forEach((x, u) => {
    mean[u % channels] += x / m;
  });
  input.forEach((x, u) => {
    variance[u % channels] += (x - mean[u % channels]) ** 2 / m;
  });
  return { mean, variance };
}
