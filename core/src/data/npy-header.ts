import { RatewiseError } from "../errors.ts";

/** What the header of a .npy file says about the bytes that follow it. */
export interface NpyHeader {
  readonly kind: "float" | "int" | "uint" | "bool" | "text" | "ascii";
  /** Bytes of one element. */
  readonly itemSize: number;
  readonly bigEndian: boolean;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  /** Where the numbers begin. */
  readonly offset: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** NumPy itself refuses longer headers than 10,000 characters unless told otherwise. */
const LONGEST_HEADER = 65_535;
/** NumPy's own limit. */
const MOST_DIMENSIONS = 64;

function bad(needed: string, got: string, position: number): RatewiseError {
  return new RatewiseError("parse", {
    in: "readNpy",
    what: `needs ${needed}, got ${got} at byte ${position}`,
    position,
  });
}

/**
 * Reads the header of a .npy file (format versions 1.0, 2.0 and 3.0).
 * The dictionary is read by a parser that knows its three keys and nothing else of Python.
 * Source: numpy.lib.format, "Format Version 1.0" and following.
 */
export function readNpyHeader(bytes: Uint8Array): NpyHeader {
  if (bytes.length < 10)
    throw bad("a .npy file of at least 10 bytes", `${bytes.length} bytes`, bytes.length);
  for (let i = 0; i < MAGIC.length; i++)
    if (bytes[i] !== MAGIC[i]) throw bad("the magic \\x93NUMPY", "something else", i);
  const major = bytes[6];
  const minor = bytes[7];
  if (major < 1 || major > 3 || minor !== 0)
    throw bad("format version 1.0, 2.0 or 3.0", `${major}.${minor}`, 6);
  const start = major === 1 ? 10 : 12;
  if (bytes.length < start) throw bad("a header length", "the end of the file", bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > LONGEST_HEADER)
    throw bad(`a header of at most ${LONGEST_HEADER} bytes`, `${length}`, 8);
  const offset = start + length;
  if (offset > bytes.length)
    throw bad(`a header of ${length} bytes`, `a file of ${bytes.length} bytes`, bytes.length);
  const text = String.fromCharCode(...bytes.subarray(start, offset));
  const { descr, fortranOrder, shape } = parseDictionary(text, start);
  return { ...parseDescr(descr, start), fortranOrder, shape, offset };
}

interface Dictionary {
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
}

/** `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }` and the spaces that pad it. */
function parseDictionary(text: string, start: number): Dictionary {
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return null;
    at = pattern.lastIndex;
    return match[1];
  };
  const must = (pattern: RegExp, needed: string): string => {
    const found = take(pattern);
    if (found === null) throw bad(needed, quote(text.slice(at, at + 20)), start + at);
    return found;
  };
  const found: { descr?: string; fortranOrder?: boolean; shape?: readonly number[] } = {};
  must(/\s*(\{)/y, "a header that begins with {");
  while (take(/\s*(\})/y) === null) {
    const keyAt = start + at;
    const key = must(/\s*['"](\w+)['"]\s*:\s*/y, "a key in quotes and a colon");
    if (key === "descr" && found.descr === undefined) {
      if (text[at] === "[" || text[at] === "(")
        throw bad("an array of plain numbers", "a structured array", start + at);
      found.descr = must(/['"]([^'"\\]*)['"]/y, "a type in quotes");
    } else if (key === "fortran_order" && found.fortranOrder === undefined) {
      found.fortranOrder = must(/(True|False)/y, "True or False") === "True";
    } else if (key === "shape" && found.shape === undefined) {
      const sizes = must(
        /\(\s*((?:\d+\s*(?:,\s*\d+\s*)*,?)?)\s*\)/y,
        "a shape of whole numbers in parentheses",
      );
      found.shape = parseShape(sizes, start + at);
    } else {
      throw bad(
        "the keys descr, fortran_order and shape, once each",
        `another key ${quote(key)}`,
        keyAt,
      );
    }
    if (take(/\s*(,)/y) === null && text.slice(at).trimStart()[0] !== "}")
      throw bad("a comma or }", quote(text.slice(at, at + 20)), start + at);
  }
  if (text.slice(at).trim() !== "")
    throw bad("nothing after }", quote(text.slice(at, at + 20)), start + at);
  const { descr, fortranOrder, shape } = found;
  if (descr === undefined || fortranOrder === undefined || shape === undefined)
    throw bad(
      "the keys descr, fortran_order and shape",
      `only ${Object.keys(found).length} of them`,
      start + at,
    );
  return { descr, fortranOrder, shape };
}

function parseShape(sizes: string, position: number): readonly number[] {
  const shape = sizes
    .split(",")
    .map((size) => size.trim())
    .filter((size) => size !== "")
    .map(Number);
  if (shape.length > MOST_DIMENSIONS)
    throw bad(`at most ${MOST_DIMENSIONS} dimensions`, `${shape.length}`, position);
  for (const size of shape)
    if (!Number.isSafeInteger(size)) throw bad("sizes below 2^53", `${size}`, position);
  return shape;
}

const numberKinds = { f: "float", i: "int", u: "uint", b: "bool" } as const;
const numberSizes = { f: [4, 8], i: [1, 2, 4, 8], u: [1, 2, 4, 8], b: [1] } as const;

function parseDescr(
  descr: string,
  start: number,
): Pick<NpyHeader, "kind" | "itemSize" | "bigEndian"> {
  const match = /^([<>|=])([a-zA-Z])(\d{1,10})?(\[.*\])?$/.exec(descr);
  if (!match) throw bad("a type such as '<f8'", quote(descr), start);
  const [, order, letter, digits, unit] = match;
  const size = Number(digits ?? Number.NaN);
  const bigEndian = order === ">";
  if (letter === "O")
    throw bad(
      "numbers or text",
      "pickled Python objects, which are programs and are never read (save a plain array)",
      start,
    );
  if ((letter === "U" || letter === "S") && size > 0)
    return letter === "U"
      ? { kind: "text", itemSize: 4 * size, bigEndian }
      : { kind: "ascii", itemSize: size, bigEndian };
  if (letter in numberKinds && unit === undefined) {
    const key = letter as keyof typeof numberKinds;
    const sizes: readonly number[] = numberSizes[key];
    if (sizes.includes(size) && (order !== "|" || size === 1))
      return { kind: numberKinds[key], itemSize: size, bigEndian };
  }
  throw bad(
    "float 4 or 8, int or uint 1 to 8, bool, or text (convert with .astype('<f8'))",
    `type ${quote(descr)}`,
    start,
  );
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** The header that NumPy itself would write (version 1.0, padded so that the numbers begin at a multiple of 64). */
export function writeNpyHeader(descr: string, shape: readonly number[]): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const total = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  const bytes = new Uint8Array(total).fill(0x20, 10);
  bytes.set(MAGIC);
  bytes[6] = 1;
  new DataView(bytes.buffer).setUint16(8, total - 10, true);
  for (let i = 0; i < dictionary.length; i++) bytes[10 + i] = dictionary.charCodeAt(i);
  bytes[total - 1] = 0x0a;
  return bytes;
}
