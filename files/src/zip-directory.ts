import { RatewiseError } from "@ratewise/core";

/** One file in a ZIP archive, as its central directory describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly stored: boolean;
  readonly crc: number;
  /** Inflated size, as declared. */
  readonly size: number;
  /** The bytes in the archive. */
  readonly bytes: Uint8Array;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

function bad(needed: string, got: string, position?: number): RatewiseError {
  const at = position === undefined ? "" : ` at byte ${position}`;
  return new RatewiseError("parse", {
    in: "readNpz",
    what: `needs ${needed}, got ${got}${at}`,
    position,
  });
}

/**
 * Lists a ZIP archive (with ZIP64, which NumPy writes for large arrays). fflate's reader neither
 * checks sums nor bounds sizes, so the directory is read here and fflate only inflates.
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.7–4.3.16 and 4.5.3.
 */
export function readZipDirectory(archive: Uint8Array, maxEntries: number): ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  const { count, start, end } = findDirectory(view);
  if (count > maxEntries) throw bad(`at most ${maxEntries} entries`, `${count}`);
  const entries: ZipEntry[] = [];
  const spans: [number, number][] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY)
      throw bad(`${count} directory entries`, `damage in entry ${i}`, at);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > end) throw bad("a whole directory", `damage in entry ${i}`, at);
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const name = decodeName(archive.subarray(at + 46, at + 46 + nameLength), at);
    if (flags & 1) throw bad("entries that are not encrypted", `"${name}" encrypted`, at);
    if (method !== 0 && method !== 8)
      throw bad("entries stored or deflated", `"${name}" with method ${method}`, at);
    const [size, compressed, offset] = wideSizes(view, at, nameLength, extraLength);
    const dataStart = findData(view, offset, start, name);
    const dataEnd = dataStart + compressed;
    if (dataEnd > start) throw bad(`${compressed} bytes of "${name}"`, "the end of them", start);
    if (method === 0 && compressed !== size)
      throw bad(`${size} stored bytes of "${name}"`, `${compressed}`, at);
    spans.push([offset, dataEnd]);
    entries.push({
      name,
      stored: method === 0,
      crc: view.getUint32(at + 16, true),
      size,
      bytes: archive.subarray(dataStart, dataEnd),
    });
    at = next;
  }
  // A bomb of overlapping entries counts the same bytes many times.
  spans.sort((a, b) => a[0] - b[0]);
  for (let i = 1; i < spans.length; i++)
    if (spans[i][0] < spans[i - 1][1])
      throw bad("entries that lie apart", "entries that overlap", spans[i][0]);
  return entries;
}

function findDirectory(view: DataView): { count: number; start: number; end: number } {
  const length = view.byteLength;
  let at = length - 22;
  while (at >= 0 && at >= length - 22 - 65_535) {
    if (view.getUint32(at, true) === END && view.getUint16(at + 20, true) === length - at - 22)
      break;
    at--;
  }
  if (at < 0 || at < length - 22 - 65_535)
    throw bad("a ZIP archive", "no end of its directory; this is no .npz, or it is truncated");
  let count = view.getUint16(at + 10, true);
  let size = view.getUint32(at + 12, true);
  let start = view.getUint32(at + 16, true);
  let end = at;
  if (at >= 20 && view.getUint32(at - 20, true) === LOCATOR_64) {
    const wide = readUint64(view, at - 12);
    if (wide + 56 > at - 20 || view.getUint32(wide, true) !== END_64)
      throw bad("a ZIP64 directory", "something else", wide);
    count = readUint64(view, wide + 32);
    size = readUint64(view, wide + 40);
    start = readUint64(view, wide + 48);
    end = wide;
  }
  if (start + size !== end)
    throw bad("a directory that ends where it says", `${start} + ${size} bytes, not ${end}`, at);
  return { count, start, end };
}

/** Size, compressed size and offset; those that are all ones stand in the ZIP64 field instead. */
function wideSizes(
  view: DataView,
  at: number,
  nameLength: number,
  extraLength: number,
): [number, number, number] {
  const fields: [number, number, number] = [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ];
  const end = at + 46 + nameLength + extraLength;
  for (let extra = at + 46 + nameLength; extra + 4 <= end; ) {
    const next = extra + 4 + view.getUint16(extra + 2, true);
    if (view.getUint16(extra, true) === 1 && next <= end) {
      let from = extra + 4;
      for (let k = 0; k < 3; k++) {
        if (fields[k] !== 0xffffffff) continue;
        if (from + 8 > next) throw bad("a whole ZIP64 field", "part of one", from);
        fields[k] = readUint64(view, from);
        from += 8;
      }
    }
    extra = next;
  }
  return fields;
}

function findData(view: DataView, offset: number, limit: number, name: string): number {
  if (offset + 30 > limit || view.getUint32(offset, true) !== LOCAL)
    throw bad(`the beginning of "${name}"`, "something else", offset);
  return offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
}

function readUint64(view: DataView, at: number): number {
  const value = view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  if (!Number.isSafeInteger(value)) throw bad("sizes below 2^53", `${value}`, at);
  return value;
}

/** Names become keys and are printed, never paths; still, nothing that looks like one elsewhere may pass. */
function decodeName(bytes: Uint8Array, at: number): string {
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw bad("names in UTF-8", "other bytes", at + 46);
  }
  const odd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|^\/|(?:^|\/)\.\.(?:\/|$)|^$/u.test(name);
  if (odd) throw bad("plain names", JSON.stringify(name), at + 46);
  return name;
}
