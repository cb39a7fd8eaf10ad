import { RatewiseError } from "@ratewise/core";
import { Inflate } from "fflate";

/** DEFLATE cannot do better: 258 bytes from 2 bits. More than this is a lie about the size. */
const BEST_RATIO = 1032;
/** Bytes handed over at a time, so that a bomb is noticed after at most 8 MiB of it. */
export const CHUNK: number = 1 << 13;

/** How much a compressed file may grow: a hundredfold, and 256 MiB in any case. */
export function defaultLimit(compressedLength: number): number {
  return Math.max(256 * 2 ** 20, 100 * compressedLength);
}

/** An inflated size beyond what the caller allows. */
export function beyondLimit(where: string, needed: number, limit: number): RatewiseError {
  return new RatewiseError("memory", {
    in: where,
    what: `needs at most ${limit} bytes once inflated, got ${needed} or more`,
    advice: "save without compression if the file is to be trusted",
    needed,
    limit,
  });
}

/** Turns what the decompressor throws, whatever it is, into an error about the bytes. */
export function decompressing<T>(where: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof RatewiseError) throw error;
    throw new RatewiseError("parse", {
      in: where,
      what: `needs DEFLATE data, got damaged bytes (${(error as Error).message})`,
      cause: error,
    });
  }
}

/** Inflates raw DEFLATE data to exactly `size` bytes; never holds more than that and one chunk. */
export function inflateExactly(where: string, compressed: Uint8Array, size: number): Uint8Array {
  if (size > BEST_RATIO * compressed.length)
    throw new RatewiseError("parse", {
      in: where,
      what: `the archive claims ${size} bytes from ${compressed.length} compressed ones, more than DEFLATE can pack`,
      advice: "save it without compression",
      size,
      compressed: compressed.length,
    });
  const out = new Uint8Array(size);
  let at = 0;
  const stream = new Inflate((chunk) => {
    if (at + chunk.length > size)
      throw new RatewiseError("parse", {
        in: where,
        what: `needs the ${size} bytes it declares, got more of them`,
        size,
      });
    out.set(chunk, at);
    at += chunk.length;
  });
  decompressing(where, () => {
    for (let from = 0; from < compressed.length; from += CHUNK) {
      const to = Math.min(from + CHUNK, compressed.length);
      stream.push(compressed.subarray(from, to), to === compressed.length);
    }
  });
  if (at !== size)
    throw new RatewiseError("parse", {
      in: where,
      what: `needs the ${size} bytes it declares, got ${at}`,
      advice: "the file is truncated",
      size,
      got: at,
    });
  return out;
}
