import { type Column, RatewiseError, type RunOptions, type Table, table } from "@ratewise/core";
import {
  type CategoryColumn,
  denseColumns,
  type GeneticVariant,
  parseLibsvm,
  type Sample,
} from "@ratewise/core/data";
import { gunzipPieces, readCsv, readParquet, within } from "@ratewise/files";
import type { Io } from "../io.ts";
import { decodeText } from "./from-json.ts";
import { readBytes } from "./read.ts";
import { formatOfBytes, formatOfName, type TableFormat } from "./tables/format.ts";
import { tableOfArray, tableOfNpz } from "./tables/from-arrays.ts";
import { readPlink } from "./tables/from-plink.ts";
import { readNames } from "./variable-files.ts";

export interface ReadTableOptions extends RunOptions {
  /** Columns to read as categories even when they hold numbers. */
  readonly categories?: ReadonlySet<string>;
  /** Of text: decimals are written with a comma. */
  readonly decimalComma?: boolean;
  /** Of arrays and LIBSVM: a file with a name a column. */
  readonly names?: string;
  /** Of .npz: the array to take as a column beside X. */
  readonly target?: string;
}

/** A table, and what its kind of file knows besides. */
export interface TableFile {
  readonly table: Table;
  readonly format: TableFormat;
  /** The response where the file itself says which that is. */
  readonly target?: string;
  readonly genotypes?: {
    readonly samples: readonly Sample[];
    readonly variants: readonly GeneticVariant[];
  };
}

/** The table in a file, by the ending of its name or else by its first bytes; `-` is standard input. */
export async function readTable(
  path: string,
  io: Io,
  options: ReadTableOptions = {},
): Promise<Table> {
  return (await readTableFile(path, io, options)).table;
}

/** As {@link readTable}, with what the file says besides. */
export async function readTableFile(
  path: string,
  io: Io,
  options: ReadTableOptions = {},
): Promise<TableFile> {
  const named = path === "-" ? undefined : formatOfName(path);
  if (named === "text") return { table: await readText(path, io, options), format: named };
  const checkSize = (rows: number, columns: number): void =>
    checkMemory(path, rows * columns * 8, io);
  if (named === "plink") {
    const { onProgress } = options;
    const data = await readPlink(path, io, checkSize, (done, total) =>
      onProgress?.({ phase: "read", done, total }),
    );
    return { table: data.table, format: named, genotypes: data };
  }
  const { bytes } = await readBytes(path, io);
  const format = named ?? formatOfBytes(path, bytes);
  const names = options.names === undefined ? undefined : await readNames(options.names, io);
  const read = async (): Promise<TableFile> => {
    switch (format) {
      case "text": {
        const chunks = piecesOf([bytes]);
        return { table: await readCsv(chunks, { ...options, where: "standard input" }), format };
      }
      case "parquet":
        return {
          table: await readParquet(bytes, { ...options, where: path, onSize: checkSize }),
          format,
        };
      case "npy":
      case "idx":
        checkMemory(path, bytes.length, io);
        return { table: tableOfArray(path, bytes, format, names?.names), format };
      case "npz": {
        const ignored = (name: string): void =>
          io.err(`ratewise: ${path}: the array "${name}" is not used`);
        return { table: tableOfNpz(path, bytes, options.target, names?.names, ignored), format };
      }
      case "libsvm":
        return libsvmTable(path, bytes, names?.names, checkSize);
      case "plink":
        throw new RatewiseError(
          "file",
          `${path}: genotypes need the ending .bed, and .bim and .fam beside it`,
        );
      default:
        return format satisfies never;
    }
  };
  const file = await read();
  if (format === "text" || format === "parquet") return file;
  return { ...file, table: withCategories(file.table, options.categories) };
}

async function readText(path: string, io: Io, options: ReadTableOptions): Promise<Table> {
  if (/\.b?gz$/i.test(path)) {
    const bytes = await io.readFile(path);
    return readCsv(inflated(path, bytes), { ...options, where: path });
  }
  const { bytes, chunks } = await io.openFile(path);
  // A number takes about as much text as memory, eight bytes.
  checkMemory(path, bytes, io);
  return readCsv(chunks, { ...options, where: path, bytes });
}

async function* piecesOf(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield piece;
}

async function* inflated(path: string, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const pieces = gunzipPieces(bytes);
  for (;;) {
    const next = within(path, () => pieces.next());
    if (next.done) return;
    yield next.value;
  }
}

/** A table is held once in double precision and once, encoded, in single: twice its size is the least. */
function checkMemory(path: string, tableBytes: number, io: Io): void {
  if (2 * tableBytes <= io.memory) return;
  const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toPrecision(2)} GiB`;
  throw new RatewiseError(
    "memory",
    `${path}: too big for memory: it needs about ${gigabytes(2 * tableBytes)}, this machine has ${gigabytes(io.memory)}; take fewer rows or columns, or go through it in blocks (ratewise stream)`,
    { needed: 2 * tableBytes, memory: io.memory },
  );
}

function libsvmTable(
  path: string,
  bytes: Uint8Array,
  names: readonly string[] | undefined,
  checkSize: (rows: number, columns: number) => void,
): TableFile {
  const rows = parseLibsvm(
    within(path, () => decodeText(bytes)),
    path,
  );
  checkSize(rows.labels.length, rows.columns);
  if (names && names.length < rows.columns)
    throw new RatewiseError("shape", `${path}: needs ${rows.columns} names, got ${names.length}`);
  const columns = denseColumns(rows).map(
    (values, j): Column => ({ kind: "number", name: names?.[j] ?? `x${j + rows.base}`, values }),
  );
  const target = "label";
  return {
    table: within(path, () =>
      table([...columns, { kind: "number", name: target, values: rows.labels }]),
    ),
    format: "libsvm",
    target,
  };
}

/** Number columns that were asked for as categories, their values becoming names. */
function withCategories(source: Table, categories: ReadonlySet<string> | undefined): Table {
  if (!categories || categories.size === 0) return source;
  const columns = source.columns.map((column): Column => {
    if (column.kind === "category" || !categories.has(column.name)) return column;
    const levels = new Map<number, number>();
    const codes = Int32Array.from(column.values, (value) => {
      if (Number.isNaN(value)) return -1;
      if (!levels.has(value)) levels.set(value, levels.size);
      return levels.get(value)!;
    });
    const category: CategoryColumn = {
      kind: "category",
      name: column.name,
      levels: [...levels.keys()].map(String),
      codes,
    };
    return category;
  });
  return { rows: source.rows, columns };
}
