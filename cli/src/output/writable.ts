import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { withReason } from "@ratewise/files";

/**
 * Throws unless a folder can be made in `folder`, or in the nearest one above it that is there. It is tried: what a file system says of
 * permissions is not what it does (`/proc`, a disk that is full).
 *
 * @param named what to call it in the message
 */
export async function checkWritable(folder: string, named: string = folder): Promise<void> {
  let nearest = resolve(folder);
  while (nearest !== dirname(nearest) && !(await stat(nearest).catch(() => null)))
    nearest = dirname(nearest);
  await withReason(named, async () => {
    try {
      await rmdir(await mkdtemp(join(nearest, ".ratewise-")));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Of a folder that is there it would say nothing: the others have reasons.
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
      throw new RatewiseError("file", {
        at: named,
        what: "cannot be written",
        advice: "choose another place",
        path: named,
      });
    }
  });
}
