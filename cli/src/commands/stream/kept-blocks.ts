import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { KeptBlocks } from "@ratewise/core/stream";

export interface BlockFolder extends KeptBlocks {
  /** How many blocks are kept. */
  readonly count: () => number;
  readonly has: (id: string) => boolean;
  /** Where the file of a name lies. */
  readonly path: (id: string) => string;
  readonly discard: () => Promise<void>;
}

/**
 * Finished blocks in a hidden folder beside `out`, each with its own hash before it, so that one that is not whole is made again, under the hash of everything they depend on but the numbers of X
 * themselves: a repaired file is the same data. A run that fails or is stopped leaves them, and `resume` takes them up; a run without it drops them, and says so.
 */
export async function blockFolder(
  out: string,
  identity: string,
  resume: boolean,
  say: (line: string) => void = () => {},
): Promise<BlockFolder> {
  const target = resolve(out);
  const above = join(dirname(target), `.${basename(target)}.ratewise-blocks`);
  // Not every file system has names with colons.
  const folder = join(above, identity.replaceAll(":", "-"));
  if (!resume && existsSync(above)) {
    say(
      "ratewise: deleted what an earlier run had finished; --resume would have continued from there",
    );
    await rm(above, { recursive: true, force: true });
  }
  return {
    async get(id) {
      try {
        const bytes = await readFile(join(folder, id));
        const content = bytes.subarray(DIGEST_BYTES);
        if (content.length % 8 !== 0) return null;
        if (!bytes.subarray(0, DIGEST_BYTES).equals(digest(content))) return null;
        const numbers = new Float64Array(content.length / 8);
        new Uint8Array(numbers.buffer).set(content);
        return numbers;
      } catch {
        return null;
      }
    },
    async put(id, numbers) {
      await mkdir(folder, { recursive: true });
      const temporary = join(folder, `${id}.tmp`);
      const content = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      await writeFile(temporary, [digest(content), content]);
      await rename(temporary, join(folder, id));
    },
    count() {
      try {
        return readdirSync(folder).filter((name) => !name.endsWith(".tmp")).length;
      } catch {
        return 0;
      }
    },
    has: (id) => existsSync(join(folder, id)),
    path: (id) => join(folder, id),
    discard: () => rm(above, { recursive: true, force: true }),
  };
}

const DIGEST_BYTES = 32;

function digest(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
