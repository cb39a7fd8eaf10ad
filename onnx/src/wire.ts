import { RatewiseError } from "@ratewise/core";

/** One field of a protobuf message; `bytes` is a view into the file, never a copy. */
export interface Field {
  readonly number: number;
  /** 0 a varint, 1 eight bytes, 2 a length and that many bytes, 5 four bytes. */
  readonly wire: 0 | 1 | 2 | 5;
  /** The varint, as two's complement in 64 bits; 0n for the other kinds. */
  readonly varint: bigint;
  /** The payload of the other kinds; empty for a varint. */
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/**
 * The fields of a protobuf message in the order of the file (Protocol Buffers, “Encoding”). No length is
 * believed before the bytes are seen to be there, nothing is copied and nothing recurses: memory stays
 * within a constant of the file, whatever the file claims.
 */
export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    at = tag.next;
    if (tag.value > 0xffff_ffffn) throw broken("a field's number is out of range");
    const number = Number(tag.value >> 3n);
    const wire = Number(tag.value & 7n);
    if (number === 0) throw broken("a field has the number 0");
    if (wire === 0) {
      const { value, next } = varintAt(bytes, at);
      at = next;
      yield { number, wire, varint: value, bytes: NOTHING };
      continue;
    }
    let length: number;
    if (wire === 1) length = 8;
    else if (wire === 5) length = 4;
    else if (wire === 2) {
      const claimed = varintAt(bytes, at);
      at = claimed.next;
      if (claimed.value > BigInt(bytes.length - at))
        throw broken(`a field claims ${claimed.value} bytes where ${bytes.length - at} are left`);
      length = Number(claimed.value);
    } else throw broken(`a field has the unknown kind ${wire}`);
    if (length > bytes.length - at) throw broken("the file ends inside a number");
    yield { number, wire, varint: 0n, bytes: bytes.subarray(at, at + length) };
    at += length;
  }
}

/** The varints that fill `bytes`: a packed list. */
export function packedVarints(bytes: Uint8Array): bigint[] {
  const values: bigint[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, next } = varintAt(bytes, at);
    values.push(value);
    at = next;
  }
  return values;
}

/** A signed 64-bit value that has to be exact as a number. */
export function integerOf(varint: bigint): number {
  const value = Number(BigInt.asIntN(64, varint));
  if (!Number.isSafeInteger(value)) throw broken(`the number ${varint} is out of range`);
  return value;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw broken("a name is not UTF-8");
  }
}

function varintAt(bytes: Uint8Array, from: number): { value: bigint; next: number } {
  // Seven bits a byte: five bytes hold 35 bits, which doubles have exactly and BigInts need not.
  let low = 0;
  for (let k = 0; k < 5; k++) {
    const byte = bytes[from + k];
    if (byte === undefined) throw broken("the file ends inside a number");
    low += (byte & 127) * 2 ** (7 * k);
    if (byte < 128) return { value: BigInt(low), next: from + k + 1 };
  }
  let value = BigInt(low);
  for (let k = 5; k < 10; k++) {
    const byte = bytes[from + k];
    if (byte === undefined) throw broken("the file ends inside a number");
    value |= BigInt(byte & 127) << BigInt(7 * k);
    if (byte < 128) return { value: BigInt.asUintN(64, value), next: from + k + 1 };
  }
  throw broken("a number is longer than ten bytes");
}

/** What the file is not. */
export function broken(why: string): RatewiseError {
  return new RatewiseError("parse", { what: `not an ONNX file, or one that is cut off: ${why}` });
}
