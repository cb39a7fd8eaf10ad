import { RatewiseError } from "../errors.ts";
import type { Activation } from "./activation.ts";
import { type ImageShape, pixelCount, type Window, windowOver } from "./image.ts";
import { type ImageLayerSpec, windowSpec } from "./image-layers.ts";

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

/** Throws unless every number in the description makes sense. */
export function checkArchitecture(architecture: Architecture): void {
  const { inputs, link, classes } = architecture;
  need(isCount(inputs), "at least one input", inputs);
  need(["identity", "logistic", "softmax"].includes(link), "a known link", link);
  need(
    link === "softmax" ? isCount(classes) && classes! >= 2 : classes === undefined,
    link === "softmax" ? "at least 2 classes" : "classes with softmax only",
    classes,
  );
  checkLayers(architecture);
}

function checkLayers({ inputs, image: input, layers }: Architecture): void {
  if (input) checkImage(input, inputs);
  let width = inputs;
  let image = input;
  layers.forEach((layer, at) => {
    const name = `layer ${at + 1}`;
    switch (layer.kind) {
      case "dropout":
        need(layer.rate >= 0 && layer.rate < 1, `a dropout rate in [0, 1) in ${name}`, layer.rate);
        return;
      case "batch-normalisation":
        return;
      case "flatten":
        image = undefined;
        return;
      case "convolution":
      case "max-pool":
      case "average-pool": {
        need(image !== undefined, `an image before ${name} (set \`image\`)`, "a list of units");
        const channels = layer.kind === "convolution" ? layer.filters : image!.channels;
        need(isCount(channels), `at least one filter in ${name}`, channels);
        const window = windowOver(image!, windowSpec(layer));
        checkWindow(window, layer.kind, name);
        image = { height: window.outHeight, width: window.outWidth, channels };
        width = pixelCount(image);
        return;
      }
      case "dense":
      case "masked-dense":
        need(isCount(layer.units), `at least one unit in ${name}`, layer.units);
        if (layer.kind === "masked-dense")
          checkConnectivity(layer.connectivity, width, layer.units, name);
        width = layer.units;
        image = undefined;
        return;
      case "skip":
        need(at === layers.length - 1, `nothing after the skip of ${name}`, layers.length);
        need(layer.rank === undefined || isCount(layer.rank), `a rank in ${name}`, layer.rank);
        return;
    }
    need(false, `a known kind in ${name}`, (layer satisfies never as { kind: string }).kind);
  });
}

function checkImage(image: ImageShape, inputs: number): void {
  const { height, width, channels } = image;
  const shape = `${height}×${width}×${channels}`;
  need([height, width, channels].every(isCount), "whole numbers of an image's cells", shape);
  need(pixelCount(image) === inputs, `an image of ${inputs} cells, as many as inputs`, shape);
}

function checkWindow(window: Window, kind: string, name: string): void {
  const { kernelHeight, kernelWidth, strideY, strideX, top, left, bottom, right } = window;
  const kernel = `${kernelHeight}×${kernelWidth}`;
  need([kernelHeight, kernelWidth].every(isCount), `a kernel of whole cells in ${name}`, kernel);
  need([strideY, strideX].every(isCount), `a stride of whole cells in ${name}`, [strideY, strideX]);
  const padding = [top, left, bottom, right];
  const whole = padding.every((cells) => Number.isInteger(cells) && cells >= 0);
  need(whole, `a padding of whole cells in ${name}`, padding);
  const fits = window.outHeight >= 1 && window.outWidth >= 1;
  need(fits, `an image of at least ${kernel} with its padding in ${name}`, sizeOf(window));
  if (kind === "convolution") return;
  const inside = Math.max(top, bottom) < kernelHeight && Math.max(left, right) < kernelWidth;
  need(inside, `a padding below the kernel (${kernel}) in ${name}`, padding);
}

function sizeOf({ height, width }: ImageShape): string {
  return `${height}×${width}`;
}

function checkConnectivity(
  { from, to }: Connectivity,
  inputs: number,
  units: number,
  name: string,
): void {
  need(from.length === to.length, `as many ends as starts in ${name}`, to.length);
  for (let c = 0; c < from.length; c++) {
    need(from[c] < inputs, `inputs below ${inputs} in ${name}`, from[c]);
    need(to[c] < units, `units below ${units} in ${name}`, to[c]);
    const sorted =
      c === 0 || from[c - 1] < from[c] || (from[c - 1] === from[c] && to[c - 1] < to[c]);
    need(sorted, `sorted connections in ${name} (use connect)`, `${from[c]} → ${to[c]} at ${c}`);
  }
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

function need(holds: boolean, needed: string, got: unknown): void {
  if (!holds)
    throw new RatewiseError("domain", { in: "architecture", what: `needs ${needed}, got ${got}` });
}
