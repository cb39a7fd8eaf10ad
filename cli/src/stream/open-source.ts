import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type BlockSource,
  bedSource,
  cellNames,
  npySource,
  type OpenBytes,
  openFile,
  parseFam,
  RatewiseError,
  type Sample,
} from "@ratewise/core";
import { parquetSource, within, zarrSource } from "@ratewise/files";
import type { Io } from "../io.ts";
import { decodeText } from "../posterior/from-json.ts";
import { readBytes } from "../posterior/read.ts";
import { readNames } from "../posterior/variable-files.ts";
import { bimNames } from "./bim-names.ts";

/** X as it lies in its file, opened. */
export interface OpenedSource {
  readonly source: BlockSource;
  /** Of genotypes: who they are of. */
  readonly samples: readonly Sample[] | null;
  /** Of Parquet: the column that was left out of X as the response. */
  readonly response: Float64Array | null;
  /** What to say about the reading once it is over. */
  readonly notes: () => readonly string[];
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  /** Of Parquet: the column that is the response. */
  readonly target?: string | undefined;
  /** A file with a name a column. */
  readonly names?: string | undefined;
}

const NOTHING = () => [];

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
  if (size === 0) throw new RatewiseError("file", `${path}: the file is empty`, { path });
  const bytes = await openFile(path);
  const close = () => bytes.close();
  try {
    if (/\.bed$/i.test(path)) {
      const { source, samples } = await openBed(path, bytes, names, io);
      return { source, samples, response: null, notes: NOTHING, close };
    }
    if (/\.(parquet|pq)$/i.test(path)) {
      const { target } = options;
      const source = await parquetSource(bytes, {
        where: path,
        ...(target !== undefined && { exclude: [target] }),
      });
      const response = target === undefined ? null : await source.readColumn(target);
      return { source: named(source, names), samples: null, response, notes: NOTHING, close };
    }
    if (/\.npy$/i.test(path)) {
      const source = await naming(path, () => npySource(bytes, { where: path }));
      return { source: named(source, names), samples: null, response: null, notes: NOTHING, close };
    }
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  throw new RatewiseError(
    "usage",
    `stream: needs a .bed, .npy or .parquet file or a Zarr folder, got "${path}"`,
  );
}

/** Places of pixels as names where nobody gave others. */
function named<Source extends BlockSource>(
  source: Source,
  names: readonly string[] | undefined,
): Source {
  if (names && names.length !== source.columns)
    throw new RatewiseError(
      "shape",
      `${source.where}: needs ${source.columns} names, got ${names.length}`,
    );
  const own = source.names ?? (source.rowShape.length > 1 ? cellNames(source.rowShape) : null);
  return { ...source, names: names ?? own };
}

async function openBed(
  path: string,
  bytes: OpenBytes,
  names: readonly string[] | undefined,
  io: Io,
) {
  const beside = (ending: string): string => path.replace(/\.bed$/i, ending);
  const text = async (ending: string): Promise<string> => {
    const { bytes: content } = await readBytes(beside(ending), io);
    return within(beside(ending), () => decodeText(content));
  };
  const samples = parseFam(await text(".fam"), beside(".fam"));
  const own = bimNames(await text(".bim"), beside(".bim"));
  const source = await bedSource(bytes, {
    where: path,
    samples: samples.length,
    snps: own.length,
    names: own,
  });
  return { source: named(source, names), samples };
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
    source: named(source, names),
    samples: null,
    response: null,
    notes: () => {
      const absent = source.absentChunks();
      return absent === 0
        ? []
        : [`${path}: ${absent} chunks are not in the store and count as its fill value`];
    },
    close: async () => {},
  };
}

/** Errors of the format name the file. */
async function naming<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RatewiseError) || error.message.startsWith(path)) throw error;
    const message = `${path}: ${error.message.replace(/^[a-z]+[A-Z][A-Za-z]*: /, "")}`;
    throw new RatewiseError(error.code, message, { ...error.details }, { cause: error });
  }
}
