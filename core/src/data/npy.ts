import { RatewiseError, shapeError } from "../errors.ts";
import { type NpyHeader, readNpyHeader, writeNpyHeader } from "./npy-header.ts";
import { decodeAscii, decodeText, encodeText } from "./npy-text.ts";

export type NpyNumbers =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** An n-dimensional array in C order: the last index runs fastest. */
export interface NpyArray {
  readonly shape: readonly number[];
  readonly data: NpyNumbers | readonly string[];
}

/**
 * Reads a .npy file. Numbers keep their type, but booleans become 0 and 1 and 64-bit integers become
 * doubles (refused beyond ±2⁵³, where digits would be lost); Fortran order becomes C order.
 * Numbers that are little-endian, in C order and aligned share memory with `bytes`; nothing is ever
 * allocated that the length of `bytes` does not pay for.
 */
export function readNpy(bytes: Uint8Array): NpyArray {
  const header = readNpyHeader(bytes);
  const { shape, itemSize, offset } = header;
  const size = shape.includes(0) ? 0 : shape.reduce((product, n) => product * n, 1);
  const needed = size * itemSize;
  const got = bytes.length - offset;
  if (!Number.isSafeInteger(needed) || needed !== got)
    throw new RatewiseError("parse", {
      in: "readNpy",
      what: `needs ${needed} bytes of numbers for shape (${shape.join(", ")}), got ${got}`,
      advice: `the file is ${got < needed ? "truncated or its header is wrong" : "longer than its header says"}`,
      shape,
      needed,
      got,
    });
  const data = decode(bytes, header, size);
  return { shape, data: header.fortranOrder ? fromFortranOrder(data, shape) : data };
}

function decode(bytes: Uint8Array, header: NpyHeader, size: number): NpyNumbers | string[] {
  const { kind, itemSize, offset } = header;
  if (kind === "ascii") return decodeAscii(bytes.subarray(offset), itemSize, size);
  const wordSize = kind === "text" ? 4 : itemSize;
  let { buffer } = bytes;
  let at = bytes.byteOffset + offset;
  if (header.bigEndian || at % wordSize !== 0) {
    const copy = new Uint8Array(bytes.subarray(offset));
    if (header.bigEndian) reverseWords(copy, wordSize);
    buffer = copy.buffer;
    at = 0;
  }
  switch (kind) {
    case "text":
      return decodeText(new Uint32Array(buffer, at, (size * itemSize) / 4), itemSize / 4, size);
    case "float":
      return itemSize === 8
        ? new Float64Array(buffer, at, size)
        : new Float32Array(buffer, at, size);
    case "bool":
      return new Uint8Array(buffer, at, size).map((value) => (value === 0 ? 0 : 1));
    case "int":
      if (itemSize === 1) return new Int8Array(buffer, at, size);
      if (itemSize === 2) return new Int16Array(buffer, at, size);
      if (itemSize === 4) return new Int32Array(buffer, at, size);
      break;
    case "uint":
      if (itemSize === 1) return new Uint8Array(buffer, at, size);
      if (itemSize === 2) return new Uint16Array(buffer, at, size);
      if (itemSize === 4) return new Uint32Array(buffer, at, size);
      break;
    default:
      kind satisfies never;
  }
  return decodeInteger64(new Uint32Array(buffer, at, 2 * size), kind === "int");
}

function decodeInteger64(words: Uint32Array, signed: boolean): Float64Array {
  const out = new Float64Array(words.length / 2);
  for (let i = 0; i < out.length; i++) {
    const high = signed ? words[2 * i + 1] | 0 : words[2 * i + 1];
    out[i] = high * 2 ** 32 + words[2 * i];
    if (!Number.isSafeInteger(out[i]))
      throw new RatewiseError("domain", {
        in: "readNpy",
        what: `needs integers within ±2^53, got about ${out[i]} at element ${i}`,
        element: i,
      });
  }
  return out;
}

function reverseWords(bytes: Uint8Array, size: number): void {
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** Entry (i, j, …) moves from i + j·n₀ + … to its place in C order. */
function fromFortranOrder<T extends NpyNumbers | string[]>(data: T, shape: readonly number[]): T {
  if (shape.length < 2 || data.length === 0) return data;
  const out = data.slice() as T;
  const index = new Array<number>(shape.length).fill(0);
  const stride = [1];
  for (let d = 1; d < shape.length; d++) stride.push(stride[d - 1] * shape[d - 1]);
  let from = 0;
  for (let to = 0; to < out.length; to++) {
    out[to] = data[from];
    for (let d = shape.length - 1; d >= 0; d--) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}

/** The bytes of a .npy file that NumPy loads without `allow_pickle`. Zeros that end a text are lost, as in NumPy. */
export function writeNpy(array: NpyArray): Uint8Array {
  const { shape, data } = array;
  const size = shape.reduce((product, n) => product * n, 1);
  if (size !== data.length)
    throw shapeError(
      "writeNpy",
      `${size} values for shape (${shape.join(", ")})`,
      `${data.length}`,
    );
  const text = Array.isArray(data);
  const body = text ? encodeText(data) : (data as NpyNumbers);
  const header = writeNpyHeader(
    text ? `<U${body.length / Math.max(1, size) || 1}` : descrOf(body as NpyNumbers),
    shape,
  );
  const out = new Uint8Array(header.length + body.byteLength);
  out.set(header);
  out.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), header.length);
  return out;
}

function descrOf(data: NpyNumbers): string {
  const letter = data.constructor.name[0].toLowerCase();
  return `${data.BYTES_PER_ELEMENT === 1 ? "|" : "<"}${letter}${data.BYTES_PER_ELEMENT}`;
}
