import type { Attribute, GraphNode } from "./model.ts";
import { readTensor } from "./read-tensor.ts";
import { broken, type Field, fieldsOf, integerOf, packedVarints, textOf } from "./wire.ts";

/** A NodeProto of onnx.proto. */
export function readNode(bytes: Uint8Array): GraphNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes = new Map<string, Attribute>();
  let name = "";
  let operator = "";
  let domain = "";
  for (const field of fieldsOf(bytes))
    if (field.number === 1) inputs.push(textOf(field.bytes));
    else if (field.number === 2) outputs.push(textOf(field.bytes));
    else if (field.number === 3) name = textOf(field.bytes);
    else if (field.number === 4) operator = textOf(field.bytes);
    else if (field.number === 5) {
      const attribute = readAttribute(field.bytes);
      attributes.set(attribute.name, attribute);
    } else if (field.number === 7) domain = textOf(field.bytes);
  if (operator === "") throw broken("a node has no operator");
  return {
    name,
    operator,
    domain: domain === "ai.onnx" ? "" : domain,
    inputs,
    outputs,
    attributes,
  };
}

function readAttribute(bytes: Uint8Array): Attribute {
  let name = "";
  let float: number | null = null;
  let integer: number | null = null;
  let text: string | null = null;
  let tensor: Attribute["tensor"] = null;
  let graph = false;
  const floats: number[] = [];
  const integers: number[] = [];
  for (const field of fieldsOf(bytes))
    if (field.number === 1) name = textOf(field.bytes);
    else if (field.number === 2) float = singleOf(field);
    else if (field.number === 3) integer = clamped(field.varint);
    else if (field.number === 4) text = looseText(field.bytes);
    else if (field.number === 5) tensor = readTensor(field.bytes);
    else if (field.number === 6 || field.number === 11) graph = true;
    else if (field.number === 7) {
      if (field.wire === 2) for (const value of singles(field.bytes)) floats.push(value);
      else floats.push(singleOf(field));
    } else if (field.number === 8) {
      const list = field.wire === 2 ? packedVarints(field.bytes) : [field.varint];
      for (const value of list) integers.push(clamped(value));
    }
  return { name, float, integer, text, tensor, floats, integers, graph };
}

/** Attributes such as the end of a slice say “as far as it goes” with the largest 64-bit number. */
function clamped(varint: bigint): number {
  const value = BigInt.asIntN(64, varint);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return Number.MAX_SAFE_INTEGER;
  if (value < BigInt(Number.MIN_SAFE_INTEGER)) return Number.MIN_SAFE_INTEGER;
  return integerOf(varint);
}

function singleOf(field: Field): number {
  if (field.wire !== 5) throw broken("an attribute's number is not one");
  return new DataView(field.bytes.buffer, field.bytes.byteOffset, 4).getFloat32(0, true);
}

function singles(bytes: Uint8Array): number[] {
  if (bytes.length % 4 !== 0) throw broken("a list of numbers is cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, k) => view.getFloat32(4 * k, true));
}

/** Texts of attributes may be any bytes. */
function looseText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 1000));
}
