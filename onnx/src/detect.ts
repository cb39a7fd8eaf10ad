import { type Matrix, matrix, RatewiseError } from "@ratewise/core";
import type { Link } from "@ratewise/core/network";
import { mention, say } from "@ratewise/core/words";
import type { ExternalFiles } from "./external.ts";
import type { GraphNode, OnnxModel, ValueInfo } from "./model.ts";
import { elementName, elementTypes } from "./model.ts";
import { labelOf } from "./order.ts";
import { constantValue } from "./program.ts";
import type { Tensor } from "./tensor.ts";

export type NetworkLink = Link;

/** The last linear layer f = h Wᵀ + b. */
export interface LastLayer {
  /** W, outputs×l, with whatever scales the outputs afterwards. */
  readonly weights: Matrix;
  readonly bias: Float64Array;
}

/** What a network is made of, as far as an explanation needs it. */
export interface Detected {
  readonly input: ValueInfo;
  readonly output: ValueInfo;
  /** What turns f into the output: nothing, a sigmoid, or a softmax (or its logarithm). */
  readonly link: NetworkLink;
  /** The tensor f: the logits, or the prediction itself. */
  readonly functionTensor: string;
  /** The tensor that feeds the last linear layer. */
  readonly hidden: string;
  /** Null where `hidden` was named by hand and no linear layer takes it to the output. */
  readonly lastLayer: LastLayer | null;
}

export interface DetectOptions {
  /** The tensor to take as the last hidden layer; default the one that feeds the last linear layer. */
  readonly hidden?: string;
  /** The output to explain, of a network with several. */
  readonly output?: string;
}

/** Operators that change the shape of their numbers at most. */
const shapeOnly = new Set([
  "Identity",
  "Dropout",
  "Squeeze",
  "Unsqueeze",
  "Flatten",
  "Reshape",
  "Cast",
]);

/** Finds the link, the last linear layer (Gemm, or MatMul with or without Add) and what feeds it, from the output back. */
export function detect(
  model: OnnxModel,
  files: ExternalFiles,
  options: DetectOptions = {},
): Detected {
  const input = onlyInput(model);
  const output = chosenOutput(model, options.output);
  const producers = producersOf(model);
  const found = lastLinearLayer({ model, files, producers }, output.name);
  const { hidden } = options;
  if (hidden === undefined) return { input, output, ...requireLayer(found) };
  if (!producers.has(hidden) && hidden !== input.name) throw unknownTensor(model, hidden);
  const same = found.kind === "found" && sameNumbers(producers, found.hidden).includes(hidden);
  return {
    input,
    output,
    link: found.link,
    functionTensor: found.functionTensor,
    hidden,
    lastLayer: same ? found.lastLayer : null,
  };
}

function onlyInput({ inputs }: OnnxModel): ValueInfo {
  if (inputs.length !== 1)
    throw new RatewiseError("domain", {
      what: `needs a network with one input, got ${inputs.length}${inputs.length ? `: ${named(inputs)}` : ""}`,
    });
  const [input] = inputs;
  const numbers: number[] = [elementTypes.float, elementTypes.double, elementTypes.float16];
  if (!numbers.includes(input.type))
    throw new RatewiseError("domain", {
      what: `needs an input of float, double or float16, got "${input.name}" of ${elementName(input.type)}`,
    });
  return input;
}

function chosenOutput({ outputs }: OnnxModel, name: string | undefined): ValueInfo {
  if (name === undefined) {
    if (outputs.length === 1) return outputs[0];
    throw new RatewiseError("domain", {
      what: `needs a network with one output, got ${outputs.length}${outputs.length ? `: ${named(outputs)}` : ""}`,
      option: "output",
      ...(outputs.length > 0 && { advice: say`choose one with ${mention("output")}` }),
    });
  }
  const found = outputs.find((output) => output.name === name);
  if (found) return found;
  throw new RatewiseError("unknown-name", {
    what: `has no output "${name}"`,
    option: "output",
    advice: `it has ${named(outputs)}`,
  });
}

const named = (values: readonly ValueInfo[]): string =>
  values
    .slice(0, 10)
    .map(({ name }) => `"${name}"`)
    .join(", ");

type Producers = ReadonlyMap<string, GraphNode>;

function producersOf({ nodes }: OnnxModel): Producers {
  return new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
}

interface Graph {
  readonly model: OnnxModel;
  readonly files: ExternalFiles;
  readonly producers: Producers;
}

type Search = { readonly link: NetworkLink; readonly functionTensor: string } & (
  | { readonly kind: "found"; readonly hidden: string; readonly lastLayer: LastLayer }
  | { readonly kind: "stopped"; readonly at: string }
);

/** One step after the linear layer: f ← W, b changed by a constant. */
type Change = (layer: LastLayer) => LastLayer;

function lastLinearLayer(graph: Graph, output: string): Search {
  const { producers } = graph;
  let at = output;
  let link: NetworkLink = "identity";
  let functionTensor = output;
  const changes: Change[] = [];
  for (;;) {
    const node = producers.get(at);
    const stopped = (why: string): Search => ({ kind: "stopped", link, functionTensor, at: why });
    if (!node) return stopped(`"${at}", which no operator makes`);
    const { operator, inputs } = node;
    const asLink = linkOf(producers, node);
    if (asLink && link === "identity" && changes.length === 0) {
      ({ link, functionTensor } = asLink);
      at = functionTensor;
    } else if (shapeOnly.has(operator)) at = inputs[0];
    else if (operator === "Gemm" || operator === "MatMul") {
      const layer = operator === "Gemm" ? gemmLayer(graph, node) : matMulLayer(graph, node);
      if (!layer) return stopped(`${labelOf(node)}, whose weights are not constants`);
      const lastLayer = changes.reduceRight((inner, change) => change(inner), layer);
      return { kind: "found", link, functionTensor, hidden: inputs[0], lastLayer };
    } else {
      const change = changeBy(graph, node);
      if (!change) return stopped(labelOf(node));
      changes.push(change.apply);
      at = change.from;
    }
  }
}

function linkOf(
  producers: Producers,
  { operator, inputs }: GraphNode,
): { link: NetworkLink; functionTensor: string } | null {
  if (operator === "Sigmoid") return { link: "logistic", functionTensor: inputs[0] };
  if (operator === "Softmax" || operator === "LogSoftmax")
    return { link: "softmax", functionTensor: inputs[0] };
  const inner = producers.get(inputs[0]);
  if (operator === "Log" && inner?.operator === "Softmax")
    return { link: "softmax", functionTensor: inner.inputs[0] };
  return null;
}

/** The bias of a layer, or a scale that brings a response back to its units. */
function changeBy(
  { model, files }: Graph,
  { operator, inputs }: GraphNode,
): { from: string; apply: Change } | null {
  if (!["Add", "Sub", "Mul", "Div"].includes(operator)) return null;
  const [first, second] = inputs.map((name) => constantValue(model, files, name));
  const constant = second ?? first;
  if (!constant || (first && second)) return null;
  const constantFirst = !second;
  if (operator === "Div" && constantFirst) return null;
  const from = inputs[constantFirst ? 1 : 0];
  const apply: Change = (layer) => {
    const C = layer.bias.length;
    const c = constant.data;
    if (c.length !== 1 && c.length !== C)
      throw new RatewiseError("domain", {
        what: `the output layer has ${C} units and is followed by ${operator} with ${c.length} numbers`,
      });
    const value = (k: number) => c[c.length === 1 ? 0 : k];
    const scale = (k: number) =>
      operator === "Mul"
        ? value(k)
        : operator === "Div"
          ? 1 / value(k)
          : operator === "Sub" && constantFirst
            ? -1
            : 1;
    const shift = (k: number) =>
      operator === "Add" || (operator === "Sub" && constantFirst)
        ? value(k)
        : operator === "Sub"
          ? -value(k)
          : 0;
    const { rows, cols, data } = layer.weights;
    return {
      weights: matrix(
        rows,
        cols,
        data.map((w, e) => w * scale(Math.floor(e / cols))),
      ),
      bias: layer.bias.map((b, k) => b * scale(k) + shift(k)),
    };
  };
  return { from, apply };
}

function gemmLayer({ model, files }: Graph, { inputs, attributes }: GraphNode): LastLayer | null {
  const B = constantValue(model, files, inputs[1]);
  if (B?.dims.length !== 2 || (attributes.get("transA")?.integer ?? 0) !== 0) return null;
  const c = inputs[2] ? constantValue(model, files, inputs[2]) : null;
  if (inputs[2] && !c) return null;
  const alpha = attributes.get("alpha")?.float ?? 1;
  const beta = attributes.get("beta")?.float ?? 1;
  const weights = outputsByUnits(B, (attributes.get("transB")?.integer ?? 0) !== 0, alpha);
  const bias = new Float64Array(weights.rows);
  if (c && c.data.length !== 1 && c.data.length !== bias.length) return null;
  if (c) for (let k = 0; k < bias.length; k++) bias[k] = beta * c.data[c.data.length === 1 ? 0 : k];
  return { weights, bias };
}

function matMulLayer({ model, files }: Graph, { inputs }: GraphNode): LastLayer | null {
  const B = constantValue(model, files, inputs[1]);
  if (!B || B.dims.length < 1 || B.dims.length > 2) return null;
  const dims = B.dims.length === 1 ? [B.dims[0], 1] : B.dims;
  const weights = outputsByUnits({ dims, data: B.data }, false, 1);
  return { weights, bias: new Float64Array(weights.rows) };
}

/** W as outputs×units from a matrix of units×outputs, or of outputs×units when `transposed`. */
function outputsByUnits({ dims, data }: Tensor, transposed: boolean, scale: number): Matrix {
  const [outputs, units] = transposed ? dims : [dims[1], dims[0]];
  const W = matrix(outputs, units);
  for (let c = 0; c < outputs; c++)
    for (let k = 0; k < units; k++)
      W.data[c * units + k] = scale * data[transposed ? c * units + k : k * outputs + c];
  return W;
}

/** The tensors that hold the same numbers per row as `name`, going back. */
function sameNumbers(producers: Producers, name: string): string[] {
  const names = [name];
  for (;;) {
    const node = producers.get(names[names.length - 1]);
    if (!node || !shapeOnly.has(node.operator)) return names;
    names.push(node.inputs[0]);
  }
}

function requireLayer(found: Search): Omit<Detected, "input" | "output"> {
  if (found.kind === "found") {
    const { link, functionTensor, hidden, lastLayer } = found;
    return { link, functionTensor, hidden, lastLayer };
  }
  throw new RatewiseError("domain", {
    what: `needs a linear last layer (Gemm, or MatMul and Add), got ${found.at}`,
    advice: say`name the last hidden tensor with ${mention("hidden")} to fit one`,
  });
}

function unknownTensor({ nodes }: OnnxModel, name: string): RatewiseError {
  const last = nodes.slice(-12).flatMap(({ outputs }) => outputs.filter((output) => output !== ""));
  return new RatewiseError("unknown-name", {
    what: `has no tensor "${name}"`,
    option: "hidden",
    advice: `the last ones are ${last.map((output) => `"${output}"`).join(", ")}`,
    name,
  });
}
