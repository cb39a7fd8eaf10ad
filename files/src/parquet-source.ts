import { RatewiseError } from "@ratewise/core";
import type { BlockRoom, BlockSource, BlockSpan, ByteSource } from "@ratewise/core/stream";
import {
  type AsyncBuffer,
  type ColumnChunk,
  type ColumnData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaTree,
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
  const schema = parquetSchema(metadata);
  const places = schemaPlaces(schema);
  const allNames = schema.children.map(({ element }) => element.name);
  for (const name of exclude)
    if (!allNames.includes(name))
      throw new RatewiseError("unknown-name", {
        at: where,
        what: `there is no column "${name}"`,
        name,
      });
  const left = new Set(exclude);
  const names = allNames.filter((name) => !left.has(name));
  const rows = Number(metadata.num_rows);
  if (names.length === 0 || rows === 0)
    throw new RatewiseError("parse", {
      at: where,
      what: `there are ${names.length} columns and ${rows} rows`,
    });
  const groups = rowGroupsOf(metadata);
  const largest = Math.max(...groups.map(({ end, start }) => end - start));
  const read = (wanted: readonly string[], span: BlockSpan, room: BlockRoom) =>
    readCells({ bytes, metadata, places, groups, where }, wanted, span, room);
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
      memoryEach: 24,
      overhead: CHUNK_BYTES * allNames.length * groups.length,
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

/** Bytes that the description of a column of a row group takes, and as much again to read it. Measured. */
const CHUNK_BYTES = 2800;
/** Values that are decoded at a time: what the decoder makes of them is gone before the next. */
const TOGETHER = 2 ** 17;

interface RowGroup extends BlockSpan {
  readonly group: FileMetaData["row_groups"][number];
  /** By the column they belong to: one, or several where it is nested. */
  readonly columns: ReadonlyMap<string, readonly ColumnChunk[]>;
}

function rowGroupsOf(metadata: FileMetaData): RowGroup[] {
  let start = 0;
  return metadata.row_groups.map((group) => {
    const end = start + Number(group.num_rows);
    const columns = new Map<string, ColumnChunk[]>();
    for (const chunk of group.columns) {
      const name = chunk.meta_data?.path_in_schema[0];
      if (name === undefined) continue;
      const others = columns.get(name);
      if (others) others.push(chunk);
      else columns.set(name, [chunk]);
    }
    const found = { start, end, group, columns };
    start = end;
    return found;
  });
}

/** Where the description of each column begins in the list of all, and how long it is. */
function schemaPlaces({ children }: SchemaTree): ReadonlyMap<string, readonly [number, number]> {
  let at = 1;
  return new Map(
    children.map(({ element, count }) => {
      const place = [at, at + count] as const;
      at += count;
      return [element.name, place];
    }),
  );
}

/** The metadata of some columns of one row group, as if the file had no others: the decoder looks through all there are. */
function partOf(
  { metadata, places }: OpenParquet,
  { group }: RowGroup,
  names: readonly string[],
  columns: readonly ColumnChunk[],
): FileMetaData {
  const elements = names.flatMap((name) => metadata.schema.slice(...places.get(name)!));
  return {
    ...metadata,
    num_rows: group.num_rows,
    schema: [{ ...metadata.schema[0], num_children: names.length }, ...elements],
    row_groups: [{ ...group, columns: [...columns] }],
  };
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
  /** Of the columns' descriptions. */
  readonly places: ReadonlyMap<string, readonly [number, number]>;
  readonly groups: readonly RowGroup[];
  readonly where: string;
}

/** Rows × columns of numbers: a row group after the other, of each some columns after the others. */
async function readCells(
  open: OpenParquet,
  names: readonly string[],
  { start, end }: BlockSpan,
  room: BlockRoom,
): Promise<{ data: Float64Array; rows: number; cols: number }> {
  const p = names.length;
  const data = room.float64((end - start) * p).fill(Number.NaN);
  let cells = 0;
  for (const group of open.groups) {
    if (group.end <= start || group.start >= end) continue;
    const together = Math.max(1, Math.floor(TOGETHER / (group.end - group.start)));
    for (let first = 0; first < p; first += together) {
      const some = names.slice(first, first + together);
      const place = new Map(some.map((name, j) => [name, first + j]));
      for (const { columnName, columnData, rowStart } of await readChunks(
        open,
        group,
        some,
        room,
      )) {
        const j = place.get(columnName)!;
        for (let i = 0; i < columnData.length; i++) {
          const row = group.start + rowStart + i;
          if (row < start || row >= end) continue;
          data[(row - start) * p + j] = numberOf(columnData[i], columnName);
          cells++;
        }
      }
    }
  }
  if (cells !== (end - start) * p)
    throw new RatewiseError("parse", {
      at: open.where,
      what: `needs ${(end - start) * p} values, got ${cells}`,
      advice: "the file is damaged",
    });
  return { data, rows: end - start, cols: p };
}

/** Some columns of a row group, whose rows count from its first. */
async function readChunks(
  open: OpenParquet,
  group: RowGroup,
  names: readonly string[],
  room: BlockRoom,
): Promise<ColumnData[]> {
  const { bytes, where } = open;
  const columns = names.flatMap((name) => {
    const found = group.columns.get(name);
    if (!found)
      throw new RatewiseError("parse", {
        at: where,
        what: `column "${name}" is not in every row group`,
      });
    return found;
  });
  const chunks = columns.map(({ meta_data: chunk }) => chunk!);
  const extents = chunks.map(columnExtent);
  const from = extents.reduce((least, extent) => Math.min(least, extent.start), bytes.size);
  const to = extents.reduce((most, extent) => Math.max(most, extent.start + extent.length), 0);
  if (!(from >= 0 && to <= bytes.size && from <= to))
    throw new RatewiseError("parse", {
      at: where,
      what: "needs columns within the file",
      advice: "it is damaged or cut off",
    });
  const window = room.bytes(to - from);
  await bytes.readInto(window, from);
  const parts: ColumnData[] = [];
  await decoding(where, "Parquet file", async () => {
    const metadata = partOf(open, group, names, columns);
    const schema = parquetSchema(metadata);
    for (const chunk of chunks) checkColumnPages(window, from, schema, chunk, compressors);
    const file: AsyncBuffer = {
      byteLength: bytes.size,
      slice: (a, b = bytes.size) => window.slice(a - from, b - from).buffer as ArrayBuffer,
    };
    await parquetRead({
      ...{ file, metadata, columns: [...names], compressors },
      // What is thrown in here is lost: only collected.
      onChunk: (part) => void parts.push(part),
    });
  });
  return parts;
}

function numberOf(value: unknown, name: string): number {
  if (typeof value === "number") return value;
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  throw new RatewiseError("domain", {
    what: `needs numbers, got a text or a date in column "${name}"`,
    advice: "leave it out",
    column: name,
  });
}
