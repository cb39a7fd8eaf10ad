import type { ExternalPlace, ListedNumbers, TensorRecord } from "./model.ts";
import { broken, type Field, fieldsOf, integerOf, packedVarints, textOf } from "./wire.ts";

/** Dimensions of a tensor up to which the runtime goes too. */
const MOST_DIMENSIONS = 16;

/** A TensorProto of onnx.proto; its numbers are not looked at. */
export function readTensor(bytes: Uint8Array): TensorRecord {
  const dims: number[] = [];
  const listed: ListedNumbers[] = [];
  const entries = new Map<string, string>();
  let type = 0;
  let name = "";
  let raw: Uint8Array | null = null;
  let elsewhere = false;
  for (const field of fieldsOf(bytes)) {
    const kind = listKinds.get(field.number);
    if (field.number === 1)
      for (const value of field.wire === 2 ? packedVarints(field.bytes) : [field.varint])
        dims.push(integerOf(value));
    else if (field.number === 2) type = integerOf(field.varint);
    else if (kind !== undefined) listed.push(listedOf(kind, field));
    else if (field.number === 8) name = textOf(field.bytes);
    else if (field.number === 9) raw = field.bytes;
    else if (field.number === 13) readEntry(entries, field.bytes);
    else if (field.number === 14) elsewhere = field.varint === 1n;
  }
  if (dims.length > MOST_DIMENSIONS || dims.some((d) => d < 0))
    throw broken(`the tensor "${name}" has the shape (${dims.slice(0, 20).join(", ")})`);
  return { name, dims, type, raw, listed, external: elsewhere ? placeOf(name, entries) : null };
}

const listKinds: ReadonlyMap<number, ListedNumbers["kind"]> = new Map([
  [4, "float"],
  [5, "varint"],
  [7, "varint"],
  [10, "double"],
  [11, "varint"],
]);

function listedOf(kind: ListedNumbers["kind"], field: Field): ListedNumbers {
  return { kind, bytes: field.bytes, varint: field.wire === 0 ? field.varint : null };
}

function readEntry(entries: Map<string, string>, bytes: Uint8Array): void {
  let key = "";
  let value = "";
  for (const field of fieldsOf(bytes))
    if (field.number === 1) key = textOf(field.bytes);
    else if (field.number === 2) value = textOf(field.bytes);
  entries.set(key, value);
}

function placeOf(name: string, entries: ReadonlyMap<string, string>): ExternalPlace {
  const location = entries.get("location") ?? "";
  if (location === "") throw broken(`the tensor "${name}" lies in another file without a name`);
  const count = (key: string): number | null => {
    const text = entries.get(key);
    if (text === undefined) return null;
    if (!/^\d{1,15}$/.test(text))
      throw broken(`the tensor "${name}" has the ${key} "${text.slice(0, 40)}" in another file`);
    return Number(text);
  };
  return { location, offset: count("offset") ?? 0, length: count("length") };
}
