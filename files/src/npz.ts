import { RatewiseError } from "@ratewise/core";
import { type NpyArray, readNpy, writeNpy } from "@ratewise/core/data";
import { zipSync } from "fflate";
import { beyondLimit, defaultLimit, inflateExactly } from "./bounded-inflate.ts";
import { crc32 } from "./crc32.ts";
import { within } from "./within.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

export interface NpzReadOptions {
  /** Most bytes of all arrays together once inflated. Default: 100 times the file, at least 256 MiB. */
  readonly limit?: number;
  /** Most arrays. Default 1,000. */
  readonly maxEntries?: number;
  /** Which arrays to read; the others are not inflated. Default: all. */
  readonly only?: (name: string) => boolean;
}

/**
 * Reads an .npz file: a ZIP archive of .npy files, by name without the ending. Sums and sizes are
 * checked, and neither the declared nor the real inflated size can pass `limit`.
 */
export function readNpz(bytes: Uint8Array, options: NpzReadOptions = {}): Map<string, NpyArray> {
  const { limit = defaultLimit(bytes.length), maxEntries = 1000, only = () => true } = options;
  const arrays = new Map<string, NpyArray>();
  const wanted = new Map<string, ZipEntry>();
  let total = 0;
  for (const entry of readZipDirectory(bytes, maxEntries)) {
    if (!entry.name.endsWith(".npy")) {
      throw new RatewiseError("parse", {
        in: "readNpz",
        what: `needs .npy files only, got ${JSON.stringify(entry.name)}`,
        name: entry.name,
      });
    }
    const name = entry.name.slice(0, -".npy".length);
    if (wanted.has(name))
      throw new RatewiseError("parse", {
        in: "readNpz",
        what: `needs every name once, got "${name}" twice`,
        name,
      });
    if (!only(name)) continue;
    wanted.set(name, entry);
    total += entry.size;
  }
  if (total > limit) throw beyondLimit("readNpz", total, limit);
  for (const [name, entry] of wanted)
    arrays.set(
      name,
      within(entry.name, () => readNpy(entryBytes(entry))),
    );
  return arrays;
}

function entryBytes(entry: ZipEntry): Uint8Array {
  const bytes = entry.stored ? entry.bytes : inflateExactly("readNpz", entry.bytes, entry.size);
  if (crc32(bytes) !== entry.crc)
    throw new RatewiseError("parse", {
      in: "readNpz",
      what: "needs bytes that agree with their checksum, got damaged ones",
    });
  return bytes;
}

export interface NpzWriteOptions {
  /** As `numpy.savez_compressed` does. Default false. */
  readonly compress?: boolean;
}

/** The bytes of an .npz file that NumPy loads without `allow_pickle`. The same arrays give the same bytes. */
export function writeNpz(
  arrays: Iterable<readonly [string, NpyArray]>,
  options: NpzWriteOptions = {},
): Uint8Array {
  const files: Record<string, Uint8Array> = {};
  for (const [name, array] of arrays) files[`${name}.npy`] = writeNpy(array);
  // The first day a ZIP archive knows, in local time as the format has it: no clock in the result.
  return zipSync(files, { level: options.compress ? 6 : 0, mtime: new Date(1980, 0, 1) });
}
