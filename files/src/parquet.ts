import { type Column, RatewiseError, type RunOptions, type Table, table } from "@ratewise/core";
import type { CategoryColumn } from "@ratewise/core/data";
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { decoding } from "./decoding.ts";
import { checkPages } from "./parquet-check.ts";

export interface ParquetOptions extends RunOptions {
  /** The file's name, for messages. */
  readonly where: string;
  /** Columns to read as categories even when they hold numbers. */
  readonly categories?: ReadonlySet<string>;
  /** Called with the table's size before it is read; may throw. */
  readonly onSize?: (rows: number, columns: number) => void;
}

/** What a file claims to hold may not be allocated on its word alone beyond this. */
const MOST_CELLS = 2 ** 32;

/**
 * Reads a Parquet file: numbers as numbers, texts and booleans as categories, dates as ISO texts (which no model
 * takes for numbers), nested values as JSON texts. One column at a time: memory is the table and a column.
 * Compressed by Snappy, gzip, Zstandard, LZ4 or Brotli.
 */
export async function readParquet(bytes: Uint8Array, options: ParquetOptions): Promise<Table> {
  const { where, categories, signal, onProgress } = options;
  const file: AsyncBuffer = {
    byteLength: bytes.length,
    slice: (start, end) => bytes.slice(start, end).buffer as ArrayBuffer,
  };
  const metadata = await decoding(where, "Parquet file", () => readMetadata(file));
  const names = await decoding(where, "Parquet file", async () =>
    parquetSchema(metadata).children.map(({ element }) => element.name),
  );
  const rows = Number(metadata.num_rows);
  if (names.length === 0 || rows === 0)
    throw new RatewiseError("parse", {
      at: where,
      what: `there are ${names.length} columns but no rows`,
    });
  options.onSize?.(rows, names.length);
  await decoding(where, "Parquet file", async () => checkPages(bytes, metadata, compressors));
  if (!(rows * names.length < MOST_CELLS))
    throw new RatewiseError("memory", {
      at: where,
      what: `${rows} rows × ${names.length} columns are too many`,
    });
  const columns: Column[] = [];
  for (const name of names) {
    signal?.throwIfAborted();
    const parts: Part[] = [];
    await decoding(`${where}: column "${name}"`, "Parquet file", () =>
      parquetRead({
        file,
        metadata,
        columns: [name],
        compressors,
        onChunk: ({ columnData, rowStart }) =>
          void parts.push({ values: columnData, at: rowStart }),
      }),
    );
    columns.push(columnOf(where, name, parts, rows, categories?.has(name) ?? false));
    onProgress?.({ phase: "read", done: columns.length, total: names.length });
  }
  return table(columns);
}

interface Part {
  readonly values: ArrayLike<unknown>;
  readonly at: number;
}

async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  if (file.byteLength < 12) throw new Error(`${file.byteLength} bytes are too few`);
  return parquetMetadataAsync(file);
}

function columnOf(
  where: string,
  name: string,
  parts: readonly Part[],
  rows: number,
  asCategory: boolean,
): Column {
  const covered = parts.reduce((count, { values }) => count + values.length, 0);
  if (covered !== rows || parts.some(({ values, at }) => !(at >= 0 && at + values.length <= rows)))
    throw new RatewiseError("parse", {
      at: where,
      what: `column "${name}": needs ${rows} values, got ${covered}`,
      advice: "the file is damaged",
    });
  const numeric = !asCategory && parts.every(({ values }) => isNumeric(values));
  if (!numeric) return categoriesOf(name, parts, rows);
  const numbers = new Float64Array(rows);
  for (const { values, at } of parts)
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      const number = value === null || value === undefined ? Number.NaN : Number(value);
      if (Math.abs(number) === Number.POSITIVE_INFINITY)
        throw new RatewiseError("domain", {
          at: `${where}, row ${at + i + 1}`,
          what: `column "${name}" holds ${number}`,
          advice: "only finite numbers can be used",
          row: at + i + 1,
          column: name,
        });
      numbers[at + i] = number;
    }
  return { kind: "number", name, values: numbers };
}

function isNumeric(values: ArrayLike<unknown>): boolean {
  if (ArrayBuffer.isView(values)) return true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    if (typeof value !== "number" && typeof value !== "bigint") return false;
  }
  return true;
}

function categoriesOf(name: string, parts: readonly Part[], rows: number): CategoryColumn {
  const levels = new Map<string, number>();
  const codes = new Int32Array(rows).fill(-1);
  for (const { values, at } of parts)
    for (let i = 0; i < values.length; i++) {
      const text = textOf(values[i]);
      if (text === undefined) continue;
      const code = levels.get(text) ?? levels.size;
      if (code === levels.size) levels.set(text, code);
      codes[at + i] = code;
    }
  return { kind: "category", name, levels: [...levels.keys()], codes };
}

/** A value as a level's name; undefined where it is missing. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return undefined;
    return value.toISOString().replace("T00:00:00.000Z", "");
  }
  if (typeof value !== "object") return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
}
