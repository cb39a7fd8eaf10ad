import type { RunOptions, Table } from "@ratewise/core";
import { readTableFile as readFrom, type TableFile } from "@ratewise/files";
import type { Io } from "../io.ts";
import { readNames } from "./variable-files.ts";

export interface ReadTableOptions extends RunOptions {
  /** Columns to read as categories even when they hold numbers. */
  readonly categories?: ReadonlySet<string>;
  /** Text only: decimals are written with a comma. */
  readonly decimalComma?: boolean;
  /** Arrays and LIBSVM only: a file with one name per column. */
  readonly names?: string;
  /** .npz only: the array to take as a column beside X. */
  readonly target?: string;
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
  { names, ...options }: ReadTableOptions = {},
): Promise<TableFile> {
  return readFrom(path, io, {
    ...options,
    ...(names !== undefined && { names: (await readNames(names, io)).names }),
    onIgnored: (name) => io.err(`ratewise: ${path}: the array "${name}" is not used`),
  });
}
