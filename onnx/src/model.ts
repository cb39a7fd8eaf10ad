/** Kinds of numbers in a tensor, as onnx.proto counts them. */
export const elementTypes = {
  float: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  double: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
} as const;

/** What ONNX calls a type of elements, such as `float`. */
export function elementName(type: number): string {
  const known = Object.entries(elementTypes).find(([, code]) => code === type);
  return known?.[0] ?? `type ${type}`;
}

/** A tensor as the file has it: its numbers stay where they are until asked for. */
export interface TensorRecord {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: number;
  /** Little-endian elements, or null where they are listed or elsewhere. */
  readonly raw: Uint8Array | null;
  /** Payloads of float_data, int32_data, int64_data, double_data and uint64_data, in order. */
  readonly listed: readonly ListedNumbers[];
  /** Where the elements lie outside the file; null for inside. */
  readonly external: ExternalPlace | null;
}

export interface ListedNumbers {
  readonly kind: "float" | "double" | "varint";
  readonly bytes: Uint8Array;
  /** A single value of a list that was not packed. */
  readonly varint: bigint | null;
}

export interface ExternalPlace {
  /** A path from the model's folder. */
  readonly location: string;
  readonly offset: number;
  /** Null for all up to the end of the file. */
  readonly length: number | null;
}

export interface Attribute {
  readonly name: string;
  readonly float: number | null;
  readonly integer: number | null;
  readonly text: string | null;
  readonly tensor: TensorRecord | null;
  readonly floats: readonly number[];
  readonly integers: readonly number[];
  /** A body of If, Loop or Scan, which is not looked into. */
  readonly graph: boolean;
}

export interface GraphNode {
  readonly name: string;
  readonly operator: string;
  readonly domain: string;
  /** Empty texts stand for inputs that are left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** An input or output of the graph. */
export interface ValueInfo {
  readonly name: string;
  /** 0 where the file does not say. */
  readonly type: number;
  /** A number, the name of a free dimension, or null for one that is not known; null for no shape at all. */
  readonly shape: readonly (number | string | null)[] | null;
}

export interface OnnxModel {
  readonly producer: string;
  /** Of the standard operators. */
  readonly opset: number;
  /** Domain → version, as the file has them. */
  readonly opsets: ReadonlyMap<string, number>;
  /** Domains and names of functions that the file itself defines. */
  readonly functions: ReadonlySet<string>;
  /** In an order in which every node's inputs are there. */
  readonly nodes: readonly GraphNode[];
  readonly initializers: ReadonlyMap<string, TensorRecord>;
  /** Without those that are initializers too. */
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}
