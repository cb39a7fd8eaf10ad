import type { FloatArray } from "../compute/index.ts";
import type { Matrix } from "../linalg/index.ts";
import type { Architecture, LayerSpec } from "./architecture.ts";
import { layoutOf } from "./layout.ts";
import type { LinearPart } from "./linear-part.ts";
import type { Network } from "./network.ts";

/** f(x) = xᵀβ + h(x)ᵀθ + b as one network: a linear part beside the hidden units that learned what it leaves. */
export function joinLinear(
  architecture: Architecture,
  parameters: FloatArray,
  linear: LinearPart,
): Network {
  const { combinations, weights, bias } = linear;
  const skip: LayerSpec = combinations
    ? { kind: "skip", rank: combinations.cols }
    : { kind: "skip" };
  const joined: Architecture = { ...architecture, layers: [...architecture.layers, skip] };
  const from = layoutOf(architecture);
  const to = layoutOf(joined);
  const theta = new Float32Array(to.size);
  theta.set(parameters.subarray(0, from.mean));
  if (combinations) theta.set(combinations.data, from.mean);
  for (let c = 0; c < to.outputs; c++) {
    for (const part of ["mean", "logSd"] as const) {
      const own = from[part] + c * from.hidden;
      theta.set(parameters.subarray(own, own + from.hidden), to[part] + c * to.hidden);
    }
    theta.set(rowOf(weights, c), to.mean + c * to.hidden + from.hidden);
    theta[to.bias + c] = parameters[from.bias + c] + bias[c];
  }
  if (to.logNoise >= 0) theta[to.logNoise] = parameters[from.logNoise];
  return { kind: "network", architecture: joined, parameters: theta };
}

/** The constant that hidden units were trained beside, in place. */
export function addBias(
  parameters: FloatArray,
  architecture: Architecture,
  { bias }: LinearPart,
): void {
  const { bias: at } = layoutOf(architecture);
  for (let c = 0; c < bias.length; c++) parameters[at + c] += bias[c];
}

/** The linear part by itself, a network without hidden units; those of a wide table are its combinations of columns. */
export function linearNetwork(
  { inputs, link, classes }: Architecture,
  { combinations, weights, bias }: LinearPart,
): Network {
  const combined: LayerSpec[] = combinations
    ? [{ kind: "dense", units: combinations.cols, activation: "identity" }]
    : [];
  const rest = { link, ...(classes !== undefined && { classes }) };
  const architecture: Architecture = { inputs, layers: combined, ...rest };
  const layout = layoutOf(architecture);
  const theta = new Float32Array(layout.size);
  if (combinations) theta.set(combinations.data);
  for (let c = 0; c < layout.outputs; c++) {
    theta.set(rowOf(weights, c), layout.mean + c * layout.hidden);
    theta[layout.bias + c] = bias[c];
  }
  return { kind: "network", architecture, parameters: theta };
}

/** σ² of each output weight's prior: the hidden units' one, the linear part's another. */
export function priorVariances(
  { architecture }: Network,
  hidden: number,
  linear: LinearPart | null,
): Float64Array {
  const layout = layoutOf(architecture);
  const out = new Float64Array(layout.hidden).fill(hidden);
  if (linear) out.fill(linear.priorVariance, layout.hidden - linear.weights.cols);
  return out;
}

function rowOf({ data, cols }: Matrix, row: number): Float64Array {
  return data.subarray(row * cols, (row + 1) * cols);
}
