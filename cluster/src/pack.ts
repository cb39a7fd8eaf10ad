import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { RatewiseError } from "@ratewise/core";

/** Arrays from this size on are stored by themselves, under their hash: many tasks on one table store it once. */
const APART_BYTES = 64 * 1024;

/** An array that lies elsewhere, and its place in the payload. */
interface Apart {
  readonly path: readonly (string | number)[];
  readonly type: string;
  readonly hash: string;
}

interface Packed {
  readonly value: unknown;
  readonly apart: readonly Apart[];
}

const arrayTypes = {
  Float64Array,
  Float32Array,
  Uint32Array,
  Int32Array,
  Uint16Array,
  Int16Array,
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
} as const;

type AnyArray = InstanceType<(typeof arrayTypes)[keyof typeof arrayTypes]>;

/** Hashes of arrays by identity, for tasks that share them; good as long as none of the arrays changes. */
export type KnownHashes = WeakMap<object, string>;

/** Bytes of plain data, large arrays in it given to `putBlob` instead. */
export async function packPayload(
  payload: unknown,
  putBlob: (hash: string, bytes: Uint8Array) => Promise<void>,
  known: KnownHashes = new WeakMap(),
): Promise<Uint8Array> {
  const apart: Apart[] = [];
  const visit = async (value: unknown, path: (string | number)[]): Promise<unknown> => {
    if (typeof value !== "object" || value === null) return value;
    if (ArrayBuffer.isView(value)) {
      const type = Object.prototype.toString.call(value).slice("[object ".length, -1);
      const bytes = bytesOf(value as AnyArray);
      if (bytes.length < APART_BYTES || !(type in arrayTypes)) return unshared(value as AnyArray);
      const hash = hashOf(value as AnyArray, bytes, known);
      apart.push({ path, type, hash });
      await putBlob(hash, bytes);
      return null;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [k, item] of value.entries()) items.push(await visit(item, [...path, k]));
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const [name, entry] of Object.entries(value))
      entries.push([name, await visit(entry, [...path, name])]);
    return Object.fromEntries(entries);
  };
  const value = await visit(payload, []);
  return serialize({ value, apart } satisfies Packed);
}

/** The payload again. Throws where the bytes are not what {@link packPayload} writes, or a blob is missing. */
export async function unpackPayload(
  bytes: Uint8Array,
  getBlob: (hash: string) => Promise<Uint8Array>,
): Promise<unknown> {
  const packed = deserialize(bytes) as Packed;
  if (typeof packed !== "object" || packed === null || !Array.isArray(packed.apart))
    throw new RatewiseError("parse", {
      in: "unpackPayload",
      what: "needs a packed payload, got other bytes",
    });
  const holder = { value: packed.value };
  for (const { path, type, hash } of packed.apart) {
    const blob = await getBlob(hash);
    const array = arrayOf(type, blob);
    let at: Record<string | number, unknown> = holder;
    const steps: (string | number)[] = ["value", ...path];
    for (const step of steps.slice(0, -1)) {
      if (!Object.hasOwn(at, step)) throw misplaced(path);
      at = at[step] as typeof at;
      if (typeof at !== "object" || at === null) throw misplaced(path);
    }
    const last = steps[steps.length - 1];
    if (!Object.hasOwn(at, last)) throw misplaced(path);
    at[last] = array;
  }
  return holder.value;
}

const MAGIC = new TextEncoder().encode("RWR1");

/** A result with its own hash before it, so that a damaged one is known. */
export function packResult(result: unknown): Uint8Array {
  const body = serialize(result);
  return Buffer.concat([MAGIC, createHash("sha256").update(body).digest(), body]);
}

/** The result, or undefined where the bytes are not whole. */
export function unpackResult(bytes: Uint8Array): { readonly value: unknown } | undefined {
  const body = bytes.subarray(36);
  const whole =
    Buffer.from(bytes.subarray(0, 4)).equals(MAGIC) &&
    createHash("sha256").update(body).digest().equals(bytes.subarray(4, 36));
  return whole ? { value: deserialize(body) } : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: AnyArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Shared memory cannot be written to disk as such; its bytes can. */
function unshared(view: AnyArray): AnyArray {
  return view.buffer instanceof ArrayBuffer ? view : view.slice();
}

function hashOf(array: AnyArray, bytes: Uint8Array, known: KnownHashes): string {
  const before = known.get(array);
  if (before !== undefined) return before;
  const hash = createHash("sha256").update(bytes).digest("hex");
  known.set(array, hash);
  return hash;
}

function arrayOf(type: string, bytes: Uint8Array): AnyArray {
  if (!Object.hasOwn(arrayTypes, type))
    throw new RatewiseError("parse", {
      in: "unpackPayload",
      what: `needs a typed array, got "${type}"`,
    });
  const make = arrayTypes[type as keyof typeof arrayTypes];
  const { BYTES_PER_ELEMENT: size } = make;
  if (bytes.length % size !== 0)
    throw new RatewiseError("parse", {
      in: "unpackPayload",
      what: `${bytes.length} bytes cannot be read as ${type}`,
    });
  // A copy of its own: cached bytes serve other tasks too, and a task may write to its payload.
  const copy = new Uint8Array(bytes);
  return new make(copy.buffer, 0, bytes.length / size);
}

function misplaced(path: readonly (string | number)[]): RatewiseError {
  return new RatewiseError("parse", {
    in: "unpackPayload",
    what: `there is no place ${path.join(".")}`,
  });
}
