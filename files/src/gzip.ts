import { RatewiseError } from "@ratewise/core";
import { Gunzip } from "fflate";
import { beyondLimit, CHUNK, decompressing, defaultLimit } from "./bounded-inflate.ts";
import { crc32 } from "./crc32.ts";

export interface GunzipOptions {
  /** Most bytes once inflated. Default: 100 times the file, at least 256 MiB. */
  readonly limit?: number;
}

/** Inflates a gzip file of one or more members (bgzip writes many), with sums and sizes checked. */
export function gunzip(bytes: Uint8Array, options: GunzipOptions = {}): Uint8Array {
  const pieces = [...gunzipPieces(bytes, options)];
  const out = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** As {@link gunzip}, a piece at a time, so that the whole need never be held. */
export function* gunzipPieces(
  bytes: Uint8Array,
  options: GunzipOptions = {},
): Generator<Uint8Array> {
  const { limit = defaultLimit(bytes.length) } = options;
  let pieces: Uint8Array[] = [];
  let total = 0;
  let crc = 0;
  let memberSize = 0;
  const checkMember = (end: number): void => {
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - 8, 8);
    if (trailer.getUint32(0, true) !== crc || trailer.getUint32(4, true) !== memberSize % 2 ** 32)
      throw new RatewiseError("parse", {
        in: "gunzip",
        what: `needs bytes that agree with their checksum, got damaged or truncated ones at byte ${end - 8}`,
        position: end - 8,
      });
    crc = 0;
    memberSize = 0;
  };
  const stream = new Gunzip((piece) => {
    total += piece.length;
    if (total > limit) throw beyondLimit("gunzip", total, limit);
    memberSize += piece.length;
    crc = crc32(piece, crc);
    pieces.push(piece);
  });
  stream.onmember = checkMember;
  if (bytes.length < 18)
    throw new RatewiseError("parse", {
      in: "gunzip",
      what: `needs at least 18 bytes, got ${bytes.length}`,
    });
  for (let from = 0; from < bytes.length; from += CHUNK) {
    const to = Math.min(from + CHUNK, bytes.length);
    decompressing("gunzip", () => stream.push(bytes.subarray(from, to), to === bytes.length));
    yield* pieces;
    pieces = [];
  }
  checkMember(bytes.length);
}
