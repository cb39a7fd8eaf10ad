import type { RunOptions, Table } from "@ratewise/core";
import { formatOfName } from "@ratewise/files";
import type { Io } from "../io.ts";
import { type DataValues, readOptions } from "../options/data-options.ts";
import { usageError } from "../options/options.ts";
import { readTable } from "./read-table.ts";

/** Says so before a file is opened when the rows to test on could not hold the response. */
export function checkTest(
  command: string,
  { target, test }: DataValues & { readonly test?: string },
): void {
  if (test === undefined || target === undefined) return;
  const format = formatOfName(target);
  if (format === "npy" || format === "idx")
    throw usageError(
      command,
      "--test needs a target that is a column of both files; put arrays into an .npz, or remove --test",
    );
}

/** The rows to test on, read as the table to learn from was: what is text there is text here. */
export async function readTestTable(
  path: string,
  { columns }: Table,
  values: DataValues,
  io: Io,
  run: RunOptions,
): Promise<Table> {
  const texts = columns.filter(({ kind }) => kind === "category").map(({ name }) => name);
  const options = readOptions(values);
  return readTable(path, io, {
    ...run,
    ...options,
    categories: new Set([...(options?.categories ?? []), ...texts]),
  });
}
