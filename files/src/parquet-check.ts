import type {
  ColumnMetaData,
  Compressors,
  DataReader,
  FileMetaData,
  PageHeader,
  SchemaTree,
} from "hyparquet";
import { parquetSchema } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from "hyparquet/src/schema.js";

/** Parquet's own sizes are 32-bit; a page beyond a gigabyte is a lie. */
const LARGEST_PAGE = 2 ** 30;

/**
 * Walks the pages of every column before they are decoded, and throws where a size points backwards or past the
 * end, or where a run is longer than its page. The decoder trusts all of these: a flipped bit would
 * make it run for ever or take all memory. Costs one more decompression.
 */
export function checkPages(
  bytes: Uint8Array,
  metadata: FileMetaData,
  compressors: Compressors,
): void {
  const schema = parquetSchema(metadata);
  let rows = 0n;
  for (const group of metadata.row_groups) {
    needs(group.num_rows >= 0n, "a number of rows");
    rows += group.num_rows;
    for (const { meta_data: chunk } of group.columns) {
      needs(chunk !== undefined, "metadata of every column");
      const levels = levelsOf(schema, chunk!);
      const flat = levels.repetition === 0;
      needs(!flat || chunk!.num_values === group.num_rows, "as many values as rows");
      checkChunk(bytes, chunk!, levels, compressors);
    }
  }
  needs(rows === metadata.num_rows, "row groups that add up");
}

/**
 * The same for one column of a row group, when only the bytes from `base` on are at hand.
 */
export function checkColumnPages(
  bytes: Uint8Array,
  base: number,
  schema: SchemaTree,
  chunk: ColumnMetaData,
  compressors: Compressors,
): void {
  checkChunk(bytes, chunk, levelsOf(schema, chunk), compressors, base);
}

/** The tree is made once: for every column anew, thousands of columns would take minutes. */
function levelsOf(schema: SchemaTree, { path_in_schema: path }: ColumnMetaData): Levels {
  const schemaPath = getTreePath(schema, path);
  return {
    repetition: getMaxRepetitionLevel(schemaPath),
    definition: getMaxDefinitionLevel(schemaPath),
  };
}

/** Where the bytes of a column of a row group begin, and how many they are. */
export function columnExtent(chunk: ColumnMetaData): {
  readonly start: number;
  readonly length: number;
} {
  const dictionary = Number(chunk.dictionary_page_offset ?? 0n);
  const data = Number(chunk.data_page_offset);
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return { start, length: Number(chunk.total_compressed_size) };
}

interface Levels {
  readonly repetition: number;
  readonly definition: number;
}

function checkChunk(
  bytes: Uint8Array,
  chunk: ColumnMetaData,
  levels: Levels,
  compressors: Compressors,
  base = 0,
): void {
  const extent = columnExtent(chunk);
  const { length } = extent;
  const start = extent.start - base;
  needs(start >= 0 && length >= 0 && start + length <= bytes.length, "columns within the file");
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, length);
  const reader: DataReader = { view, offset: 0 };
  let left = Number(chunk.num_values);
  needs(left >= 0, "a number of values");
  while (left > 0 && reader.offset < length - 1) {
    const header = parquetHeader(reader);
    const size = header.compressed_page_size;
    needs(isSize(size) && reader.offset + size <= length, "pages within their column");
    needs(isSize(header.uncompressed_page_size), "pages of a possible size");
    const page = bytes.subarray(start + reader.offset, start + reader.offset + size);
    reader.offset += size;
    left -= checkPage(page, header, chunk, levels, compressors);
    needs(left >= 0, "no more values than the column has");
  }
  needs(left === 0, "all values of the column");
}

/** Checks a page's runs and returns how many values it holds. */
function checkPage(
  page: Uint8Array,
  header: PageHeader,
  { codec, type }: ColumnMetaData,
  levels: Levels,
  compressors: Compressors,
): number {
  const inflate = (part: Uint8Array, size: number): Uint8Array => {
    needs(isSize(size), "pages of a possible size");
    return decompressPage(part, size, codec, compressors);
  };
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  if (header.type === "DICTIONARY_PAGE") {
    needs(isSize(header.dictionary_page_header?.num_values), "a size of the dictionary");
    return 0;
  }
  if (header.type === "DATA_PAGE" && v1) {
    needs(isSize(v1.num_values), "a number of values");
    const body = inflate(page, header.uncompressed_page_size);
    let at = 0;
    for (const most of [levels.repetition, levels.definition]) {
      if (most === 0) continue;
      at = checkRuns(body, at + 4, uint32(body, at), bitsOf(most), v1.num_values, true);
    }
    checkValues(body, at, v1.encoding, type, v1.num_values);
    return v1.num_values;
  }
  needs(header.type === "DATA_PAGE_V2" && v2 !== undefined, "pages of a known kind");
  const { repetition_levels_byte_length: r, definition_levels_byte_length: d } = v2!;
  const { num_values: count } = v2!;
  needs(isSize(count) && isSize(v2!.num_nulls) && v2!.num_nulls <= count, "a number of values");
  needs(isSize(r) && isSize(d) && r + d <= page.length, "levels within their page");
  if (levels.repetition > 0) checkRuns(page, 0, r, bitsOf(levels.repetition), count, true);
  if (levels.definition > 0) checkRuns(page, r, d, bitsOf(levels.definition), count, true);
  const part = page.subarray(r + d);
  const compressed = v2!.is_compressed !== false;
  const body = compressed ? inflate(part, header.uncompressed_page_size - r - d) : part;
  checkValues(body, 0, v2!.encoding, type, count);
  return count;
}

function checkValues(
  body: Uint8Array,
  at: number,
  encoding: string,
  type: string,
  count: number,
): void {
  if (encoding.endsWith("_DICTIONARY")) {
    if (at >= body.length) return;
    needs(body[at] <= 32, "a width of at most 32 bits");
    if (body[at] > 0) checkRuns(body, at + 1, body.length - at - 1, body[at], count, false);
  } else if (encoding === "RLE" && type === "BOOLEAN") {
    checkRuns(body, at + 4, uint32(body, at), 1, count, false);
  }
}

/** The runs of the hybrid of run lengths and bit packing, from `start` over `length` bytes; returns where they end. */
function checkRuns(
  bytes: Uint8Array,
  start: number,
  length: number,
  width: number,
  count: number,
  all: boolean,
): number {
  const end = start + length;
  needs(end <= bytes.length, "runs within their page");
  let seen = 0;
  for (let at = start; at < end && seen < count; ) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      needs(at < end && shift < 35, "the head of a run");
      const byte = bytes[at++];
      header += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    const packed = header % 2 === 1;
    const run = packed ? 8 * Math.floor(header / 2) : header / 2;
    needs(run <= count + 8 * 64, "runs no longer than their page");
    at += packed ? (run / 8) * width : Math.ceil(width / 8);
    seen += run;
  }
  needs(!all || seen >= count, "levels of every value");
  return end;
}

function uint32(bytes: Uint8Array, at: number): number {
  needs(at + 4 <= bytes.length, "the length of the levels");
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
}

function bitsOf(most: number): number {
  return 32 - Math.clz32(most);
}

function isSize(value: number | undefined): boolean {
  return Number.isInteger(value) && value! >= 0 && value! <= LARGEST_PAGE;
}

function needs(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it needs ${what}`);
}
