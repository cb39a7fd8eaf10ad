import type { LayerSpec, NetworkParameters } from "@ratewise/core/network";
import { evaluate } from "./derivative.ts";
import { windowsOf } from "./operators/window.ts";
import { callOf, type Program, type Step } from "./program.ts";
import type { Tensor } from "./tensor.ts";

type Activation = "relu" | "tanh" | "sigmoid" | "gelu" | "identity";

/** A chain of operators as layers of core, whose outputs are the units of the last hidden layer. */
export interface ImportedLayers {
  readonly network: NetworkParameters;
  /** For each column that the layers take, the column of the table; null where they are the same. */
  readonly columns: Uint32Array | null;
}

const activations: Readonly<Record<string, Activation>> = {
  Relu: "relu",
  Tanh: "tanh",
  Sigmoid: "sigmoid",
};
const views = new Set([
  "Identity",
  "Dropout",
  "Cast",
  "Reshape",
  "Flatten",
  "Squeeze",
  "Unsqueeze",
]);

/** Units of the hidden layer up to which they are handed out through an output layer of ones and zeros. */
const MOST_UNITS = 512;

interface ImageState {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

interface Layer {
  spec: LayerSpec;
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

/**
 * The chain from the input to the hidden layer as layers of core, whose kernels run convolutions several times as fast as
 * onnxruntime-web: convolutions, pools, dense layers and activations, one after the other. Null for any other graph, and
 * for one without a convolution, which gains nothing. Core has channels last, ONNX channels first: columns and weights are turned.
 */
export function importLayers(program: Program, row: Tensor): ImportedLayers | null {
  // The others compute shapes.
  const steps = program.steps.filter(
    ({ operator, wanted }) => operator.backward && wanted.includes(true),
  );
  if (!steps.some(({ node }) => node.operator === "Conv")) return null;
  const values = evaluate(program, row);
  const layers: Layer[] = [];
  let first: ImageState | null = null;
  let image: ImageState | null = null;
  let current = program.input;
  for (const step of steps) {
    const { node } = step;
    const at = step.wanted.indexOf(true);
    if (node.inputs[at] !== current || step.wanted.lastIndexOf(true) !== at) return null;
    const before = values.get(current)!;
    const after = values.get(node.outputs[0])!;
    current = node.outputs[0];
    if (views.has(node.operator)) continue;
    if (["Conv", "MaxPool", "AveragePool", "GlobalAveragePool"].includes(node.operator)) {
      if (before.dims.length !== 4) return null;
      const [, channels, height, width] = before.dims;
      const here: ImageState = { channels, height, width };
      if (layers.length === 0) first = here;
      else if (!image || image.channels !== channels || image.height !== height) return null;
      const layer = imageLayer(program, step, values);
      if (!layer) return null;
      layers.push(layer);
      image = { channels: after.dims[1], height: after.dims[2], width: after.dims[3] };
      continue;
    }
    if (node.operator === "Gemm" || node.operator === "MatMul") {
      if (layers.length === 0 || before.dims.length !== 2) return null;
      const layer = denseLayer(program, step, image);
      if (!layer) return null;
      if (image) layers.push(bare({ kind: "flatten" }));
      layers.push(layer);
      image = null;
      continue;
    }
    const last = layers.at(-1);
    if (!last || !("activation" in last.spec) || last.spec.activation !== "identity") return null;
    const activation = activations[node.operator];
    if (activation) last.spec = { ...last.spec, activation };
    else if (!addBias(program, step, last)) return null;
  }
  const last = layers.at(-1);
  if (current !== program.target || !first || last?.spec.kind !== "dense") return null;
  const { units } = last.spec;
  if (units < 2 || units > MOST_UNITS) return null;
  return { network: networkOf(layers, first, units), columns: channelsLast(first) };
}

const bare = (spec: LayerSpec): Layer => ({
  spec,
  weights: new Float64Array(0),
  bias: new Float64Array(0),
});

function imageLayer(
  program: Program,
  step: Step,
  values: ReadonlyMap<string, Tensor>,
): Layer | null {
  const call = callOf(step.node, values, program.opset, program.constants);
  const x = call.inputs[0]!;
  const [, channels, height, width] = x.dims;
  const { operator, attributes } = step.node;
  if (operator === "GlobalAveragePool")
    return bare({ kind: "average-pool", kernel: [height, width] });
  const number = (name: string) => attributes.get(name)?.integer ?? 0;
  const W = operator === "Conv" ? call.inputs[1]! : null;
  const kernel = W ? W.dims.slice(2) : (attributes.get("kernel_shape")?.integers ?? []);
  const w = windowsOf(call, x.dims, kernel);
  if (w.dilationY !== 1 || w.dilationX !== 1 || number("ceil_mode") !== 0) return null;
  const window = {
    kernel: [w.height, w.width] as const,
    stride: [w.strideY, w.strideX] as const,
    padding: [w.top, w.left, w.bottom, w.right] as const,
  };
  if (!W) {
    if (number("count_include_pad") !== 0) return null;
    return bare({ kind: operator === "MaxPool" ? "max-pool" : "average-pool", ...window });
  }
  if ((attributes.get("group")?.integer ?? 1) !== 1) return null;
  const filters = W.dims[0];
  const weights = new Float64Array(W.data.length);
  const size = w.height * w.width;
  for (let f = 0; f < filters; f++)
    for (let c = 0; c < channels; c++)
      for (let k = 0; k < size; k++)
        weights[(k * channels + c) * filters + f] = W.data[(f * channels + c) * size + k];
  return {
    spec: { kind: "convolution", filters, ...window, activation: "identity" },
    weights,
    bias: call.inputs[2] ? call.inputs[2].data.slice() : new Float64Array(filters),
  };
}

/** A dense layer; after an image its inputs come with the channels last. */
function denseLayer(program: Program, step: Step, image: ImageState | null): Layer | null {
  const { inputs, attributes, operator } = step.node;
  const B = program.constants.get(inputs[1]);
  if (B?.dims.length !== 2 || !step.wanted[0]) return null;
  const gemm = operator === "Gemm";
  if (gemm && (attributes.get("transA")?.integer ?? 0) !== 0) return null;
  const turned = gemm && (attributes.get("transB")?.integer ?? 0) !== 0;
  const alpha = (gemm ? attributes.get("alpha")?.float : null) ?? 1;
  const beta = attributes.get("beta")?.float ?? 1;
  const [rows, units] = turned ? [B.dims[1], B.dims[0]] : B.dims;
  const order = image ? channelsLast(image) : null;
  const weights = new Float64Array(B.data.length);
  for (let i = 0; i < rows; i++) {
    const from = order ? order[i] : i;
    for (let k = 0; k < units; k++)
      weights[i * units + k] = alpha * B.data[turned ? k * rows + from : from * units + k];
  }
  const bias = new Float64Array(units);
  const c = gemm && inputs[2] ? program.constants.get(inputs[2]) : null;
  if (c && c.data.length !== 1 && c.data.length !== units) return null;
  if (c) for (let k = 0; k < units; k++) bias[k] = beta * c.data[c.data.length === 1 ? 0 : k];
  return { spec: { kind: "dense", units, activation: "identity" }, weights, bias };
}

/** The bias of a MatMul, in an operator of its own. */
function addBias(program: Program, { node, wanted }: Step, layer: Layer): boolean {
  if (node.operator !== "Add" || layer.spec.kind !== "dense") return false;
  const c = program.constants.get(node.inputs[wanted[0] ? 1 : 0]);
  if (c?.data.length !== layer.bias.length) return false;
  for (let k = 0; k < c.data.length; k++) layer.bias[k] += c.data[k];
  return true;
}

/** Place (y·width + x)·channels + c of an image is place (c·height + y)·width + x of ONNX's. */
function channelsLast({ channels, height, width }: ImageState): Uint32Array | null {
  if (channels === 1) return null;
  const size = height * width;
  return Uint32Array.from(
    { length: channels * size },
    (_, at) => (at % channels) * size + Math.floor(at / channels),
  );
}

/** The layers with an output layer that hands out the hidden units as they are. */
function networkOf(layers: readonly Layer[], image: ImageState, units: number): NetworkParameters {
  const means = new Float64Array(units * units);
  for (let k = 0; k < units; k++) means[k * (units + 1)] = 1;
  const rest = new Float64Array(units * units + units);
  const parts = [...layers.flatMap(({ weights, bias }) => [weights, bias]), means, rest];
  const parameters = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    parameters.set(part, at);
    at += part.length;
  }
  return {
    architecture: {
      inputs: image.channels * image.height * image.width,
      image: { height: image.height, width: image.width, channels: image.channels },
      layers: layers.map(({ spec }) => spec),
      link: "softmax",
      classes: units,
    },
    parameters,
  };
}
