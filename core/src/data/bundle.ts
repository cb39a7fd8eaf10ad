import { RatewiseError } from "../errors.ts";

/**
 * Plain data in one file. Layout, all integers little-endian:
 *
 *     8 bytes  "RATEWISE"
 *     uint32   CRC-32 of everything that follows
 *     uint32   version of this layout
 *     uint32   length of the header in bytes
 *     header   JSON (UTF-8); a typed array is { "$array": type, "at": byte offset, "length": count }
 *     bytes    the arrays, each at a multiple of 8 from the end of the padded header
 *
 * Numbers inside the header survive exactly: JSON writes the shortest text that reads back equal.
 */
const MAGIC = "RATEWISE";
const LAYOUT = 1;
const PREFIX = 20;
/** Where the bytes begin that the checksum covers. */
const CHECKED = 12;

const arrayTypes = {
  f32: Float32Array,
  f64: Float64Array,
  i8: Int8Array,
  i32: Int32Array,
  u8: Uint8Array,
  u32: Uint32Array,
} as const;
type ArrayType = keyof typeof arrayTypes;
type TypedArray = InstanceType<(typeof arrayTypes)[ArrayType]>;

interface ArrayReference {
  readonly $array: ArrayType;
  readonly at: number;
  readonly length: number;
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** The file for `value`: objects, arrays, strings, finite numbers, booleans, null and typed arrays. */
export function writeBundle(value: unknown): Uint8Array<ArrayBuffer> {
  const arrays: TypedArray[] = [];
  let size = 0;
  const header = new TextEncoder().encode(
    JSON.stringify(value, (key, part: unknown) => {
      if (typeof part === "number" && !Number.isFinite(part))
        throw new RatewiseError("domain", {
          in: "writeBundle",
          what: `needs finite numbers, got ${part} at "${key}"`,
        });
      if (!ArrayBuffer.isView(part)) return part;
      const type = arrayTypeOf(part);
      const reference: ArrayReference = {
        $array: type,
        at: size,
        length: (part as TypedArray).length,
      };
      arrays.push(part as TypedArray);
      size += padded(part.byteLength);
      return reference;
    }),
  );
  const start = padded(PREFIX + header.length);
  const bytes = new Uint8Array(start + size);
  bytes.set(new TextEncoder().encode(MAGIC));
  bytes.set(header, PREFIX);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  const view = new DataView(bytes.buffer);
  view.setUint32(12, LAYOUT, true);
  view.setUint32(16, header.length, true);
  view.setUint32(8, crc32(bytes.subarray(CHECKED)), true);
  return bytes;
}

/** What {@link writeBundle} was given. `where` names the file in messages. */
export function readBundle(bytes: Uint8Array, where: string): unknown {
  const fail = (why: string) => new RatewiseError("parse", { at: where, what: why });
  if (bytes.length < PREFIX || new TextDecoder("latin1").decode(bytes.subarray(0, 8)) !== MAGIC)
    throw fail("this is not a ratewise file (it does not begin with RATEWISE)");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layout = view.getUint32(12, true);
  if (layout !== LAYOUT)
    throw fail(
      `layout ${layout} is not one this version reads (${LAYOUT}); use the version that wrote it`,
    );
  const headerLength = view.getUint32(16, true);
  const start = padded(PREFIX + headerLength);
  if (start > bytes.length || crc32(bytes.subarray(CHECKED)) !== view.getUint32(8, true))
    throw fail("the file is damaged or cut off (its checksum does not match)");
  const header = new TextDecoder().decode(bytes.subarray(PREFIX, PREFIX + headerLength));
  return JSON.parse(header, (_, part: unknown) => {
    if (!isReference(part)) return part;
    const Type = arrayTypes[part.$array];
    const from = start + part.at;
    const to = from + part.length * Type.BYTES_PER_ELEMENT;
    if (!(part.at >= 0 && part.length >= 0 && to <= bytes.length))
      throw fail("an array reaches past the end");
    // A copy that also a Node Buffer makes, whose own slice would be a view of its whole pool.
    return new Type(new Uint8Array(bytes.subarray(from, to)).buffer);
  });
}

function isReference(part: unknown): part is ArrayReference {
  return (
    typeof part === "object" &&
    part !== null &&
    "$array" in part &&
    (part.$array as string) in arrayTypes
  );
}

function arrayTypeOf(part: ArrayBufferView): ArrayType {
  for (const [type, Type] of Object.entries(arrayTypes))
    if (part instanceof Type) return type as ArrayType;
  throw new RatewiseError("domain", {
    in: "writeBundle",
    what: `cannot store a ${part.constructor.name}`,
  });
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 as in zip and PNG (ISO 3309). */
function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
