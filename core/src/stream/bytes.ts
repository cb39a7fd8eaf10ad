import { type ByteSource, checkEnd } from "../host/byte-source.ts";

/** A Blob, as browsers give for a file that somebody chose. */
export function bytesOfBlob(blob: Blob): ByteSource {
  return {
    size: blob.size,
    readInto: async (into, at) => {
      checkEnd(blob.size, into.length, at);
      into.set(new Uint8Array(await blob.slice(at, at + into.length).arrayBuffer()));
    },
  };
}
