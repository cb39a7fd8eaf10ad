import { RatewiseError } from "@ratewise/core";
import { fromBfloat16, fromHalf } from "./half.ts";
import { elementName, elementTypes, type ListedNumbers, type TensorRecord } from "./model.ts";
import { packedVarints } from "./wire.ts";

/** Numbers in row-major order, in double precision whatever the file has; whole numbers too. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float64Array;
}

export function tensor(dims: readonly number[], data?: Float64Array): Tensor {
  return { dims, data: data ?? new Float64Array(sizeOf(dims)) };
}

/** Elements beyond which a tensor is not computed, 512 MB of doubles: a file of a few bytes can ask for any shape. */
const MOST_ELEMENTS = 2 ** 26;

/** The number of elements of a shape that is to be computed; throws where that is more than is given to one. */
export function sizeOf(dims: readonly number[]): number {
  let size = 1;
  for (const d of dims) size *= d; // a product of doubles: it does not wrap around
  if (size <= MOST_ELEMENTS) return size;
  throw new RatewiseError("memory", {
    what: `a tensor of ${dims.join("×")} numbers does not fit into memory (512 MB at most)`,
    dims,
  });
}

const { float, uint8, int8, uint16, int16, int32, int64, bool, float16, double, uint32, uint64 } =
  elementTypes;

const bytesPerElement: ReadonlyMap<number, number> = new Map([
  [float, 4],
  [uint8, 1],
  [int8, 1],
  [uint16, 2],
  [int16, 2],
  [int32, 4],
  [int64, 8],
  [bool, 1],
  [float16, 2],
  [double, 8],
  [uint32, 4],
  [uint64, 8],
  [elementTypes.bfloat16, 2],
]);

/** Throws unless as many bytes are there as the shape and the type ask for. Looks at no number. */
export function checkTensor(record: TensorRecord, raw: Uint8Array | null = record.raw): void {
  const { name, dims, type } = record;
  const each = bytesPerElement.get(type);
  if (each === undefined) {
    if (type === elementTypes.string) return; // names of classes, say; only its numbers are of use here
    throw new RatewiseError("domain", {
      what: `the tensor "${name}" has ${elementName(type)} elements`,
    });
  }
  const wanted = dims.reduce((product, d) => product * d, 1);
  if (raw !== null) {
    if (raw.length !== wanted * each) throw claims(record, raw.length / each);
    return;
  }
  const listed = record.listed.reduce((sum, part) => sum + countOf(part), 0);
  if (listed !== wanted) throw claims(record, listed);
}

/**
 * A tensor's numbers.
 *
 * @param raw the bytes of a tensor that lies outside the file
 */
export function readNumbers(record: TensorRecord, raw: Uint8Array | null = record.raw): Tensor {
  checkTensor(record, raw);
  const { dims, type, name } = record;
  if (type === elementTypes.string)
    throw new RatewiseError("domain", {
      what: `the tensor "${name}" holds texts where numbers are needed`,
    });
  const size = dims.reduce((product, d) => product * d, 1); // as many as there are bytes for
  if (raw === null) return { dims, data: listedNumbers(record, allocate(size)) };
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  const each = bytesPerElement.get(type)!;
  const read = readers.get(type)!;
  const data = allocate(size);
  for (let k = 0; k < size; k++) data[k] = read(view, k * each);
  return { dims, data };
}

const readers: ReadonlyMap<number, (view: DataView, at: number) => number> = new Map([
  [float, (view: DataView, at: number) => view.getFloat32(at, true)],
  [double, (view: DataView, at: number) => view.getFloat64(at, true)],
  [float16, (view: DataView, at: number) => fromHalf(view.getUint16(at, true))],
  [elementTypes.bfloat16, (view: DataView, at: number) => fromBfloat16(view.getUint16(at, true))],
  [uint8, (view: DataView, at: number) => view.getUint8(at)],
  [bool, (view: DataView, at: number) => view.getUint8(at)],
  [int8, (view: DataView, at: number) => view.getInt8(at)],
  [uint16, (view: DataView, at: number) => view.getUint16(at, true)],
  [int16, (view: DataView, at: number) => view.getInt16(at, true)],
  [int32, (view: DataView, at: number) => view.getInt32(at, true)],
  [uint32, (view: DataView, at: number) => view.getUint32(at, true)],
  [int64, (view: DataView, at: number) => Number(view.getBigInt64(at, true))],
  [uint64, (view: DataView, at: number) => Number(view.getBigUint64(at, true))],
]);

/** Numbers in a list of their own: halves are listed as their bits. */
function listedNumbers({ type, listed }: TensorRecord, data: Float64Array): Float64Array {
  let at = 0;
  for (const { kind, bytes, varint } of listed) {
    if (kind === "varint") {
      for (const value of varint === null ? packedVarints(bytes) : [varint])
        data[at++] = ofBits(type, Number(BigInt.asIntN(64, value)));
      continue;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const each = kind === "float" ? 4 : 8;
    for (let k = 0; k < bytes.length; k += each)
      data[at++] = kind === "float" ? view.getFloat32(k, true) : view.getFloat64(k, true);
  }
  return data;
}

function allocate(size: number): Float64Array {
  try {
    return new Float64Array(size);
  } catch (error) {
    throw new RatewiseError("memory", {
      what: `a tensor of ${size} numbers does not fit into memory`,
      cause: error,
    });
  }
}

function ofBits(type: number, value: number): number {
  if (type === float16) return fromHalf(value & 0xffff);
  if (type === elementTypes.bfloat16) return fromBfloat16(value & 0xffff);
  return value;
}

function countOf({ kind, bytes, varint }: ListedNumbers): number {
  if (kind !== "varint") return bytes.length / (kind === "float" ? 4 : 8);
  if (varint !== null) return 1;
  // A varint ends at the first byte without its top bit.
  return bytes.reduce((count, byte) => count + (byte < 128 ? 1 : 0), 0);
}

function claims({ name, dims }: TensorRecord, found: number): RatewiseError {
  return new RatewiseError("parse", {
    what: `the tensor "${name}" claims ${dims.length ? dims.join("×") : 1} numbers and has ${found}`,
    name,
    dims,
  });
}
