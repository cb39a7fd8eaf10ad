import { type Column, RatewiseError, type RunOptions, type Table, table } from "@ratewise/core";
import {
  type CategoryColumn,
  denseColumns,
  type GeneticVariant,
  parseLibsvm,
  type Sample,
} from "@ratewise/core/data";
import { nameOf, refuseUnknown } from "@ratewise/core/errors";
import { readCsv } from "../csv.ts";
import { decodeText } from "../decode-text.ts";
import { disk, type FileAccess, filesInMemory, readBytes } from "../file-access.ts";
import { gunzipPieces } from "../gzip.ts";
import { readParquet } from "../parquet.ts";
import { within } from "../within.ts";
import { formatOfBytes, formatOfName, type TableFormat, UNNAMED } from "./format.ts";
import { tableOfArray, tableOfNpz } from "./from-arrays.ts";
import { readPlink } from "./from-plink.ts";

export interface ReadTableOptions extends RunOptions {
  /** Columns to read as categories even when they hold numbers. */
  readonly categories?: ReadonlySet<string> | readonly string[];
  /** Text only: decimals are written with a comma. */
  readonly decimalComma?: boolean;
  /** Arrays and LIBSVM only: one name per column. */
  readonly names?: readonly string[];
  /** .npz only: the array to take as a column beside X. */
  readonly target?: string;
}

const known: Readonly<Record<keyof ReadTableOptions, true>> = {
  categories: true,
  decimalComma: true,
  names: true,
  target: true,
  signal: true,
  onProgress: true,
};

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

/**
 * The table in a file, or in bytes: CSV and other delimited text, Parquet, NPY, NPZ, LIBSVM, IDX, PLINK .bed with .bim and
 * .fam beside it; text may be gzipped. The ending of the name tells the format, or else the first bytes do.
 *
 * @example
 * ```js
 * import { readTable } from "@ratewise/files";
 *
 * const { rows, columns } = await readTable("flats.csv");
 * console.log(rows, columns.map(({ name }) => name).join(" ")); // → 1000 area rooms age tram price
 * ```
 */
export async function readTable(
  source: string | Uint8Array,
  options: ReadTableOptions = {},
): Promise<Table> {
  const where = "readTable";
  refuseUnknown(where, options, known);
  if (typeof source !== "string" && !(source instanceof Uint8Array))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs the path of a file, or its bytes as a Uint8Array, got ${nameOf(source)}`,
    });
  needList(where, "categories", options.categories);
  needList(where, "names", options.names);
  const file =
    typeof source === "string"
      ? await readTableFile(source, disk, options)
      : await readTableFile(UNNAMED, filesInMemory(source), options);
  return file.table;
}

/** A text is a list of letters to JavaScript, and would be read as one. */
function needList(where: string, option: keyof ReadTableOptions, value: unknown): void {
  if (value === undefined || Array.isArray(value) || value instanceof Set) return;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs ${option} as a list of names, got ${nameOf(value)}`,
    option,
  });
}

export interface ReadTableFileOptions extends ReadTableOptions {
  /** Hears the name of an array that is not part of the table. */
  readonly onIgnored?: (name: string) => void;
}

/** As {@link readTable}, from wherever the files lie, with what the file says besides. */
export async function readTableFile(
  path: string,
  files: FileAccess,
  options: ReadTableFileOptions = {},
): Promise<TableFile> {
  refuseUnknown("readTableFile", options, { ...known, onIgnored: true });
  const categories = new Set(options.categories);
  const named = formatOfName(path);
  if (named === "text")
    return { table: await readText(path, files, { ...options, categories }), format: named };
  const checkSize = (rows: number, columns: number): void =>
    checkMemory(path, rows * columns * 8, files);
  if (named === "plink") {
    const { onProgress } = options;
    const data = await readPlink(path, files, checkSize, (done, total) =>
      onProgress?.({ phase: "read", done, total }),
    );
    return { table: data.table, format: named, genotypes: data };
  }
  const { bytes } = await readBytes(path, files);
  const format = named ?? formatOfBytes(path, bytes);
  const { names } = options;
  const read = async (): Promise<TableFile> => {
    switch (format) {
      case "text": {
        const { chunks } = await filesInMemory(bytes).openFile(path);
        const where = path === "-" ? "standard input" : path;
        return { table: await readCsv(chunks, { ...options, categories, where }), format };
      }
      case "parquet":
        return {
          table: await readParquet(bytes, {
            ...options,
            categories,
            where: path,
            onSize: checkSize,
          }),
          format,
        };
      case "npy":
      case "idx":
        checkMemory(path, bytes.length, files);
        return { table: tableOfArray(path, bytes, format, names), format };
      case "npz": {
        const ignored = options.onIgnored ?? (() => {});
        return { table: tableOfNpz(path, bytes, options.target, names, ignored), format };
      }
      case "libsvm":
        return libsvmTable(path, bytes, names, checkSize);
      case "plink":
        throw new RatewiseError("file", {
          at: path,
          what: "genotypes need the extension .bed, with .bim and .fam beside it",
        });
      default:
        return format satisfies never;
    }
  };
  const file = await read();
  if (format === "text" || format === "parquet") return file;
  return { ...file, table: withCategories(file.table, categories) };
}

async function readText(
  path: string,
  files: FileAccess,
  options: ReadTableOptions & { readonly categories: ReadonlySet<string> },
): Promise<Table> {
  if (/\.b?gz$/i.test(path)) {
    const bytes = await files.readFile(path);
    return readCsv(inflated(path, bytes), { ...options, where: path });
  }
  const { bytes, chunks } = await files.openFile(path);
  // A number takes about as much text as memory, eight bytes.
  checkMemory(path, bytes, files);
  return readCsv(chunks, { ...options, where: path, bytes });
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
function checkMemory(path: string, tableBytes: number, { memory }: FileAccess): void {
  if (2 * tableBytes <= memory) return;
  const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toPrecision(2)} GiB`;
  throw new RatewiseError("memory", {
    at: path,
    what: `too big for memory: it needs about ${gigabytes(2 * tableBytes)}, this machine has ${gigabytes(memory)}`,
    advice: "take fewer rows or columns, or go through it in blocks (ratewise stream)",
    needed: 2 * tableBytes,
    memory,
  });
}

function libsvmTable(
  path: string,
  bytes: Uint8Array,
  names: readonly string[] | undefined,
  checkSize: (rows: number, columns: number) => void,
): TableFile {
  const { labels, X, base } = parseLibsvm(
    within(path, () => decodeText(bytes)),
    path,
  );
  checkSize(X.rows, X.cols);
  if (names && names.length < X.cols)
    throw new RatewiseError("shape", {
      at: path,
      what: `needs ${X.cols} names, got ${names.length}`,
    });
  const columns = denseColumns(X).map(
    (values, j): Column => ({ kind: "number", name: names?.[j] ?? `x${j + base}`, values }),
  );
  const target = "label";
  return {
    table: within(path, () =>
      table([...columns, { kind: "number", name: target, values: labels }]),
    ),
    format: "libsvm",
    target,
  };
}

/** Number columns that were asked for as categories, their values becoming names. */
function withCategories(source: Table, categories: ReadonlySet<string>): Table {
  if (categories.size === 0) return source;
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
