import type { Activation } from "./activation.ts";
import { type Architecture, type Link, outputCount } from "./architecture.ts";

/** A layer with its sizes, and where its parameters start in the flat array. */
export type Stage = DenseStage | MaskedDenseStage | DropoutStage;

export interface DenseStage {
  readonly kind: "dense";
  readonly inputs: number;
  readonly units: number;
  readonly activation: Activation;
  /** Start of W, inputs×units row-major: one row an input, so that an input's weights are contiguous. */
  readonly weights: number;
  readonly bias: number;
}

export interface MaskedDenseStage {
  readonly kind: "masked-dense";
  readonly inputs: number;
  readonly units: number;
  readonly activation: Activation;
  /** Start of the connections' weights, in the order of the connectivity. */
  readonly weights: number;
  readonly bias: number;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

export interface DropoutStage {
  readonly kind: "dropout";
  readonly inputs: number;
  readonly units: number;
  readonly rate: number;
}

/**
 * Where everything lies in the one flat array of parameters: the hidden layers in order (weights,
 * then biases), then the output layer: means m (outputs×l), log standard deviations (outputs×l),
 * biases (outputs) and, for the identity link, log τ².
 */
export interface Layout {
  readonly inputs: number;
  readonly stages: readonly Stage[];
  readonly link: Link;
  /** l, the width of the last hidden layer. */
  readonly hidden: number;
  readonly outputs: number;
  readonly mean: number;
  readonly logSd: number;
  readonly bias: number;
  /** Start of log τ², or −1 where the link has no noise variance. */
  readonly logNoise: number;
  /** Length of the parameter array. */
  readonly size: number;
}

export function layoutOf(architecture: Architecture): Layout {
  let width = architecture.inputs;
  let size = 0;
  const take = (count: number) => {
    size += count;
    return size - count;
  };
  const stages = architecture.layers.map((layer): Stage => {
    const inputs = width;
    if (layer.kind === "dropout")
      return { kind: "dropout", inputs, units: inputs, rate: layer.rate };
    const { units, activation } = layer;
    width = units;
    if (layer.kind === "dense") {
      const weights = take(inputs * units);
      return { kind: "dense", inputs, units, activation, weights, bias: take(units) };
    }
    const { from, to } = layer.connectivity;
    const weights = take(from.length);
    const bias = take(units);
    return { kind: "masked-dense", inputs, units, activation, weights, bias, from, to };
  });
  const outputs = outputCount(architecture);
  return {
    inputs: architecture.inputs,
    stages,
    link: architecture.link,
    hidden: width,
    outputs,
    mean: take(outputs * width),
    logSd: take(outputs * width),
    bias: take(outputs),
    logNoise: architecture.link === "identity" ? take(1) : -1,
    size,
  };
}
