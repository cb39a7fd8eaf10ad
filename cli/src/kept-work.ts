import { readdirSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { TaskCache } from "@ratewise/core";

/** Finished pieces of a run, kept beside its output until the run is over. */
export interface KeptWork extends TaskCache {
  /** The run is over, well or not: nothing is kept any longer. */
  readonly discard: () => Promise<void>;
}

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Keeps what is finished in a hidden folder beside `out`, each piece whole or not at all. A run that is interrupted leaves
 * it, if there is anything in it, and `resume` takes it up; one that ends or fails by itself leaves nothing. Pieces are found by a hash
 * of all that they depend on, so those of other data or options are never used. Nothing here is needed for the answer: what cannot
 * be written is not kept.
 *
 * @param say told how to go on when the run is interrupted
 */
export async function keepWork(
  out: string,
  resume: boolean,
  say: (line: string) => void,
): Promise<KeptWork> {
  const target = resolve(out);
  const folder = join(dirname(target), `.${basename(target)}.ratewise-resume`);
  if (!resume) await rm(folder, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals): void => {
    const pieces = finishedPieces(folder);
    if (pieces === 0) rmSync(folder, { recursive: true, force: true });
    else
      say(
        `ratewise: stopped; ${pieces === 1 ? "1 trained network is" : `${pieces} trained networks are`} kept, and the same command with --resume goes on from there`,
      );
    stopListening();
    process.kill(process.pid, signal);
  };
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, interrupted);
  };
  for (const signal of signals) process.on(signal, interrupted);
  return {
    async get(id) {
      try {
        return deserialize(await readFile(join(folder, id)));
      } catch {
        return undefined; // not there, or not whole
      }
    },
    async put(id, result) {
      const temporary = join(folder, `${id}.tmp`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(temporary, serialize(result));
        await rename(temporary, join(folder, id));
      } catch {
        await rm(temporary, { force: true });
      }
    },
    async discard() {
      stopListening();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** How many pieces are whole; the others are taken away. */
function finishedPieces(folder: string): number {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return 0;
  }
  for (const name of names) if (name.endsWith(".tmp")) rmSync(join(folder, name), { force: true });
  return names.filter((name) => !name.endsWith(".tmp")).length;
}
