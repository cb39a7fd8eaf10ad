import type { Activation } from "./activation.ts";
import type { ImageShape } from "./image.ts";
import type { ImageLayerSpec } from "./image-layers.ts";

/** A network as data: hidden layers in order, then one variational output layer. */
export interface Architecture {
  /** p, the number of input columns. */
  readonly inputs: number;
  /** What the columns are, where convolutions or pooling begin: height × width × channels are `inputs`. */
  readonly image?: ImageShape;
  readonly layers: readonly LayerSpec[];
  /** What turns the output f into a distribution of the response. */
  readonly link: Link;
  /** Number of classes, for `softmax` only. */
  readonly classes?: number;
}

export const linkNames = ["identity", "logistic", "softmax"] as const;
export type Link = (typeof linkNames)[number];

export type LayerSpec = DenseSpec | MaskedDenseSpec | DropoutSpec | ImageLayerSpec | SkipSpec;

/** a(x W + b), W inputs×units. */
export interface DenseSpec {
  readonly kind: "dense";
  readonly units: number;
  readonly activation: Activation;
}

/** A dense layer that has only the listed connections: SNPs to their genes, for one. */
export interface MaskedDenseSpec {
  readonly kind: "masked-dense";
  readonly units: number;
  readonly activation: Activation;
  readonly connectivity: Connectivity;
}

/** In training only: each value is zero with chance `rate`, otherwise divided by 1 − rate. */
export interface DropoutSpec {
  readonly kind: "dropout";
  readonly rate: number;
}

/**
 * The last layer only: puts the network's inputs x beside the units, so that f = xᵀβ + hᵀθ has a linear part with
 * weights of its own. With `rank`, that many fixed combinations of the inputs, xᵀP, in place of x.
 */
export interface SkipSpec {
  readonly kind: "skip";
  readonly rank?: number;
}

/** Connection c joins input `from[c]` to unit `to[c]`; sorted by `from`, then `to`. Make one with {@link connect}. */
export interface Connectivity {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** Sorts pairs (input, unit) into a {@link Connectivity}; a pair given twice counts once. */
export function connect(pairs: Iterable<readonly [number, number]>): Connectivity {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const unique = sorted.filter(
    ([from, to], c) => c === 0 || from !== sorted[c - 1][0] || to !== sorted[c - 1][1],
  );
  return {
    from: Uint32Array.from(unique, ([from]) => from),
    to: Uint32Array.from(unique, ([, to]) => to),
  };
}

/** The number of output functions: one for each class of a softmax, otherwise 1. */
export function outputCount(architecture: Architecture): number {
  return architecture.link === "softmax" ? (architecture.classes ?? 0) : 1;
}
