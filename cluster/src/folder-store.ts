import { randomBytes } from "node:crypto";
import { access, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { checkName, type Store } from "./store.ts";

/**
 * A folder that all machines see under the same path. A file is written beside its place under another name, synced, and renamed: the
 * rename is atomic on local disks and on NFS.
 */
export function folderStore(folder: string): Store {
  const root = resolve(folder);
  const pathOf = (name: string): string => join(root, checkName(name));
  const orNothing = async <T>(reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw unusable(root, "read", error as Error);
    }
  };
  return {
    location: root,
    get: (name) => orNothing(readFile(pathOf(name))),
    has: async (name) => (await orNothing(access(pathOf(name)).then(() => true))) ?? false,
    async put(name, bytes, { durable = true } = {}) {
      const path = pathOf(name);
      const temporary = join(dirname(path), `.${randomBytes(9).toString("hex")}.tmp`);
      const write = async (): Promise<void> => {
        const handle = await open(temporary, "wx");
        try {
          await handle.writeFile(bytes);
          if (durable) await handle.sync();
        } finally {
          await handle.close();
        }
      };
      try {
        await write().catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
          await mkdir(dirname(path), { recursive: true });
          await write();
        });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw unusable(root, "written", error as Error);
      }
    },
    async list(below) {
      const names = await orNothing(
        readdir(pathOf(below), { recursive: true, withFileTypes: true }),
      );
      return (names ?? [])
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .sort();
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

function unusable(root: string, what: "read" | "written", cause: Error): RatewiseError {
  return new RatewiseError("file", {
    at: "store",
    what: `${root} cannot be ${what} (${cause.message})`,
    store: root,
    cause,
  });
}
