import { RatewiseError } from "../errors.ts";

/** The bytes of a file, read where they are asked for: the one seam between formats and wherever bytes lie. */
export interface ByteSource {
  readonly size: number;
  /** Fills `into` with the bytes from `at` on; throws a `file` error where they end first. */
  readInto(into: Uint8Array, at: number): Promise<void>;
}

/** A file that was opened and has to be closed. */
export interface OpenBytes extends ByteSource {
  close(): Promise<void>;
}

/** Room for what does not fit into memory; gone when it is closed. */
export interface ScratchBytes extends OpenBytes {
  write(bytes: Uint8Array, at: number): Promise<void>;
}

/** Bytes that are in memory already. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    readInto: async (into, at) => {
      checkEnd(bytes.length, into.length, at);
      into.set(bytes.subarray(at, at + into.length));
    },
  };
}

/** Scratch room in memory, where there is no disk to be had. */
export function scratchInMemory(size: number): ScratchBytes {
  const bytes = new Uint8Array(size);
  return {
    ...bytesInMemory(bytes),
    write: async (from, at) => bytes.set(from, at),
    close: async () => {},
  };
}

/** Throws where bytes end before what is asked for. */
export function checkEnd(size: number, wanted: number, at: number): void {
  if (at + wanted <= size) return;
  throw new RatewiseError("file", {
    what: `needs ${wanted} bytes from byte ${at} on, got ${Math.max(0, size - at)}`,
    advice: "the file is cut off",
    wanted,
    position: at,
    size,
  });
}
