import type { GenotypeBlock } from "../compute/index.ts";
import { firstNotFinite } from "../effects/block.ts";
import { RatewiseError } from "../errors.ts";
import type { Rows } from "../linalg/rows.ts";
import { say, type Words } from "../words/words.ts";

/** Columns of X as their file has them: numbers, rows×columns, or genotypes of two bits. */
export type ColumnBlock = Rows | GenotypeBlock;

/** Rows or columns `start ≤ i < end`. */
export interface BlockSpan {
  readonly start: number;
  readonly end: number;
}

/** How numbers lie in a file, as far as it decides which blocks are cheap to read. */
export interface BlockLayout {
  /** Rows and columns that are stored, and have to be decoded, together; 1 where any can be had alone. */
  readonly chunkRows: number;
  readonly chunkColumns: number;
  /** The cheaper way through the file when both fit into memory. */
  readonly prefers: "columns" | "rows";
  /** Bytes of one number in the file, as far as one can say. */
  readonly bytesEach: number;
  /** Bytes that reading a number takes in memory, decoding included. */
  readonly memoryEach: number;
  /** Bytes that an open file takes whatever is read of it: what describes a great many columns, say. Default 0. */
  readonly overhead?: number;
}

/**
 * X in blocks, never whole. What is read stands in memory of `room` and is overwritten by the next block that
 * is read into the same room.
 */
export interface BlockSource {
  /** What messages call it: the name of a file. */
  readonly where: string;
  readonly format: "bed" | "npy" | "zarr" | "parquet";
  readonly rows: number;
  readonly columns: number;
  /** Names of the columns where the file has them. */
  readonly names: readonly string[] | null;
  /** The shape of a row: one number of columns, or height, width and so on of an image. */
  readonly rowShape: readonly number[];
  readonly layout: BlockLayout;
  /** The file's own rows that these are, where some were left out: for messages. */
  readonly rowNumbers?: Uint32Array;
  readonly readColumns: (span: BlockSpan, room: BlockRoom) => Promise<ColumnBlock>;
  readonly readRows: (span: BlockSpan, room: BlockRoom) => Promise<Rows>;
}

/** Memory that blocks pass through: it grows to the largest and is used again, so nothing waits for a collector. */
export interface BlockRoom {
  readonly bytes: (length: number) => Uint8Array;
  /** Apart from `bytes`, for what is decoded from them. */
  readonly float64: (length: number) => Float64Array;
}

/** Memory that blocks of one source are read into, one after another; it grows with the largest. */
export function blockRoom(): BlockRoom {
  let bytes = new ArrayBuffer(0);
  let numbers = new Float64Array(0);
  return {
    bytes: (length) => {
      if (bytes.byteLength < length) bytes = new ArrayBuffer(length);
      return new Uint8Array(bytes, 0, length);
    },
    float64: (length) => {
      if (numbers.length < length) numbers = new Float64Array(length);
      return numbers.subarray(0, length);
    },
  };
}

export function isGenotypes(block: ColumnBlock): block is GenotypeBlock {
  return "bed" in block;
}

/** The error of a block that cannot be read or used, with its place before what is wrong. */
export function blockError(
  source: BlockSource,
  by: "columns" | "rows",
  { start, end }: BlockSpan,
  index: number,
  count: number,
  error: unknown,
): unknown {
  if (!(error instanceof RatewiseError)) return error;
  const { where } = source;
  const place = `block ${index + 1} of ${count} (${by} ${start} … ${end - 1})`;
  return new RatewiseError(error.code, {
    at: where,
    what: say`${place} is damaged or cannot be used: ${placeOf(source, error) ?? reasonIn(where, error)}`,
    ...error.details,
    by,
    block: index,
    first: start,
    last: end - 1,
    cause: error,
  });
}

function reasonIn(file: string, { parts: { at }, reason }: RatewiseError): Words {
  return at === undefined || at === file ? reason : say`${at}: ${reason}`;
}

/** What is wrong with a number of X, by its place in the file; null for errors about something else. */
function placeOf(source: BlockSource, { details }: RatewiseError): string | null {
  const { row, column } = details;
  return typeof row === "number" && typeof column === "number"
    ? notFiniteAt(source, row, column)
    : null;
}

function notFiniteAt(
  { names, rowNumbers, format }: BlockSource,
  row: number,
  column: number,
): string {
  const name = names?.[column] === undefined ? "" : ` ("${names[column]}")`;
  const what = format === "parquet" ? "a missing value, NaN or infinity" : "NaN or infinity";
  return `needs finite numbers, got ${what} in row ${rowNumbers?.[row] ?? row}, column ${column}${name}, counted from 0; drop or fill it`;
}

/** The same source, whose blocks of rows are looked through for numbers that are none. */
export function finiteRows(source: BlockSource): BlockSource {
  return {
    ...source,
    readRows: async (span, room) => {
      const block = await source.readRows(span, room);
      const at = firstNotFinite(block);
      if (at === null) return block;
      const [row, column] = [span.start + at[0], at[1]];
      throw new RatewiseError("domain", {
        at: source.where,
        what: notFiniteAt(source, row, column),
        row,
        column,
      });
    },
  };
}
