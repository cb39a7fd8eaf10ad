import { type Progress, RatewiseError } from "@ratewise/core";
import type { CommandResult, Io } from "ratewise/page";

export interface MemoryIoOptions {
  /** The files that were dropped, by name. */
  readonly files: ReadonlyMap<string, Blob>;
  readonly onLine: (line: string) => void;
  readonly onProgress?: (event: Progress) => void;
  readonly onResult?: (result: CommandResult) => void;
  /** Bytes that a page may be expected to have. */
  readonly memory: number;
}

/** The outside world of a command in a page: dropped files to read, and nothing to write. */
export function memoryIo(options: MemoryIoOptions): Io & { readonly printed: () => string } {
  const { files, memory } = options;
  const printed: string[] = [];
  const find = (path: string): Blob => {
    const file = files.get(path);
    if (!file)
      throw new RatewiseError("file", {
        at: path,
        what: "there is no such file",
        path,
        code: "ENOENT",
      });
    return file;
  };
  const nowhere = (path: string): never => {
    throw new RatewiseError("file", { at: path, what: "a page writes no files by itself", path });
  };
  return {
    out: async (text) => void printed.push(text),
    printed: () => printed.join(""),
    err: (line) => options.onLine(line.replace(/^ratewise: /, "")),
    readFile: async (path) => {
      const file = find(path);
      return reading(path, async () => new Uint8Array(await file.arrayBuffer()));
    },
    openFile: async (path) => {
      const file = find(path);
      return { bytes: file.size, chunks: piecesOf(path, file) };
    },
    checkTarget: async (path) => nowhere(path),
    writeFile: async (path) => nowhere(path),
    checkFolder: async (path) => nowhere(path),
    writeFolder: async (path) => nowhere(path),
    keepWork: async (path) => nowhere(path),
    liveLine: () => {},
    ...(options.onProgress && { onProgress: options.onProgress }),
    ...(options.onResult && { onResult: options.onResult }),
    isTTY: false,
    columns: 80,
    memory,
    environment: {},
  };
}

async function* piecesOf(path: string, file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reading(path, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Browsers hand over a file as it was when it was dropped, or not at all. */
async function reading<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RangeError)
      throw new RatewiseError("memory", { at: path, what: "too large to be read at once", path });
    throw new RatewiseError("file", {
      at: path,
      what: "the file was changed or moved and cannot be read",
      advice: "drop it again",
      path,
      cause: error,
    });
  }
}
