import { RatewiseError } from "@ratewise/core";
import type { GraphNode } from "../model.ts";
import { labelOf } from "../order.ts";
import type { Tensor } from "../tensor.ts";

/** One use of an operator: what goes in, and its attributes. */
export interface Call {
  readonly node: GraphNode;
  /** Null for one that is left out. */
  readonly inputs: readonly (Tensor | null)[];
  /** The version of the standard operators that the file asks for. */
  readonly opset: number;
}

/** How ε-LRP goes through an operator from its output to its inputs. */
export type RelevanceRule =
  /** Each input gets its part of the sum: x_j·∂z/∂x_j·R/z. */
  | "sum"
  /** The same for an operator that is linear in one input while the others are constants. */
  | "product"
  /** Relevance stays with its unit, as through an activation. */
  | "stay"
  /** Relevance goes where the value came from: a maximum, another shape. */
  | "follow";

/** What a common operator does, in double precision, by the definitions of the ONNX standard. */
export interface Operator {
  readonly forward: (call: Call) => Tensor;
  /**
   * ∂loss/∂input of every input from ∂loss/∂output, null where the slope is of no use. An operator without
   * one is constant wherever it has a slope at all: the shape of a tensor, say.
   */
  readonly backward?: (
    call: Call,
    output: Tensor,
    slope: Tensor,
    wanted: readonly boolean[],
  ) => (Tensor | null)[];
  readonly relevance?: RelevanceRule;
}

export type OperatorTable = Readonly<Record<string, Operator>>;

/** An input that has to be there. */
export function inputOf(call: Call, at: number): Tensor {
  const found = call.inputs[at];
  if (!found) throw misuse(call, `needs input ${at + 1}`);
  return found;
}

export function integerOf(call: Call, name: string, otherwise: number): number {
  return call.node.attributes.get(name)?.integer ?? otherwise;
}

export function floatOf(call: Call, name: string, otherwise: number): number {
  return call.node.attributes.get(name)?.float ?? otherwise;
}

export function integersOf(call: Call, name: string): readonly number[] | null {
  return call.node.attributes.get(name)?.integers ?? null;
}

export function textOf(call: Call, name: string, otherwise: string): string {
  return call.node.attributes.get(name)?.text ?? otherwise;
}

/** An axis counted from the front. */
export function axisOf(call: Call, axis: number, rank: number): number {
  const at = axis < 0 ? axis + rank : axis;
  if (!(Number.isInteger(at) && at >= 0 && at <= rank))
    throw misuse(call, `needs an axis of ${rank} dimensions, got ${axis}`);
  return at;
}

/** Whole numbers from an attribute or, in later versions of the operator, from an input. */
export function listFrom(call: Call, name: string, input: number): readonly number[] | null {
  const attribute = integersOf(call, name);
  if (attribute && attribute.length > 0) return attribute;
  const given = call.inputs[input];
  return given ? [...given.data] : null;
}

export function misuse(call: Call, why: string): RatewiseError {
  return new RatewiseError("shape", { what: `${labelOf(call.node)} ${why}`, node: call.node.name });
}

export function sameDims(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((d, k) => d === b[k]);
}
