import { RatewiseError } from "@ratewise/core";
import type { BlockRoom, BlockSource, BlockSpan, ByteSource } from "@ratewise/core/stream";
import { type AsyncReadable, type DataType, open, root, type Array as ZarrArray } from "zarrita";
import { decoding } from "./decoding.ts";

/** The files of a Zarr store, by their keys ("zarr.json", "c/0/1", ".zarray", "0.1"); undefined where there is none. */
export type ZarrFiles = (key: string) => Promise<ByteSource | undefined>;

export interface ZarrSourceOptions {
  /** The store's name, for messages. */
  readonly where: string;
  readonly names?: readonly string[];
}

export interface ZarrSource extends BlockSource {
  /** Chunks that were read as the fill value because the store has no file of them. */
  readonly absentChunks: () => number;
}

const METADATA = /(^|\/)(zarr\.json|\.zarray|\.zattrs|\.zgroup|\.zmetadata)$/;

/**
 * A Zarr array (version 2 or 3, any codec of zarrita, shards too) of numbers in blocks: the first index are the rows, all
 * others together the columns. A chunk is decoded whole, so blocks are best whole chunks.
 */
export async function zarrSource(
  files: ZarrFiles,
  { where, names }: ZarrSourceOptions,
): Promise<ZarrSource> {
  let absent = 0;
  const store: AsyncReadable = {
    get: async (key) => {
      const bytes = await files(key.slice(1));
      if (!bytes) {
        if (!METADATA.test(key)) absent++;
        return undefined;
      }
      const whole = new Uint8Array(bytes.size);
      await bytes.readInto(whole, 0);
      return whole;
    },
    getRange: async (key, range) => {
      const bytes = await files(key.slice(1));
      if (!bytes) {
        absent++;
        return undefined;
      }
      const [at, length] =
        "suffixLength" in range
          ? [bytes.size - range.suffixLength, range.suffixLength]
          : [range.offset, range.length];
      const part = new Uint8Array(length);
      await bytes.readInto(part, at);
      return part;
    },
  };
  const array = await decoding(where, "Zarr array", () => open(root(store), { kind: "array" }));
  const { shape, chunks, dtype } = array;
  const rows = shape[0] ?? 0;
  const columns = shape.slice(1).reduce((product, n) => product * n, 1);
  if (shape.length < 2 || rows === 0 || columns === 0)
    throw new RatewiseError("shape", {
      at: where,
      what: `needs rows and columns, got shape (${shape.join(", ")})`,
    });
  if (!/^(\|?b|bool|[<>|]?[iuf]|u?int|float)/.test(dtype))
    throw new RatewiseError("parse", { at: where, what: `needs numbers, got ${dtype}` });
  const bytesEach = Number(/(\d+)$/.exec(dtype)?.[1] ?? 8) / 8;
  // Columns of all chunks that share their first two places: what is decoded for any one of them.
  const inner = shape.slice(2).reduce((product, n) => product * n, 1);
  const read = (r: BlockSpan, c: BlockSpan, room: BlockRoom) =>
    readCells({ array, where, inner }, r, c, room);
  return {
    where,
    format: "zarr",
    rows,
    columns,
    names: names ?? null,
    rowShape: shape.slice(1),
    layout: {
      chunkRows: chunks[0],
      chunkColumns: Math.min(columns, chunks[1] * inner),
      prefers: chunks[0] >= rows ? "columns" : chunks[1] >= shape[1] ? "rows" : "columns",
      bytesEach,
      memoryEach: 8 + bytesEach,
    },
    readColumns: (span, room) => read({ start: 0, end: rows }, span, room),
    readRows: (span, room) => read(span, { start: 0, end: columns }, room),
    absentChunks: () => absent,
  };
}

interface OpenZarr {
  readonly array: ZarrArray<DataType>;
  readonly where: string;
  /** Columns of one place of the second index. */
  readonly inner: number;
}

/** Goes through the chunks that hold any of the cells, and copies those. */
async function readCells(
  { array, where, inner }: OpenZarr,
  rows: BlockSpan,
  columns: BlockSpan,
  room: BlockRoom,
): Promise<{ data: Float64Array; rows: number; cols: number }> {
  const { shape, chunks } = array;
  const n = rows.end - rows.start;
  const p = columns.end - columns.start;
  const data = room.float64(n * p);
  const first = [rows.start, Math.floor(columns.start / inner), ...shape.slice(2).map(() => 0)];
  const last = [
    rows.end - 1,
    Math.floor((columns.end - 1) / inner),
    ...shape.slice(2).map((size) => size - 1),
  ];
  const from = first.map((index, d) => Math.floor(index / chunks[d]));
  const to = last.map((index, d) => Math.floor(index / chunks[d]));
  for (const place of places(from, to)) {
    const chunk = await decoding(`${where}: chunk ${place.join("/")}`, "Zarr array", () =>
      array.getChunk(place),
    );
    const values = chunk.data as unknown as ArrayLike<number | bigint | boolean> & {
      get?: (i: number) => boolean;
    };
    const at = (i: number): number => Number(values.get ? values.get(i) : values[i]);
    copyChunk(data, { rows, columns }, { place, shape, chunks, stride: chunk.stride }, at);
  }
  return { data, rows: n, cols: p };
}

interface ChunkPlace {
  readonly place: readonly number[];
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly stride: readonly number[];
}

function copyChunk(
  out: Float64Array,
  { rows, columns }: { readonly rows: BlockSpan; readonly columns: BlockSpan },
  { place, shape, chunks, stride }: ChunkPlace,
  at: (index: number) => number,
): void {
  const begin = place.map((index, d) => index * chunks[d]);
  const end = begin.map((index, d) => Math.min(shape[d], index + chunks[d]));
  const p = columns.end - columns.start;
  const walk = (d: number, column: number, offset: number, row: number): void => {
    if (d === shape.length) {
      if (column >= columns.start && column < columns.end)
        out[row * p + column - columns.start] = at(offset);
      return;
    }
    // The last index in a loop of its own: nearly all of the work.
    if (d === shape.length - 1) {
      const start = Math.max(begin[d], columns.start - column * shape[d]);
      const stop = Math.min(end[d], columns.end - column * shape[d]);
      const base = row * p - columns.start + column * shape[d];
      for (let i = start; i < stop; i++) out[base + i] = at(offset + (i - begin[d]) * stride[d]);
      return;
    }
    for (let i = begin[d]; i < end[d]; i++)
      walk(d + 1, column * shape[d] + i, offset + (i - begin[d]) * stride[d], row);
  };
  for (let i = Math.max(begin[0], rows.start); i < Math.min(end[0], rows.end); i++)
    walk(1, 0, (i - begin[0]) * stride[0], i - rows.start);
}

/** All index tuples from `from` to `to`, both included. */
function* places(from: readonly number[], to: readonly number[]): Generator<number[]> {
  const index = [...from];
  for (;;) {
    yield [...index];
    let d = index.length - 1;
    while (d >= 0 && index[d] === to[d]) index[d] = from[d--];
    if (d < 0) return;
    index[d]++;
  }
}
