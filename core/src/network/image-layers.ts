import type { Activation } from "./activation.ts";
import type { Extent, Padding, WindowSpec } from "./image.ts";

/** a(x ∗ W + b): each of `filters` weighs the cells of a window, at every place it takes. */
export interface ConvolutionSpec {
  readonly kind: "convolution";
  readonly filters: number;
  /** Cells of the window. */
  readonly kernel: Extent;
  /** Cells between two places. Default 1. */
  readonly stride?: Extent;
  /** Default 0. */
  readonly padding?: Padding;
  readonly activation: Activation;
}

/** Largest value, or mean, of each channel in a window; cells outside the image do not count. */
export interface PoolSpec {
  readonly kind: "max-pool" | "average-pool";
  readonly kernel: Extent;
  /** Default the kernel: windows side by side. */
  readonly stride?: Extent;
  /** Less than the kernel. Default 0. */
  readonly padding?: Padding;
}

/** From here on a row is a list of units, no image. */
export interface FlattenSpec {
  readonly kind: "flatten";
}

/**
 * a(γ·(x − mean)/√(variance + 1e-5) + β) for each channel of an image, or each unit of a list: with the
 * batch's moments in training, with their running averages in prediction (Ioffe and Szegedy 2015).
 */
export interface BatchNormalisationSpec {
  readonly kind: "batch-normalisation";
  /** Default `identity`. */
  readonly activation?: Activation;
}

export type ImageLayerSpec = ConvolutionSpec | PoolSpec | FlattenSpec | BatchNormalisationSpec;

/** A layer's window with its defaults filled in. */
export function windowSpec(layer: ConvolutionSpec | PoolSpec): WindowSpec {
  const { kernel, stride, padding = 0 } = layer;
  return { kernel, stride: stride ?? (layer.kind === "convolution" ? 1 : kernel), padding };
}
