import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import type { Rows } from "../linalg/rows.ts";
import type { Architecture } from "./architecture.ts";
import { blockRows, layerValues } from "./forward.ts";
import type { ImageShape } from "./image.ts";
import { layoutOf, type Stage } from "./layout.ts";
import type { Network } from "./network.ts";
import { checkColumns, rowsAsFloat32 } from "./rows.ts";

/**
 * What `layer` (0 the first) puts out for every row, n×units: its activations, dropout off. Of a layer
 * before the last they can stand in place of X wherever importance is asked for, with
 * {@link networkAfter} as the network.
 */
export function activations(network: Network, X: Rows, layer: number): Matrix {
  const layout = layoutOf(network.architecture);
  checkColumns("activations", layout, X);
  checkLayer("activations", network.architecture, layer);
  const { units } = layout.stages[layer];
  const out = matrix(X.rows, units);
  const front = { ...layout, stages: layout.stages.slice(0, layer + 1) };
  const block = blockRows(front);
  for (let start = 0; start < X.rows; start += block) {
    const rows = Math.min(block, X.rows - start);
    const values = layerValues(front, network.parameters, rowsAsFloat32(X, start, rows), rows);
    out.data.set(values[layer + 1].output, start * units);
  }
  return out;
}

/**
 * The rest of a network: its inputs are the units of `layer`, its f the same. The parameters lie in the order
 * of the layers, so they are the end of the old ones.
 */
export function networkAfter(network: Network, layer: number): Network {
  const { architecture, parameters } = network;
  checkLayer("networkAfter", architecture, layer);
  if (architecture.layers.slice(layer + 1).some(({ kind }) => kind === "skip"))
    throw new RatewiseError("domain", {
      in: "networkAfter",
      what: "needs a network of hidden units alone, got one with a linear part, which sees the columns and not the units",
      advice: "train with changes: { linear: false }",
    });
  const { stages, size } = layoutOf(architecture);
  const { image: before, ...rest } = architecture;
  const image = imageAfter(stages.slice(0, layer + 1), before);
  const after: Architecture = {
    ...rest,
    inputs: stages[layer].units,
    ...(image && { image }),
    layers: architecture.layers.slice(layer + 1),
  };
  return {
    kind: "network",
    architecture: after,
    parameters: parameters.slice(size - layoutOf(after).size),
  };
}

/** The image that the last of these stages puts out, if it is one. */
function imageAfter(
  stages: readonly Stage[],
  input: ImageShape | undefined,
): ImageShape | undefined {
  let image = input;
  for (const stage of stages) {
    if (stage.kind === "flatten" || stage.kind === "dense" || stage.kind === "masked-dense")
      image = undefined;
    if ("window" in stage) {
      const { outHeight: height, outWidth: width } = stage.window;
      image = { height, width, channels: stage.units / (height * width) };
    }
  }
  return image;
}

function checkLayer(where: string, { layers }: Architecture, layer: number): void {
  if (!(Number.isInteger(layer) && layer >= 0 && layer < layers.length))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a layer from 0 to ${layers.length - 1}, got ${layer}`,
    });
}
