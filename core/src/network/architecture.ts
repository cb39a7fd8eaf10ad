import { RatewiseError } from "../errors.ts";
import type { Activation } from "./activation.ts";

/** A network as data: hidden layers in order, then one variational output layer. */
export interface Architecture {
  /** p, the number of input columns. */
  readonly inputs: number;
  readonly layers: readonly LayerSpec[];
  /** What turns the output f into a distribution of the response. */
  readonly link: Link;
  /** Number of classes, for `softmax` only. */
  readonly classes?: number;
}

export type Link = "identity" | "logistic" | "softmax";

export type LayerSpec = DenseSpec | MaskedDenseSpec | DropoutSpec;

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
  const { inputs, layers, link, classes } = architecture;
  need(isCount(inputs), "at least one input", inputs);
  need(["identity", "logistic", "softmax"].includes(link), "a known link", link);
  need(
    link === "softmax" ? isCount(classes) && classes! >= 2 : classes === undefined,
    link === "softmax" ? "at least 2 classes" : "classes with softmax only",
    classes,
  );
  let width = inputs;
  layers.forEach((layer, at) => {
    const name = `layer ${at + 1}`;
    if (layer.kind === "dropout") {
      need(layer.rate >= 0 && layer.rate < 1, `a dropout rate in [0, 1) in ${name}`, layer.rate);
      return;
    }
    need(isCount(layer.units), `at least one unit in ${name}`, layer.units);
    if (layer.kind === "masked-dense")
      checkConnectivity(layer.connectivity, width, layer.units, name);
    width = layer.units;
  });
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
  if (!holds) throw new RatewiseError("domain", `architecture: needs ${needed}, got ${got}`);
}
