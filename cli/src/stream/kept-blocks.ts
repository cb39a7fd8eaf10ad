import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { KeptBlocks } from "@ratewise/core";

export interface BlockFolder extends KeptBlocks {
  /** How many blocks are kept. */
  readonly count: () => Promise<number>;
  readonly discard: () => Promise<void>;
}

/**
 * Finished blocks in a hidden folder beside `out`, each whole or not at all, under the hash of everything they depend on but the numbers of X
 * themselves: a repaired file is the same data. A run that fails or is stopped leaves them, and `resume` takes them up.
 */
export async function blockFolder(
  out: string,
  identity: string,
  resume: boolean,
): Promise<BlockFolder> {
  const target = resolve(out);
  const above = join(dirname(target), `.${basename(target)}.ratewise-blocks`);
  const folder = join(above, identity);
  if (!resume) await rm(above, { recursive: true, force: true });
  return {
    async get(id) {
      try {
        const bytes = await readFile(join(folder, id));
        if (bytes.length % 8 !== 0) return null;
        const numbers = new Float64Array(bytes.length / 8);
        new Uint8Array(numbers.buffer).set(bytes);
        return numbers;
      } catch {
        return null;
      }
    },
    async put(id, numbers) {
      await mkdir(folder, { recursive: true });
      const temporary = join(folder, `${id}.tmp`);
      await writeFile(
        temporary,
        new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
      );
      await rename(temporary, join(folder, id));
    },
    async count() {
      const names = await readdir(folder).catch(() => [] as string[]);
      return names.filter((name) => !name.endsWith(".tmp")).length;
    },
    discard: () => rm(above, { recursive: true, force: true }),
  };
}
