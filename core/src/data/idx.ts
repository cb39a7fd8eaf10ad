import { RatewiseError } from "../errors.ts";
import type { NpyNumbers } from "./npy.ts";

/** An array of an IDX file, in C order: images (count × rows × columns) or labels (count). */
export interface IdxArray {
  readonly shape: readonly number[];
  readonly data: NpyNumbers;
}

/** How a type's code, the third byte, is read: bytes an item, and the big-endian getter. */
const TYPES: Readonly<
  Record<number, { size: number; make: (n: number) => NpyNumbers; get: keyof DataView }>
> = {
  8: { size: 1, make: (n) => new Uint8Array(n), get: "getUint8" },
  9: { size: 1, make: (n) => new Int8Array(n), get: "getInt8" },
  11: { size: 2, make: (n) => new Int16Array(n), get: "getInt16" },
  12: { size: 4, make: (n) => new Int32Array(n), get: "getInt32" },
  13: { size: 4, make: (n) => new Float32Array(n), get: "getFloat32" },
  14: { size: 8, make: (n) => new Float64Array(n), get: "getFloat64" },
};

/** Whether bytes begin as an IDX file does: two zeros, a known type, one to four dimensions. */
export function looksLikeIdx(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0 &&
    bytes[1] === 0 &&
    TYPES[bytes[2]] !== undefined &&
    bytes[3] > 0 &&
    bytes[3] < 5
  );
}

/**
 * Reads an IDX file, the form in which MNIST is kept: 0 0, type, dimensions, their sizes and the
 * numbers, all big-endian. Nothing is allocated that the length of `bytes` does not pay for.
 * Source: http://yann.lecun.com/exdb/mnist/
 */
export function readIdx(bytes: Uint8Array): IdxArray {
  if (!looksLikeIdx(bytes))
    throw new RatewiseError("parse", {
      in: "readIdx",
      what: "needs two zero bytes, a type and a number of dimensions at the start, got others",
      advice: "this is not an IDX file",
    });
  const { size, make, get } = TYPES[bytes[2]];
  const start = 4 + 4 * bytes[3];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < start)
    throw new RatewiseError("parse", {
      in: "readIdx",
      what: `needs ${start} bytes of header, got ${bytes.length}`,
    });
  const shape = Array.from({ length: bytes[3] }, (_, d) => view.getUint32(4 + 4 * d));
  const count = shape.reduce((product, n) => product * n, 1);
  if (bytes.length !== start + count * size)
    throw new RatewiseError("parse", {
      in: "readIdx",
      what: `needs ${start + count * size} bytes for ${shape.join(" × ")} numbers, got ${bytes.length}`,
      advice: "the file is cut off or its header is wrong",
      shape,
      got: bytes.length,
    });
  if (size === 1) {
    const data = make(count);
    data.set(bytes.subarray(start));
    return { shape, data };
  }
  const data = make(count);
  const read = view[get] as (at: number) => number;
  for (let i = 0; i < count; i++) data[i] = read.call(view, start + i * size);
  return { shape, data };
}
