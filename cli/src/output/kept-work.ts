import { createHash } from "node:crypto";
import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { version } from "@ratewise/core";
import type { TaskCache } from "@ratewise/core/explain";
import { sayWhenStopped } from "./stopped.ts";

/** Finished pieces of a run, kept beside its output until the run is over. */
export interface KeptWork extends TaskCache {
  /** The run is over: nothing of it is kept any longer. */
  readonly discard: () => Promise<void>;
  /** The run failed, and what it had finished is kept and told of. */
  readonly leave: () => void;
}

export interface KeepOptions {
  /** Whose work it is: that of another command beside the same output is neither used nor taken away. */
  readonly command: string;
  /** Whether to go on from what a stopped run of this command has left. */
  readonly resume: boolean;
  readonly piece: "finished stage" | "trained network";
  /** Told what was found, and what is kept when the run is stopped. */
  readonly say: (line: string) => void;
}

/**
 * Keeps what is finished in a hidden folder beside `out`, a folder a command, each piece whole or not at all. A run that is stopped leaves
 * them, if there are any, and `resume` takes them up. A run that begins anew drops them when it has a piece of its own: until then a
 * mistake costs nothing. Pieces are found by a hash of all that they depend on, so those of other data or options are never used. Nothing
 * here is needed for the answer: what cannot be written is not kept.
 */
export async function keepWork(
  out: string,
  { command, resume, piece, say }: KeepOptions,
): Promise<KeptWork> {
  const target = resolve(out);
  const above = join(dirname(target), `.${basename(target)}.ratewise-resume`);
  const folder = join(above, nameOf(command));
  // Not every file system has names with colons.
  const fileOf = (id: string): string => join(folder, id.replaceAll(":", "-"));
  const goOn = "the same command with --resume continues from there";
  let isOver = false;
  const stopListening = sayWhenStopped(() => {
    const pieces = isOver ? 0 : finishedPieces(folder);
    if (pieces === 0) removeFolder(folder, above);
    if (isOver) return;
    say(
      pieces === 0
        ? "ratewise: stopped; nothing was finished yet"
        : `ratewise: stopped; ${amount(pieces, piece)} kept, and ${goOn}`,
    );
  });
  sayFound(finishedPieces(folder), { command, resume, piece, say });
  // What is there of other commands stays there, and nobody would look for it.
  if (namesIn(above).some((name) => name !== basename(folder)))
    say(`ratewise: ${above} holds work of another command, which stays there`);
  let begun: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    if (!resume) await rm(folder, { recursive: true, force: true }).catch(() => {});
    // One by one: asked for both, Node tries without end where a file system makes none, such as /proc.
    for (const each of [above, folder]) await mkdir(each).catch(() => {});
  };
  return {
    async get(id) {
      if (!resume && !begun) return undefined;
      try {
        return deserialize(await readFile(fileOf(id)));
      } catch {
        return undefined; // not there, or not whole
      }
    },
    async put(id, result) {
      begun ??= begin();
      await begun;
      const temporary = `${fileOf(id)}.tmp`;
      try {
        await writeFile(temporary, serialize(result));
        await rename(temporary, fileOf(id));
      } catch {
        await rm(temporary, { force: true });
      }
    },
    async discard() {
      isOver = true;
      // Listening still: stopped now, the rest goes too.
      await rm(folder, { recursive: true, force: true });
      removeFolder(folder, above);
      stopListening();
    },
    leave() {
      stopListening();
      const pieces = finishedPieces(folder);
      if (pieces === 0) removeFolder(folder, above);
      else say(`ratewise: ${amount(pieces, piece)} kept; ${goOn}`);
    },
  };
}

function sayFound(pieces: number, { resume, piece, say }: KeepOptions): void {
  if (resume)
    say(
      pieces === 0
        ? "ratewise: --resume: found no finished work of this command; starting from the beginning"
        : `ratewise: --resume: found ${counted(pieces, piece)}`,
    );
  else if (pieces > 0)
    say(
      `ratewise: ${amount(pieces, piece)} there from an earlier run of this command, but used only with --resume; starting from the beginning, and deleting ${pieces === 1 ? "it" : "them"} once a new one is finished`,
    );
}

/** The folder of a command's pieces; another version's are of no use. */
function nameOf(command: string): string {
  return createHash("sha256").update(`${version} ${command}`).digest("hex").slice(0, 16);
}

const counted = (pieces: number, piece: string): string =>
  `${pieces} ${piece}${pieces === 1 ? "" : "s"}`;

const amount = (pieces: number, piece: string): string =>
  `${counted(pieces, piece)} ${pieces === 1 ? "is" : "are"}`;

/** How many pieces are whole; the others are taken away. */
function finishedPieces(folder: string): number {
  const names = namesIn(folder);
  for (const name of names) if (name.endsWith(".tmp")) rmSync(join(folder, name), { force: true });
  return names.filter((name) => !name.endsWith(".tmp")).length;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** With the folder above it, unless another command has something there. */
function removeFolder(folder: string, above: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(above);
  } catch {
    // not there, or of use to another
  }
}
