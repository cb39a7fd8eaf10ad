import {
  type BlockRoom,
  type BlockSource,
  type BlockSpan,
  type ByteSource,
  RatewiseError,
} from "@ratewise/core";
import {
  type AsyncBuffer,
  type ColumnData,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { decoding } from "./decoding.ts";
import { checkColumnPages, columnExtent } from "./parquet-check.ts";

export interface ParquetSourceOptions {
  /** The file's name, for messages. */
  readonly where: string;
  /** Columns that do not belong to X: the response, an identifier. */
  readonly exclude?: readonly string[];
}

/** A Parquet file in blocks, and its columns that are not in them. */
export interface ParquetSource extends BlockSource {
  /** Any column of numbers, whole. */
  readonly readColumn: (name: string) => Promise<Float64Array>;
  /** Every column, those left out too. */
  readonly allNames: readonly string[];
}

/**
 * The numbers of a Parquet file in blocks. Every column of a row group can be had by itself, so blocks of columns
 * decode nothing that they do not need; blocks of rows are whole row groups. A missing value is NaN.
 */
export async function parquetSource(
  bytes: ByteSource,
  { where, exclude = [] }: ParquetSourceOptions,
): Promise<ParquetSource> {
  const metadata = await readMetadata(bytes, where);
  const allNames = parquetSchema(metadata).children.map(({ element }) => element.name);
  for (const name of exclude)
    if (!allNames.includes(name))
      throw new RatewiseError("unknown-name", `${where}: there is no column "${name}"`, { name });
  const left = new Set(exclude);
  const names = allNames.filter((name) => !left.has(name));
  const rows = Number(metadata.num_rows);
  if (names.length === 0 || rows === 0)
    throw new RatewiseError(
      "parse",
      `${where}: there are ${names.length} columns and ${rows} rows`,
    );
  const groups = rowGroupsOf(metadata);
  const largest = Math.max(...groups.map(({ end, start }) => end - start));
  const read = (wanted: readonly string[], span: BlockSpan, room: BlockRoom) =>
    readCells({ bytes, metadata, groups, where }, wanted, span, room);
  const width = names.length;
  return {
    where,
    format: "parquet",
    rows,
    columns: width,
    names,
    allNames,
    rowShape: [width],
    layout: {
      chunkRows: largest,
      chunkColumns: 1,
      prefers: "columns",
      bytesEach: 8,
      memoryEach: 32,
    },
    readColumns: (span, room) =>
      read(names.slice(span.start, span.end), { start: 0, end: rows }, room),
    readRows: (span, room) => read(names, span, room),
    readColumn: async (name) => {
      const whole = { start: 0, end: rows };
      const fresh: BlockRoom = {
        bytes: (length) => new Uint8Array(length),
        float64: (length) => new Float64Array(length),
      };
      return (await read([name], whole, fresh)).data;
    },
  };
}

interface RowGroup extends BlockSpan {
  readonly columns: ReadonlyMap<string, ColumnMetaData>;
}

function rowGroupsOf(metadata: FileMetaData): RowGroup[] {
  let start = 0;
  return metadata.row_groups.map(({ num_rows, columns }) => {
    const end = start + Number(num_rows);
    const chunks = columns.flatMap(({ meta_data: chunk }) =>
      chunk ? [[chunk.path_in_schema[0], chunk] as const] : [],
    );
    const group = { start, end, columns: new Map(chunks) };
    start = end;
    return group;
  });
}

async function readMetadata(bytes: ByteSource, where: string): Promise<FileMetaData> {
  return decoding(where, "Parquet file", () => {
    if (bytes.size < 12) throw new Error(`${bytes.size} bytes are too few`);
    return parquetMetadataAsync(sliced(bytes));
  });
}

/** hyparquet's view of bytes that lie elsewhere. */
function sliced(bytes: ByteSource): AsyncBuffer {
  return {
    byteLength: bytes.size,
    slice: async (start, end = bytes.size) => {
      const part = new Uint8Array(end - start);
      await bytes.readInto(part, start);
      return part.buffer;
    },
  };
}

interface OpenParquet {
  readonly bytes: ByteSource;
  readonly metadata: FileMetaData;
  readonly groups: readonly RowGroup[];
  readonly where: string;
}

/** Rows × columns of numbers, a row group at a time. */
async function readCells(
  { bytes, metadata, groups, where }: OpenParquet,
  names: readonly string[],
  { start, end }: BlockSpan,
  room: BlockRoom,
): Promise<{ data: Float64Array; rows: number; cols: number }> {
  const p = names.length;
  const data = room.float64((end - start) * p).fill(Number.NaN);
  const place = new Map(names.map((name, j) => [name, j]));
  let cells = 0;
  for (const group of groups) {
    if (group.end <= start || group.start >= end) continue;
    const chunks = names.map((name) => {
      const chunk = group.columns.get(name);
      if (!chunk)
        throw new RatewiseError("parse", `${where}: column "${name}" is not in every row group`);
      return chunk;
    });
    const extents = chunks.map(columnExtent);
    const from = extents.reduce((least, extent) => Math.min(least, extent.start), bytes.size);
    const to = extents.reduce((most, extent) => Math.max(most, extent.start + extent.length), 0);
    if (!(from >= 0 && to <= bytes.size && from <= to))
      throw new RatewiseError(
        "parse",
        `${where}: needs columns within the file; it is damaged or cut off`,
      );
    const window = room.bytes(to - from);
    await bytes.readInto(window, from);
    const parts: ColumnData[] = [];
    await decoding(where, "Parquet file", async () => {
      for (const chunk of chunks) checkColumnPages(window, from, metadata, chunk, compressors);
      const file: AsyncBuffer = {
        byteLength: bytes.size,
        slice: (a, b = bytes.size) => window.slice(a - from, b - from).buffer as ArrayBuffer,
      };
      await parquetRead({
        ...{ file, metadata, columns: [...names], compressors },
        rowStart: group.start,
        rowEnd: group.end,
        // What is thrown in here is lost: only collected.
        onChunk: (part) => void parts.push(part),
      });
    });
    for (const { columnName, columnData, rowStart } of parts) {
      const j = place.get(columnName)!;
      for (let i = 0; i < columnData.length; i++) {
        const row = rowStart + i;
        if (row < start || row >= end) continue;
        data[(row - start) * p + j] = numberOf(columnData[i], columnName);
        cells++;
      }
    }
  }
  if (cells !== (end - start) * p)
    throw new RatewiseError(
      "parse",
      `${where}: needs ${(end - start) * p} values, got ${cells}; the file is damaged`,
    );
  return { data, rows: end - start, cols: p };
}

function numberOf(value: unknown, name: string): number {
  if (typeof value === "number") return value;
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  throw new RatewiseError(
    "domain",
    `needs numbers, got a text or a date in column "${name}"; leave it out`,
    { column: name },
  );
}
