import type { NpyHeader } from "../data/npy-header.ts";
import { RatewiseError } from "../errors.ts";
import type { BlockRoom } from "./block-source.ts";

/** The type of a number as bytes. */
export type RawKind = Pick<NpyHeader, "kind" | "itemSize" | "bigEndian">;

/**
 * Bytes as numbers: little-endian floats where they lie, all others decoded into the room. Integers of eight
 * bytes beyond ±2⁵³ are refused. `bytes` has to begin at a multiple of its item size.
 */
export function numbersOfBytes(
  bytes: Uint8Array,
  type: RawKind,
  room: BlockRoom,
): Float64Array | Float32Array {
  const { kind, itemSize, bigEndian } = type;
  const count = bytes.length / itemSize;
  if (kind === "float" && !bigEndian)
    return itemSize === 8
      ? new Float64Array(bytes.buffer, bytes.byteOffset, count)
      : new Float32Array(bytes.buffer, bytes.byteOffset, count);
  const out = room.float64(count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const read = readerOf(type, view);
  for (let e = 0; e < count; e++) out[e] = read(e * itemSize);
  return out;
}

function readerOf({ kind, itemSize, bigEndian }: RawKind, view: DataView): (at: number) => number {
  const little = !bigEndian;
  switch (kind) {
    case "float":
      return itemSize === 8
        ? (at) => view.getFloat64(at, little)
        : (at) => view.getFloat32(at, little);
    case "bool":
      return (at) => (view.getUint8(at) === 0 ? 0 : 1);
    case "int":
      if (itemSize === 1) return (at) => view.getInt8(at);
      if (itemSize === 2) return (at) => view.getInt16(at, little);
      if (itemSize === 4) return (at) => view.getInt32(at, little);
      return (at) => safeInteger(Number(view.getBigInt64(at, little)));
    case "uint":
      if (itemSize === 1) return (at) => view.getUint8(at);
      if (itemSize === 2) return (at) => view.getUint16(at, little);
      if (itemSize === 4) return (at) => view.getUint32(at, little);
      return (at) => safeInteger(Number(view.getBigUint64(at, little)));
    default:
      throw new RatewiseError("parse", { what: "needs numbers, got texts" });
  }
}

function safeInteger(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RatewiseError("domain", { what: `needs integers within ±2^53, got about ${value}` });
}
