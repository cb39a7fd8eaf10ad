import { openFile } from "@ratewise/core/stream";
import { withReason } from "./file-reasons.ts";
import { gunzip } from "./gzip.ts";
import { within } from "./within.ts";

/** How a reader gets at files: on a disk, dropped on a page, from standard input. */
export interface FileAccess {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** A file's size, and its bytes as they are read. */
  readonly openFile: (
    path: string,
  ) => Promise<{ readonly bytes: number; readonly chunks: AsyncIterable<Uint8Array> }>;
  /** Bytes of memory there are: a table that cannot fit is refused before it is read. */
  readonly memory: number;
}

const CHUNK = 1 << 20;

/** The files of this machine. */
export const disk: FileAccess = {
  memory: Number.POSITIVE_INFINITY,
  openFile: async (path) => {
    const file = await withReason(path, () => openFile(path));
    return { bytes: file.size, chunks: chunksOf(file) };
  },
  readFile: async (path) => {
    const file = await withReason(path, () => openFile(path));
    try {
      const bytes = new Uint8Array(file.size);
      await file.readInto(bytes, 0);
      return bytes;
    } finally {
      await file.close();
    }
  },
};

async function* chunksOf(file: Awaited<ReturnType<typeof openFile>>): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < file.size; at += CHUNK) {
      const chunk = new Uint8Array(Math.min(CHUNK, file.size - at));
      await file.readInto(chunk, at);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

/** Bytes that are in memory already, under the one name they have. */
export function filesInMemory(bytes: Uint8Array): FileAccess {
  return {
    memory: Number.POSITIVE_INFINITY,
    openFile: async () => ({ bytes: bytes.length, chunks: once(bytes) }),
    readFile: async () => bytes,
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file's bytes; what ends in .gz is inflated, and its name loses that ending. */
export async function readBytes(
  path: string,
  files: Pick<FileAccess, "readFile">,
): Promise<{ name: string; bytes: Uint8Array }> {
  const bytes = await files.readFile(path);
  if (!/\.gz$/i.test(path)) return { name: path, bytes };
  return { name: path.slice(0, -".gz".length), bytes: within(path, () => gunzip(bytes)) };
}
