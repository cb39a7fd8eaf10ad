import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blobName } from "./names.ts";
import type { Store } from "./store.ts";

export interface BlobCacheOptions {
  /** Bytes kept in memory, default 1 GiB. */
  readonly memory?: number;
  /** A folder on this machine's own disk where arrays are kept too; default: none. */
  readonly folder?: string;
  /** Told once when the folder cannot be written. */
  readonly onFull?: (error: Error) => void;
}

const MEMORY = 2 ** 30;

/** Large arrays of payloads, fetched once a process (and once a machine with a folder). What cannot be kept is fetched again: no answer depends on it. */
export function blobCache(
  store: Store,
  { memory = MEMORY, folder, onFull }: BlobCacheOptions = {},
): (hash: string) => Promise<Uint8Array | undefined> {
  const kept = new Map<string, Uint8Array>();
  let held = 0;
  let full = false;

  const keep = (hash: string, bytes: Uint8Array): void => {
    if (bytes.length > memory) return;
    kept.set(hash, bytes);
    held += bytes.length;
    for (const [oldest, old] of kept) {
      if (held <= memory) break;
      kept.delete(oldest);
      held -= old.length;
    }
  };

  const fromFolder = async (hash: string): Promise<Uint8Array | undefined> => {
    if (folder === undefined) return undefined;
    const bytes = await readFile(join(folder, hash)).catch(() => undefined);
    return bytes && createHash("sha256").update(bytes).digest("hex") === hash ? bytes : undefined;
  };

  const toFolder = async (hash: string, bytes: Uint8Array): Promise<void> => {
    if (folder === undefined || full) return;
    const temporary = join(folder, `.${hash}.${process.pid}.tmp`);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(temporary, bytes);
      await rename(temporary, join(folder, hash));
    } catch (error) {
      full = true;
      await rm(temporary, { force: true }).catch(() => {});
      onFull?.(error as Error);
    }
  };

  return async (hash) => {
    const known = kept.get(hash);
    if (known) {
      // The newest last: what was used longest ago goes first.
      kept.delete(hash);
      kept.set(hash, known);
      return known;
    }
    let bytes = await fromFolder(hash);
    if (!bytes) {
      bytes = await store.get(blobName(hash));
      if (bytes) await toFolder(hash, bytes);
    }
    if (bytes) keep(hash, bytes);
    return bytes;
  };
}
