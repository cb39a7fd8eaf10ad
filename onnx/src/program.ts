import { RatewiseError } from "@ratewise/core";
import { type ExternalFiles, rawOf } from "./external.ts";
import type { GraphNode, OnnxModel } from "./model.ts";
import { operatorOf } from "./operators/index.ts";
import type { Call, Operator } from "./operators/operator.ts";
import { labelOf } from "./order.ts";
import { readNumbers, type Tensor } from "./tensor.ts";

/** One operator on the way from the input to the target. */
export interface Step {
  readonly node: GraphNode;
  readonly operator: Operator;
  /** Which inputs a slope reaches: they depend on the network's input through operators with derivatives. */
  readonly wanted: readonly boolean[];
}

/** The part of a graph that makes one tensor from the input, in our own operators. */
export interface Program {
  readonly input: string;
  readonly target: string;
  readonly opset: number;
  /** Weights, and whatever follows from weights alone. */
  readonly constants: ReadonlyMap<string, Tensor>;
  readonly steps: readonly Step[];
}

/** A program, or the operators it would need that are not known here. */
export type Compiled =
  | { readonly program: Program; readonly missing: readonly string[] }
  | { readonly program: null; readonly missing: readonly string[] };

/**
 * Imports the operators between `input` and `target` and computes what depends on neither. Time and memory are those
 * of the weights; nothing is computed from a shape that a file merely claims without a bound.
 */
export function compile(
  model: OnnxModel,
  files: ExternalFiles,
  input: string,
  target: string,
): Compiled {
  const needed = ancestors(model, target);
  const missing = new Set<string>();
  for (const node of needed) if (!operatorOf(node)) missing.add(node.operator);
  if (missing.size > 0) return { program: null, missing: [...missing].sort() };
  const constants = new Map<string, Tensor>();
  const varies = new Set([input]);
  const slopes = new Set([input]);
  const steps: Step[] = [];
  const opset = model.opset;
  for (const node of needed) {
    const operator = operatorOf(node)!;
    for (const name of node.inputs) loadConstant(model, files, constants, name);
    if (node.inputs.some((name) => varies.has(name))) {
      varies.add(node.outputs[0]);
      const wanted = node.inputs.map((name) => slopes.has(name));
      if (operator.backward && wanted.includes(true)) slopes.add(node.outputs[0]);
      steps.push({ node, operator, wanted });
    } else constants.set(node.outputs[0], operator.forward(callOf(node, constants, opset)));
  }
  loadConstant(model, files, constants, target);
  return { program: { input, target, opset, constants, steps }, missing: [] };
}

/** A tensor that does not depend on the input, or null. */
export function constantValue(model: OnnxModel, files: ExternalFiles, name: string): Tensor | null {
  const inputs = new Set(model.inputs.map((input) => input.name));
  const needed = ancestors(model, name);
  if (inputs.has(name) || needed.some((node) => node.inputs.some((from) => inputs.has(from))))
    return null;
  if (needed.some((node) => !operatorOf(node))) return null;
  const { program } = compile(model, files, "", name);
  return program?.constants.get(name) ?? null;
}

export function callOf(
  node: GraphNode,
  values: ReadonlyMap<string, Tensor>,
  opset: number,
  other: ReadonlyMap<string, Tensor> = values,
): Call {
  const inputs = node.inputs.map((name) => {
    if (name === "") return null;
    const found = values.get(name) ?? other.get(name);
    if (!found)
      throw new RatewiseError("domain", {
        what: `${labelOf(node)} needs "${name}", an output that is not computed here`,
      });
    return found;
  });
  return { node, inputs, opset };
}

/** The nodes that `target` depends on, in order. */
function ancestors({ nodes }: OnnxModel, target: string): GraphNode[] {
  const wanted = new Set([target]);
  const found: GraphNode[] = [];
  for (const node of [...nodes].reverse())
    if (node.outputs.some((name) => wanted.has(name))) {
      found.push(node);
      for (const name of node.inputs) wanted.add(name);
    }
  return found.reverse();
}

function loadConstant(
  { initializers }: OnnxModel,
  files: ExternalFiles,
  constants: Map<string, Tensor>,
  name: string,
): void {
  const record = initializers.get(name);
  if (record && !constants.has(name))
    constants.set(name, readNumbers(record, rawOf(record, files)));
}
