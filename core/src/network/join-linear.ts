import type { FloatArray } from "../compute/index.ts";
import { log } from "../elementary/index.ts";
import type { Matrix } from "../linalg/index.ts";
import type { Architecture, LayerSpec } from "./architecture.ts";
import { layoutOf } from "./layout.ts";
import type { LinearPart } from "./linear-part.ts";
import type { Mix } from "./mix.ts";
import type { Network } from "./network.ts";

/** f(x) = xᵀβ + h(x)ᵀθ + b as one network: a linear part beside hidden units, each with its share. */
export function joinLinear(
  architecture: Architecture,
  parameters: FloatArray,
  { combinations, weights, bias }: LinearPart,
  mix: Mix,
): Network {
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
    for (let k = 0; k < from.hidden; k++) {
      const [own, put] = [c * from.hidden + k, c * to.hidden + k];
      theta[to.mean + put] = mix.hidden * parameters[from.mean + own];
      theta[to.logSd + put] = parameters[from.logSd + own] + log(mix.hidden);
    }
    const first = to.mean + c * to.hidden + from.hidden;
    rowOf(weights, c).forEach((weight, k) => {
      theta[first + k] = mix.linear * weight;
    });
    theta[to.bias + c] = mix.hidden * parameters[from.bias + c] + mix.linear * bias[c];
  }
  if (to.logNoise >= 0) theta[to.logNoise] = parameters[from.logNoise];
  return { kind: "network", architecture: joined, parameters: theta };
}

/** The same where the linear part is a constant: the hidden units' share, and the constant's in the bias. */
export function shrinkTowards(
  architecture: Architecture,
  parameters: FloatArray,
  { bias }: LinearPart,
  mix: Mix,
): Network {
  const theta = Float32Array.from(parameters);
  const { mean, logSd, bias: at, hidden, outputs } = layoutOf(architecture);
  for (let k = 0; k < outputs * hidden; k++) {
    theta[mean + k] *= mix.hidden;
    theta[logSd + k] += log(mix.hidden);
  }
  for (let c = 0; c < outputs; c++)
    theta[at + c] = mix.hidden * theta[at + c] + mix.linear * bias[c];
  return { kind: "network", architecture, parameters: theta };
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

/** σ² of each output weight's prior: the hidden units' one, the linear part's another, as their shares scale them. */
export function priorVariances(
  { architecture }: Network,
  hidden: number,
  linear: LinearPart | null,
  mix: Mix,
): Float64Array {
  const layout = layoutOf(architecture);
  const out = new Float64Array(layout.hidden).fill(hidden * mix.hidden ** 2);
  if (linear)
    out.set(
      linear.priorVariance.map((variance) => variance * mix.linear ** 2),
      layout.hidden - linear.weights.cols,
    );
  return out;
}

function rowOf({ data, cols }: Matrix, row: number): Float64Array {
  return data.subarray(row * cols, (row + 1) * cols);
}
