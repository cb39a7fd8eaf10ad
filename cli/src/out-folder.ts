import type { Io } from "./io.ts";

/** Before the work of a command with `--out`: refuses a folder of somebody's files, and says so where an earlier result goes. */
export async function checkOut(io: Io, out: string, force = false): Promise<void> {
  if (await io.checkFolder(out, force))
    io.err(
      `ratewise: ${out.replace(/\/+$/, "")} holds an earlier result; this run will replace it`,
    );
}
