import { rmSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { RatewiseError } from "@ratewise/core";

/** A file of a result folder: its path inside the folder and what it holds. */
export interface FolderFile {
  readonly path: string;
  readonly pieces: Iterable<string | Uint8Array>;
}

/** The file whose presence says that a folder is ours to replace. */
const MARK = "result.json";

/** Throws, before the work begins, when the folder holds somebody's files and may not be replaced. */
export async function checkFolder(folder: string, force: boolean): Promise<void> {
  const parent = dirname(resolve(folder));
  const status = await stat(folder).catch(() => null);
  if (!status) {
    const above = await stat(parent).catch(() => null);
    if (!above?.isDirectory())
      throw new RatewiseError("file", `${folder}: there is no folder ${parent}; make it first`);
    return;
  }
  if (!status.isDirectory())
    throw new RatewiseError("file", `${folder}: needs a folder, got a file of that name`);
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.includes(MARK) && !force)
    throw new RatewiseError(
      "file",
      `${folder}: the folder is not empty and holds no ${MARK} of ours; choose another, or replace it with --force`,
    );
}

/**
 * Writes all files into a new folder beside the target and renames it at the end, so that whoever
 * looks sees the old folder or the whole new one. What fails or is interrupted leaves nothing.
 */
export async function writeFolder(folder: string, files: Iterable<FolderFile>): Promise<void> {
  const target = resolve(folder);
  const temporary = await mkdtemp(join(dirname(target), `.${basename(target)}.`));
  const clear = (): void => rmSync(temporary, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals): void => {
    clear();
    process.removeListener(signal, interrupted);
    process.kill(process.pid, signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupted);
  try {
    for (const file of files) await writeFile(join(temporary, file.path), file.pieces);
    await replace(target, temporary);
  } catch (error) {
    clear();
    throw error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupted);
  }
}

async function writeFile(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, "wx");
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts `temporary` where `target` is; the old folder is set aside until the new one is in place. */
async function replace(target: string, temporary: string): Promise<void> {
  const exists = await stat(target).catch(() => null);
  if (!exists) return rename(temporary, target);
  const aside = `${temporary}.old`;
  await rename(target, aside);
  try {
    await rename(temporary, target);
  } catch (error) {
    await rename(aside, target);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
