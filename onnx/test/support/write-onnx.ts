import { toHalf } from "../../src/half.ts";
import { elementTypes } from "../../src/model.ts";

/** A tensor to write: its numbers as raw bytes unless said otherwise. */
export interface Weights {
  readonly dims: readonly number[];
  readonly data: readonly number[];
  readonly type?: keyof typeof elementTypes;
  readonly as?:
    | "raw"
    | "listed"
    | { readonly location: string; readonly offset?: number; readonly length?: number };
}

export type AttributeValue =
  | number
  | string
  | readonly number[]
  | { readonly float: number }
  | { readonly tensor: Weights };

export interface NodeText {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
}

export interface ModelText {
  readonly opset?: number;
  readonly inputs?: readonly ValueText[];
  readonly outputs?: readonly ValueText[];
  readonly nodes: readonly NodeText[];
  readonly weights?: Readonly<Record<string, Weights>>;
  /** Further operator sets: domain and version. */
  readonly domains?: Readonly<Record<string, number>>;
}

interface ValueText {
  readonly name: string;
  readonly type?: keyof typeof elementTypes;
  readonly shape?: readonly (number | string)[];
}

/** An ONNX file (ModelProto), as exporters write it. */
export function writeOnnx({
  opset = 17,
  inputs,
  outputs,
  nodes,
  weights = {},
  domains = {},
}: ModelText): Uint8Array {
  const graph = [
    ...nodes.flatMap((node) => field(1, nodeBytes(node))),
    ...field(2, text("graph")),
    ...Object.entries(weights).flatMap(([name, tensor]) => field(5, tensorBytes(name, tensor))),
    ...(inputs ?? [{ name: "x", shape: ["n", 4] }]).flatMap((value) =>
      field(11, valueBytes(value)),
    ),
    ...(outputs ?? [{ name: "y" }]).flatMap((value) => field(12, valueBytes(value))),
  ];
  const sets = Object.entries({ "": opset, ...domains }).flatMap(([domain, version]) =>
    field(8, [...field(1, text(domain)), ...number(2, version)]),
  );
  return Uint8Array.from([
    ...number(1, 8),
    ...field(2, text("tests")),
    ...field(7, graph),
    ...sets,
  ]);
}

export function field(at: number, content: readonly number[]): number[] {
  return [...varint(BigInt(at * 8 + 2)), ...varint(BigInt(content.length)), ...content];
}

function number(at: number, value: number): number[] {
  return [...varint(BigInt(at * 8)), ...varint(BigInt.asUintN(64, BigInt(value)))];
}

export function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push(Number(rest & 127n) + (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return bytes;
}

function text(value: string): number[] {
  return [...new TextEncoder().encode(value)];
}

function nodeBytes({ op, inputs, outputs, domain = "", attributes = {} }: NodeText): number[] {
  return [
    ...inputs.flatMap((name) => field(1, text(name))),
    ...outputs.flatMap((name) => field(2, text(name))),
    ...field(3, text(`${op}-${outputs[0]}`)),
    ...field(4, text(op)),
    ...Object.entries(attributes).flatMap(([name, value]) => field(5, attributeBytes(name, value))),
    ...(domain ? field(7, text(domain)) : []),
  ];
}

function attributeBytes(name: string, value: AttributeValue): number[] {
  const start = field(1, text(name));
  if (typeof value === "string") return [...start, ...field(4, text(value)), ...number(20, 3)];
  if (typeof value === "number") return [...start, ...number(3, value), ...number(20, 2)];
  if ("tensor" in value)
    return [...start, ...field(5, tensorBytes("", value.tensor)), ...number(20, 4)];
  if ("float" in value)
    return [...start, 2 * 8 + 5, ...elements("float", [value.float]), ...number(20, 1)];
  return [...start, ...value.flatMap((v) => number(8, v)), ...number(20, 7)];
}

function tensorBytes(name: string, { dims, data, type = "float", as = "raw" }: Weights): number[] {
  const head = [
    ...dims.flatMap((d) => number(1, d)),
    ...number(2, elementTypes[type]),
    ...field(8, text(name)),
  ];
  if (as === "raw") return [...head, ...field(9, elements(type, data))];
  if (as === "listed") return [...head, ...listed(type, data)];
  const entries: [string, string][] = [
    ["location", as.location],
    ...(as.offset === undefined ? [] : [["offset", `${as.offset}`] as [string, string]]),
    ...(as.length === undefined ? [] : [["length", `${as.length}`] as [string, string]]),
  ];
  return [
    ...head,
    ...entries.flatMap(([key, value]) =>
      field(13, [...field(1, text(key)), ...field(2, text(value))]),
    ),
    ...number(14, 1),
  ];
}

function listed(type: keyof typeof elementTypes, data: readonly number[]): number[] {
  if (type === "float") return field(4, elements("float", data));
  if (type === "double") return field(10, elements("double", data));
  const bits = type === "float16" ? data.map(toHalf) : data;
  const values = bits.flatMap((v) => varint(BigInt.asUintN(64, BigInt(v))));
  return field(type === "int64" ? 7 : type === "uint64" ? 11 : 5, values);
}

/** The numbers as little-endian bytes. */
export function elements(type: keyof typeof elementTypes, data: readonly number[]): number[] {
  const view = new DataView(new ArrayBuffer(8));
  return data.flatMap((value) => {
    const size = write(view, type, value);
    return [...new Uint8Array(view.buffer, 0, size)];
  });
}

function write(view: DataView, type: keyof typeof elementTypes, value: number): number {
  switch (type) {
    case "float":
      view.setFloat32(0, value, true);
      return 4;
    case "double":
      view.setFloat64(0, value, true);
      return 8;
    case "float16":
      view.setUint16(0, toHalf(value), true);
      return 2;
    case "bfloat16":
      view.setFloat32(0, value, true);
      view.setUint16(0, view.getUint16(2, true), true);
      return 2;
    case "int64":
    case "uint64":
      view.setBigInt64(0, BigInt(value), true);
      return 8;
    case "int32":
    case "uint32":
      view.setInt32(0, value, true);
      return 4;
    case "int16":
    case "uint16":
      view.setInt16(0, value, true);
      return 2;
    default:
      view.setInt8(0, value);
      return 1;
  }
}

function valueBytes({ name, type = "float", shape }: ValueText): number[] {
  const dims = (shape ?? []).flatMap((d) =>
    field(1, typeof d === "number" ? number(1, d) : field(2, text(d))),
  );
  const tensor = [...number(1, elementTypes[type]), ...(shape ? field(2, dims) : [])];
  return [...field(1, text(name)), ...field(2, field(1, tensor))];
}
