import type { Io } from "../io.ts";
import type { FolderFile } from "./atomic-folder.ts";

/** Writes a result, all files or none, and says so where it took the place of an earlier one. */
export async function writeResult(io: Io, out: string, files: Iterable<FolderFile>): Promise<void> {
  if (await io.writeFolder(out, files))
    io.err(`ratewise: replaced the earlier result in ${out.replace(/\/+$/, "")}`);
}
