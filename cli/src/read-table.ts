import { RatewiseError, type RunOptions, type Table } from "@ratewise/core";
import { readCsv } from "@ratewise/files";
import type { Io } from "./io.ts";

const DELIMITED = /\.(csv|tsv|tab|txt)$/i;

/** The table in a file, by the ending of its name. */
export async function readTable(
  path: string,
  io: Io,
  run: RunOptions & { readonly categories?: ReadonlySet<string> } = {},
): Promise<Table> {
  if (!DELIMITED.test(path))
    throw new RatewiseError(
      "file",
      `${path}: the ending says nothing about the format; needs .csv, .tsv or .txt`,
      { path },
    );
  const { bytes, chunks } = await io.openFile(path);
  return readCsv(chunks, { ...run, where: path, bytes });
}
