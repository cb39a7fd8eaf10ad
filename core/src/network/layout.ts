import type { Activation } from "./activation.ts";
import { type Architecture, type LayerSpec, type Link, outputCount } from "./architecture.ts";
import { type ImageShape, patchSize, pixelCount, type Window, windowOver } from "./image.ts";
import { windowSpec } from "./image-layers.ts";

/** A layer with its sizes, and where its parameters start in the flat array. */
export type Stage =
  | DenseStage
  | MaskedDenseStage
  | DropoutStage
  | ConvolutionStage
  | PoolStage
  | FlattenStage
  | BatchNormalisationStage
  | SkipStage;

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

export interface ConvolutionStage {
  readonly kind: "convolution";
  readonly inputs: number;
  readonly units: number;
  readonly activation: Activation;
  readonly window: Window;
  readonly filters: number;
  /** Start of W, (kernel row, kernel column, channel)×filters row-major: the order of a patch. */
  readonly weights: number;
  readonly bias: number;
}

export interface PoolStage {
  readonly kind: "max-pool" | "average-pool";
  readonly inputs: number;
  readonly units: number;
  readonly window: Window;
}

export interface FlattenStage {
  readonly kind: "flatten";
  readonly inputs: number;
  readonly units: number;
}

export interface BatchNormalisationStage {
  readonly kind: "batch-normalisation";
  readonly inputs: number;
  readonly units: number;
  readonly activation: Activation;
  /** Units u, u + channels, … share one mean and variance; of a list, each unit has its own. */
  readonly channels: number;
  /** Starts of γ, β and the running moments, which training averages instead of descending. */
  readonly weights: number;
  readonly bias: number;
  readonly mean: number;
  readonly variance: number;
}

export interface SkipStage {
  readonly kind: "skip";
  readonly inputs: number;
  /** `inputs` and then `columns`. */
  readonly units: number;
  /** What stands beside: the p inputs of the network, or combinations of them. */
  readonly columns: number;
  /** p. */
  readonly from: number;
  /** Start of P, p×columns row-major, or −1 for the inputs as they are. */
  readonly weights: number;
}

/**
 * Where everything lies in the one flat array of parameters: the hidden layers in order (weights,
 * then biases, then a batch normalisation's running moments), then the output layer: means m (outputs×l), log standard deviations (outputs×l),
 * biases (outputs) and, for the identity link, log τ².
 */
export interface Layout {
  readonly inputs: number;
  readonly stages: readonly Stage[];
  readonly link: Link;
  /** l, the width of the last hidden layer, with what a skip puts beside it. */
  readonly hidden: number;
  /** How many of these are the linear part's: the last ones. */
  readonly linear: number;
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
  let at: Place = { width: architecture.inputs, image: architecture.image ?? null };
  let size = 0;
  const take = (count: number) => {
    size += count;
    return size - count;
  };
  const stages = architecture.layers.map((layer): Stage => {
    const { stage, image } = stageOf(layer, at, take, architecture.inputs);
    at = { width: stage.units, image };
    return stage;
  });
  const outputs = outputCount(architecture);
  const { width } = at;
  const last = stages.at(-1);
  return {
    inputs: architecture.inputs,
    stages,
    link: architecture.link,
    hidden: width,
    linear: last === undefined ? width : last.kind === "skip" ? last.columns : 0,
    outputs,
    mean: take(outputs * width),
    logSd: take(outputs * width),
    bias: take(outputs),
    logNoise: architecture.link === "identity" ? take(1) : -1,
    size,
  };
}

/** What comes into a layer. */
interface Place {
  readonly width: number;
  readonly image: ImageShape | null;
}

function stageOf(
  layer: LayerSpec,
  { width: inputs, image }: Place,
  take: (count: number) => number,
  p: number,
): { readonly stage: Stage; readonly image: ImageShape | null } {
  switch (layer.kind) {
    case "dropout":
      return { stage: { kind: "dropout", inputs, units: inputs, rate: layer.rate }, image };
    case "flatten":
      return { stage: { kind: "flatten", inputs, units: inputs }, image: null };
    case "batch-normalisation": {
      const { kind, activation = "identity" } = layer;
      const channels = image?.channels ?? inputs;
      const [weights, bias, mean, variance] = [0, 1, 2, 3].map(() => take(channels));
      const parameters = { weights, bias, mean, variance };
      return { stage: { kind, inputs, units: inputs, activation, channels, ...parameters }, image };
    }
    case "max-pool":
    case "average-pool": {
      const window = windowOver(image!, windowSpec(layer));
      const after = imageAfter(window, window.channels);
      return {
        stage: { kind: layer.kind, inputs, units: pixelCount(after), window },
        image: after,
      };
    }
    case "convolution": {
      const { kind, filters, activation } = layer;
      const window = windowOver(image!, windowSpec(layer));
      const after = imageAfter(window, filters);
      const weights = take(patchSize(window) * filters);
      const sizes = { inputs, units: pixelCount(after), filters, window };
      return { stage: { kind, ...sizes, activation, weights, bias: take(filters) }, image: after };
    }
    case "dense": {
      const { kind, units, activation } = layer;
      const weights = take(inputs * units);
      return {
        stage: { kind, inputs, units, activation, weights, bias: take(units) },
        image: null,
      };
    }
    case "masked-dense": {
      const { kind, units, activation } = layer;
      const { from, to } = layer.connectivity;
      const weights = take(from.length);
      const bias = take(units);
      return { stage: { kind, inputs, units, activation, weights, bias, from, to }, image: null };
    }
    case "skip": {
      const columns = layer.rank ?? p;
      const weights = layer.rank === undefined ? -1 : take(p * columns);
      const units = inputs + columns;
      return { stage: { kind: "skip", inputs, units, columns, from: p, weights }, image: null };
    }
  }
  return layer satisfies never;
}

function imageAfter({ outHeight, outWidth }: Window, channels: number): ImageShape {
  return { height: outHeight, width: outWidth, channels };
}
