import { rmSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { type StudyAsked, studyCommand } from "../commands/study-command.ts";
import { checkWritable } from "./writable.ts";

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

/**
 * Throws, before the work begins, when the folder cannot be written, and without `force` when it holds somebody's files or a study that
 * `command` would not make again: some take hours. Other results of ours may be replaced.
 */
export async function checkFolder(folder: string, force: boolean, command?: string): Promise<void> {
  if (folder === "")
    throw new RatewiseError("usage", { what: "--out needs the name of a folder, got none" });
  const parent = dirname(resolve(folder));
  const status = await stat(folder).catch(() => null);
  if (!status) {
    const leadsTo = await readlink(resolve(folder)).catch(() => null);
    if (leadsTo !== null)
      throw new RatewiseError("file", {
        at: folder,
        what: `is a link to ${leadsTo}, which is not there`,
        advice: "make that folder, or choose another",
      });
    const above = await stat(parent).catch(() => null);
    if (!above?.isDirectory())
      throw new RatewiseError("file", {
        at: folder,
        what: `there is no folder ${parent}`,
        advice: "make it first",
      });
    return checkWritable(parent, folder);
  }
  if (!status.isDirectory())
    throw new RatewiseError("file", {
      at: folder,
      what: "needs a folder, got a file of that name",
    });
  const entries = await readdir(folder);
  if (!force) await checkHeld(folder, entries, command);
  await checkWritable(folder);
}

/** Throws when what lies there is not ours to replace. */
async function checkHeld(folder: string, entries: string[], command?: string): Promise<void> {
  if (entries.length === 0) return;
  if (!entries.includes(MARK))
    throw new RatewiseError("file", {
      at: folder,
      what: `the folder is not empty and holds no ${MARK} of ratewise`,
      advice: "choose another, or write beside those files with --force",
    });
  const earlier = await studyIn(folder);
  const held = earlier === null ? undefined : studyCommand(earlier);
  if (held === command) return;
  throw new RatewiseError("file", {
    at: folder,
    what: `holds the result of ${held === undefined ? "another command" : `"ratewise ${held}"`}`,
    advice: "choose another folder, or replace it with --force",
  });
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
  const names = (await studyIn(target))?.figures ?? [];
  return new Set(names.flatMap(({ name }) => [`figures/${name}.svg`, `figures/${name}.png`]));
}

type StudyResult = StudyAsked & { readonly figures: readonly { readonly name: string }[] };

/** The result of a study that lies there; null where there is none. */
async function studyIn(folder: string): Promise<StudyResult | null> {
  try {
    const document = JSON.parse(await readFile(join(folder, MARK), "utf8"));
    return document.kind === "study" ? { covariates: [], figures: [], ...document } : null;
  } catch {
    return null; // no JSON of ours
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
