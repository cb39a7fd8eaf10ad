import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Column, RatewiseError } from "@ratewise/core";
import { parseFam, type Sample } from "@ratewise/core/data";
import {
  type BlockSource,
  bedSource,
  cellNames,
  npySource,
  type OpenBytes,
  openFile,
} from "@ratewise/core/stream";
import { parquetSource, readBesideBed, zarrSource } from "@ratewise/files";
import { readNames } from "../../input/variable-files.ts";
import type { Io } from "../../io.ts";
import { type BimVariants, bimVariants } from "./bim-variants.ts";

/** X as it lies in its file, opened. */
export interface OpenedSource {
  readonly source: BlockSource;
  /** Of genotypes: who they are of. */
  readonly samples: readonly Sample[] | null;
  /** Of genotypes: what they are of. */
  readonly variants: BimVariants | null;
  /** Of Parquet: the columns that were left out of X as the response and its covariates. */
  readonly response: Column | null;
  readonly covariates: readonly Column[];
  /** What to say about the reading once it is over. */
  readonly notes: () => readonly string[];
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  /** Of Parquet: the columns that are the response and its covariates, unless they are files. */
  readonly target?: string | undefined;
  readonly covariates?: string | undefined;
  /** A file with one name per column. */
  readonly names?: string | undefined;
}

/** What most formats know nothing of. */
const NOTHING = {
  ...{ samples: null, variants: null, response: null, covariates: [] },
  notes: () => [],
} as const;

/** Opens a .bed, .npy, .parquet file or a Zarr folder for reading in blocks. */
export async function openSource(
  path: string,
  options: OpenOptions,
  io: Io,
): Promise<OpenedSource> {
  const names =
    options.names === undefined ? undefined : (await readNames(options.names, io)).names;
  const status = await stat(path).catch(() => null);
  if (status?.isDirectory() || /\.zarr\/?$/i.test(path)) return openZarr(path, names);
  const { bytes: size } = await io.openFile(path); // says what is wrong with the name
  if (size === 0) throw new RatewiseError("file", { at: path, what: "the file is empty", path });
  const bytes = await openFile(path);
  const close = () => bytes.close();
  try {
    if (/\.bed$/i.test(path)) {
      return { ...NOTHING, ...(await openBed(path, bytes, names, io)), close };
    }
    if (/\.(parquet|pq)$/i.test(path)) {
      return { ...NOTHING, ...(await openParquet(path, bytes, options, names)), close };
    }
    if (/\.npy$/i.test(path)) {
      const source = await naming(path, () => npySource(bytes, { where: path }));
      return { ...NOTHING, source: named(source, names), close };
    }
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  throw new RatewiseError("usage", {
    at: "stream",
    what: `needs a .bed, .npy or .parquet file or a Zarr folder, got "${path}"`,
  });
}

/** Places of pixels as names where nobody gave others. */
function named<Source extends BlockSource>(
  source: Source,
  names: readonly string[] | undefined,
): Source {
  if (names && names.length !== source.columns)
    throw new RatewiseError("shape", {
      at: source.where,
      what: `needs ${source.columns} names, got ${names.length}`,
    });
  const own = source.names ?? (source.rowShape.length > 1 ? cellNames(source.rowShape) : null);
  return { ...source, names: names ?? own };
}

async function openBed(
  path: string,
  bytes: OpenBytes,
  names: readonly string[] | undefined,
  io: Io,
) {
  const fam = await readBesideBed(path, ".fam", io);
  const samples = parseFam(fam.text, fam.name);
  const bim = await readBesideBed(path, ".bim", io);
  const variants = bimVariants(bim.text, bim.name);
  const source = await bedSource(bytes, {
    where: path,
    samples: samples.length,
    snps: variants.names.length,
    names: variants.names,
  });
  return { source: named(source, names), samples, variants };
}

/** Whether an option's value is a file with a row for each of X, and no name of a column. */
export function isArrayFile(value: string): boolean {
  return /\.npy(\.gz)?$/i.test(value);
}

/** X without the columns that are named as the response and its covariates, and these. */
async function openParquet(
  path: string,
  bytes: OpenBytes,
  { target, covariates }: OpenOptions,
  names: readonly string[] | undefined,
) {
  const columnNames = (value: string | undefined): string[] =>
    value === undefined || isArrayFile(value) ? [] : value.split(",").map((name) => name.trim());
  const response = target === undefined || isArrayFile(target) ? [] : [target];
  const others = columnNames(covariates);
  if (others.some((name) => response.includes(name)))
    throw new RatewiseError("domain", {
      at: "--covariates",
      what: `"${target}" is the target itself`,
    });
  const source = await parquetSource(bytes, { where: path, exclude: [...response, ...others] });
  const column = async (name: string): Promise<Column> => ({
    ...{ kind: "number", name },
    values: await source.readColumn(name),
  });
  return {
    source: named(source, names),
    response: response.length === 0 ? null : await column(response[0]),
    covariates: await Promise.all(others.map(column)),
  };
}

async function openZarr(path: string, names: readonly string[] | undefined): Promise<OpenedSource> {
  const source = await zarrSource(
    async (key) => {
      const file = join(path, ...key.split("/"));
      const found = await stat(file).catch(() => null);
      if (!found?.isFile()) return undefined;
      // Opened for each piece: a store has as many files as chunks.
      return {
        size: found.size,
        readInto: async (into, at) => {
          const bytes = await openFile(file);
          try {
            await bytes.readInto(into, at);
          } finally {
            await bytes.close();
          }
        },
      };
    },
    { where: path },
  );
  return {
    ...NOTHING,
    source: named(source, names),
    notes: () => {
      const absent = source.absentChunks();
      return absent === 0
        ? []
        : [`${path}: ${absent} chunks are missing from the store and count as its fill value`];
    },
    close: async () => {},
  };
}

/** Errors of the format name the file. */
async function naming<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RatewiseError) || error.parts.at !== undefined) throw error;
    throw error.within(path);
  }
}
