import { constants, rmSync } from "node:fs";
import {
  access,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { RatewiseError } from "@ratewise/core";

/** A file of a result folder: its name, with folders before it if any, and what it holds. */
export interface FolderFile {
  readonly path: string;
  readonly pieces: Iterable<string | Uint8Array>;
}

/** The file whose presence says that a folder holds a result of ours. */
const MARK = "result.json";

/** What results of ours may hold besides: of these names, those that a new result has not go with the old one. */
const OURS =
  /^(report\.html|study\.md|(importance|groups|comparison|shuffle|search)\.csv|importance\.(parquet|regenie)|importance-map\.(npy|png)|model\.ratewise|figures\/(architecture|importance|predictions|reliability|groups|agreement|shuffle-test|manhattan|manhattan-direct|shape-\d+)\.(svg|png))$/;

/** Throws, before the work begins, when the folder holds somebody's files and `force` was not given. */
export async function checkFolder(folder: string, force: boolean): Promise<void> {
  const parent = dirname(resolve(folder));
  const status = await stat(folder).catch(() => null);
  if (!status) {
    const above = await stat(parent).catch(() => null);
    if (!above?.isDirectory())
      throw new RatewiseError("file", `${folder}: there is no folder ${parent}; make it first`);
    await access(parent, constants.W_OK);
    return;
  }
  if (!status.isDirectory())
    throw new RatewiseError("file", `${folder}: needs a folder, got a file of that name`);
  await access(folder, constants.W_OK);
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.includes(MARK) && !force)
    throw new RatewiseError(
      "file",
      `${folder}: the folder is not empty and holds no ${MARK} of ours; choose another, or write beside those files with --force`,
    );
}

/**
 * Writes all files into a folder of another name inside the target, then moves each to its place. Only
 * files of these names are ever replaced, and only an older result's files ever taken away; everything else in
 * the folder stays. What fails or is interrupted before the moves leaves nothing, not even a folder that was not
 * there before.
 */
export async function writeFolder(folder: string, files: Iterable<FolderFile>): Promise<boolean> {
  const target = resolve(folder);
  const created = await mkdir(target, { recursive: true });
  const temporary = await mkdtemp(join(target, ".ratewise-"));
  const clear = (): void => {
    rmSync(temporary, { recursive: true, force: true });
    if (created) rmSync(created, { recursive: true, force: true });
  };
  const interrupted = (signal: NodeJS.Signals): void => {
    clear();
    process.removeListener(signal, interrupted);
    process.kill(process.pid, signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupted);
  try {
    const names: string[] = [];
    for (const { path, pieces } of files) {
      await mkdir(dirname(join(temporary, path)), { recursive: true });
      await writeFile(join(temporary, path), pieces);
      names.push(path);
    }
    // The mark last: a folder with a new result.json has everything else that belongs to it.
    names.sort((a, b) => Number(a === MARK) - Number(b === MARK));
    const replaced = !created && (await removeStale(target, new Set(names)));
    for (const name of names) {
      await mkdir(dirname(join(target, name)), { recursive: true });
      await rename(join(temporary, name), join(target, name));
    }
    await rm(temporary, { recursive: true, force: true });
    return replaced;
  } catch (error) {
    clear();
    throw error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupted);
  }
}

/** Whether there was an earlier result. */
async function removeStale(target: string, now: ReadonlySet<string>): Promise<boolean> {
  const before = await readdir(target);
  if (!before.includes(MARK)) return false;
  const figures = await readdir(join(target, "figures")).catch(() => []);
  const drawn = await studyFigures(target);
  for (const name of [...before, ...figures.map((figure) => `figures/${figure}`)])
    if ((OURS.test(name) || drawn.has(name)) && !now.has(name)) await rm(join(target, name));
  // Gone if that was all there was in it.
  await rmdir(join(target, "figures")).catch(() => {});
  return true;
}

/** The figures of a study that lies there: each study has names of its own, and its result lists them. */
async function studyFigures(target: string): Promise<ReadonlySet<string>> {
  try {
    const { kind, figures } = JSON.parse(await readFile(join(target, MARK), "utf8"));
    const names: readonly { name: string }[] = kind === "study" ? figures : [];
    return new Set(names.flatMap(({ name }) => [`figures/${name}.svg`, `figures/${name}.png`]));
  } catch {
    return new Set(); // no JSON of ours: nothing is known to be ours
  }
}

async function writeFile(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const handle = await open(path, "wx");
  try {
    for (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
