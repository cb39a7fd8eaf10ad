import { nameOf, RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import { type Activation, activationNames } from "./activation.ts";
import { type Architecture, type Connectivity, type LayerSpec, linkNames } from "./architecture.ts";
import { type ImageShape, pixelCount, type Window, windowOver } from "./image.ts";
import { windowSpec } from "./image-layers.ts";

const known: Readonly<Record<keyof Architecture, true>> = {
  inputs: true,
  image: true,
  layers: true,
  link: true,
  classes: true,
};

type SpecOf<Kind, Spec = LayerSpec> = Spec extends { readonly kind: infer K }
  ? Kind extends K
    ? Spec
    : never
  : never;

/** What each kind of layer has: a misspelt field would otherwise be left out without a word. */
const layerFields: {
  readonly [Kind in LayerSpec["kind"]]: Readonly<Record<keyof SpecOf<Kind>, true>>;
} = {
  dense: { kind: true, units: true, activation: true },
  "masked-dense": { kind: true, units: true, activation: true, connectivity: true },
  dropout: { kind: true, rate: true },
  flatten: { kind: true },
  skip: { kind: true, rank: true },
  convolution: {
    kind: true,
    filters: true,
    kernel: true,
    stride: true,
    padding: true,
    activation: true,
  },
  "max-pool": { kind: true, kernel: true, stride: true, padding: true },
  "average-pool": { kind: true, kernel: true, stride: true, padding: true },
  "batch-normalisation": { kind: true, activation: true },
};

/** Throws unless every name and number in the description makes sense. */
export function checkArchitecture(architecture: Architecture): void {
  const where = "architecture";
  refuseUnknown(where, architecture, known);
  const { inputs, link, classes, layers } = architecture;
  need(isCount(inputs), "at least one input", inputs);
  refuseUnlisted(where, "link", linkNames, required(link));
  need(Array.isArray(layers), "a list of layers", nameOf(layers));
  layers.forEach(checkNames);
  need(
    link === "softmax" ? isCount(classes) && classes! >= 2 : classes === undefined,
    link === "softmax" ? "at least 2 classes" : "classes with softmax only",
    classes,
  );
  checkLayers(architecture);
}

/** The kind of a layer, its fields, and its activation, are such as there are. */
function checkNames(layer: LayerSpec, at: number): void {
  const where = `architecture, layer ${at + 1}`;
  need(typeof layer === "object" && layer !== null, `an object as layer ${at + 1}`, nameOf(layer));
  refuseUnlisted(where, "kind", Object.keys(layerFields), required(layer.kind));
  refuseUnknown(where, layer, layerFields[layer.kind]);
  if (!("activation" in layerFields[layer.kind])) return;
  const { activation } = layer as { readonly activation?: Activation };
  const optional = layer.kind === "batch-normalisation";
  refuseUnlisted(
    where,
    "activation",
    activationNames,
    optional ? activation : required(activation),
  );
}

/** A name that has to be given: none is refused as a wrong one is. */
function required(name: string | undefined): string | null {
  return name ?? null;
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
