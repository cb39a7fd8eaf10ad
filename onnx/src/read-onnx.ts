import { RatewiseError } from "@ratewise/core";
import type { GraphNode, OnnxModel, TensorRecord, ValueInfo } from "./model.ts";
import { named } from "./named.ts";
import { orderNodes } from "./order.ts";
import { readNode } from "./read-node.ts";
import { readTensor } from "./read-tensor.ts";
import { broken, type Field, fieldsOf, integerOf, textOf } from "./wire.ts";

/**
 * The graph in an ONNX file (ModelProto of onnx.proto). Weights stay views into `bytes`. Memory and time are
 * linear in the file; whatever it claims beyond its own bytes is an error.
 *
 * @param where what errors call the file
 */
export function readOnnx(bytes: Uint8Array, where?: string): OnnxModel {
  try {
    return readFields(bytes);
  } catch (error) {
    throw error instanceof RatewiseError ? named(error, "readOnnx", where) : error;
  }
}

interface GraphParts {
  readonly nodes: GraphNode[];
  readonly initializers: Map<string, TensorRecord>;
  readonly inputs: ValueInfo[];
  readonly outputs: ValueInfo[];
}

function readFields(bytes: Uint8Array): OnnxModel {
  let producer = "";
  let irVersion = 0;
  const opsets = new Map<string, number>();
  const functions = new Set<string>();
  const graph: GraphParts = { nodes: [], initializers: new Map(), inputs: [], outputs: [] };
  let graphs = 0;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) irVersion = integerOf(field.varint);
    else if (field.number === 2) producer = textOf(field.bytes);
    else if (field.number === 7) {
      readGraph(graph, message(field));
      graphs++;
    } else if (field.number === 8) {
      const { domain, version } = readOpset(message(field));
      opsets.set(domain, version);
    } else if (field.number === 25) functions.add(readFunctionName(message(field)));
  }
  if (graphs === 0 || irVersion < 1) throw broken("it holds no graph");
  const opset = opsets.get("") ?? opsets.get("ai.onnx") ?? 0;
  if (opset < 1) throw broken("it does not say which operators it uses");
  const inputs = graph.inputs.filter(({ name }) => !graph.initializers.has(name));
  const known = [...graph.initializers.keys(), ...inputs.map(({ name }) => name)];
  return {
    producer,
    opset,
    opsets,
    functions,
    nodes: orderNodes(graph.nodes, known),
    initializers: graph.initializers,
    inputs,
    outputs: graph.outputs,
  };
}

function readGraph({ nodes, initializers, inputs, outputs }: GraphParts, bytes: Uint8Array): void {
  for (const field of fieldsOf(bytes))
    if (field.number === 1) nodes.push(readNode(message(field)));
    else if (field.number === 5) {
      const tensor = readTensor(message(field));
      if (initializers.has(tensor.name)) throw broken(`two tensors have the name "${tensor.name}"`);
      initializers.set(tensor.name, tensor);
    } else if (field.number === 11) inputs.push(readValueInfo(message(field)));
    else if (field.number === 12) outputs.push(readValueInfo(message(field)));
    else if (field.number === 15)
      throw new RatewiseError("domain", {
        what: "sparse initializers are not read",
        advice: "export dense weights",
      });
}

function readOpset(bytes: Uint8Array): { domain: string; version: number } {
  let domain = "";
  let version = 0;
  for (const field of fieldsOf(bytes))
    if (field.number === 1) domain = textOf(field.bytes);
    else if (field.number === 2) version = integerOf(field.varint);
  return { domain, version };
}

function readFunctionName(bytes: Uint8Array): string {
  let name = "";
  let domain = "";
  for (const field of fieldsOf(bytes))
    if (field.number === 1) name = textOf(field.bytes);
    else if (field.number === 10) domain = textOf(field.bytes);
  return `${domain}:${name}`;
}

function readValueInfo(bytes: Uint8Array): ValueInfo {
  let name = "";
  let type = 0;
  let shape: (number | string | null)[] | null = null;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) name = textOf(field.bytes);
    if (field.number !== 2) continue;
    for (const kind of fieldsOf(message(field))) {
      if (kind.number !== 1) continue; // a tensor; sequences, maps and optionals have no shape
      for (const part of fieldsOf(message(kind)))
        if (part.number === 1) type = integerOf(part.varint);
        else if (part.number === 2) shape = readShape(message(part));
    }
  }
  return { name, type, shape };
}

function readShape(bytes: Uint8Array): (number | string | null)[] {
  const shape: (number | string | null)[] = [];
  for (const field of fieldsOf(bytes)) {
    if (field.number !== 1) continue;
    let dimension: number | string | null = null;
    for (const part of fieldsOf(message(field)))
      if (part.number === 1) dimension = integerOf(part.varint);
      else if (part.number === 2) dimension = textOf(part.bytes);
    shape.push(typeof dimension === "number" && dimension < 1 ? null : dimension);
  }
  return shape;
}

/** The bytes of a field that has to be a message. */
export function message(field: Field): Uint8Array {
  if (field.wire !== 2) throw broken(`field ${field.number} is not what the format says`);
  return field.bytes;
}
