import { RatewiseError } from "@ratewise/core";

export interface TarEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;

/** The plain files of a tar archive that arrives in pieces, one at a time (POSIX ustar; of GNU's long names none are needed here). */
export function* tarEntries(pieces: Iterable<Uint8Array>): Generator<TarEntry> {
  const source = byteQueue(pieces);
  for (let header = source(BLOCK); header && header[0] !== 0; header = source(BLOCK)) {
    const field = (from: number, length: number): string =>
      new TextDecoder("latin1").decode(header!.subarray(from, from + length)).replace(/\0.*$/s, "");
    const size = Number.parseInt(field(124, 12).trim() || "0", 8);
    const whole = Math.ceil(size / BLOCK) * BLOCK;
    const content = whole > 0 ? source(whole) : new Uint8Array(0);
    if (!Number.isInteger(size) || content === null)
      throw new RatewiseError("parse", {
        in: "tarEntries",
        what: "the archive is cut off or damaged",
      });
    const kind = field(156, 1);
    const prefix = field(345, 155);
    const name = prefix ? `${prefix}/${field(0, 100)}` : field(0, 100);
    if (kind === "0" || kind === "") yield { name, bytes: content.subarray(0, size) };
  }
}

/** Takes so many bytes at a time from pieces of any size; null when there are not as many. */
function byteQueue(pieces: Iterable<Uint8Array>): (count: number) => Uint8Array | null {
  const iterator = pieces[Symbol.iterator]();
  let waiting: Uint8Array = new Uint8Array(0);
  let at = 0;
  return (count) => {
    const out = new Uint8Array(count);
    for (let filled = 0; filled < count; ) {
      if (at === waiting.length) {
        const { value, done } = iterator.next();
        if (done) return null;
        waiting = value;
        at = 0;
      }
      const part = waiting.subarray(at, at + count - filled);
      out.set(part, filled);
      filled += part.length;
      at += part.length;
    }
    return out;
  };
}
