import { rmSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Writes beside the target under another name, syncs, and renames: whoever looks sees the old file or
 * the whole new one. What fails or is interrupted takes its temporary file with it.
 */
export async function atomicWrite(
  path: string,
  pieces: Iterable<string | Uint8Array>,
): Promise<void> {
  const { handle, temporary } = await openBeside(path);
  const interrupted = (signal: NodeJS.Signals): void => {
    rmSync(temporary, { force: true });
    stopListening();
    process.kill(process.pid, signal);
  };
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, interrupted);
  };
  for (const signal of signals) process.on(signal, interrupted);
  try {
    try {
      for (const piece of pieces) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    stopListening();
  }
}

async function openBeside(path: string): Promise<{ handle: FileHandle; temporary: string }> {
  for (let attempt = 0; ; attempt++) {
    const name = `.${basename(path)}.${process.pid}-${attempt}.tmp`;
    const temporary = join(dirname(path), name);
    try {
      // "wx" makes the file or fails: what lies there already, a link too, is never written through.
      return { handle: await open(temporary, "wx"), temporary };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt === 99) throw error;
    }
  }
}
