import { mkdtemp, open, realpath, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkEnd, type OpenBytes, type ScratchBytes } from "./byte-source.ts";

/** Node reads at most 2 GiB in one call. */
const MOST_AT_ONCE = 2 ** 30;

type Handle = Awaited<ReturnType<typeof open>>;

async function readInto(handle: Handle, into: Uint8Array, at: number): Promise<void> {
  let got = 0;
  while (got < into.length) {
    const length = Math.min(MOST_AT_ONCE, into.length - got);
    const { bytesRead } = await handle.read(into, got, length, at + got);
    if (bytesRead === 0) checkEnd(at + got, into.length, at);
    got += bytesRead;
  }
}

/** Opens a file to be read in pieces. Close it when done. */
export async function openFile(path: string): Promise<OpenBytes> {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  return {
    size,
    readInto: (into, at) => readInto(handle, into, at),
    close: () => handle.close(),
  };
}

/** Where a path leads when links are followed. */
export async function realPath(path: string): Promise<string> {
  return realpath(path);
}

/** A file without a name in `folder`, default that of temporary files: it ends with the process, however that ends. */
export async function openScratch(size: number, folder: string = tmpdir()): Promise<ScratchBytes> {
  const place = await mkdtemp(join(folder, ".ratewise-scratch-"));
  const path = join(place, "bytes");
  const handle = await open(path, "wx+");
  // A file that is open may lose its name; where it may not, close takes it away.
  const gone = await unlink(path).then(
    () => rm(place, { recursive: true, force: true }),
    () => false,
  );
  return {
    size,
    readInto: (into, at) => readInto(handle, into, at),
    write: async (bytes, at) => {
      for (let done = 0; done < bytes.length; ) {
        const length = Math.min(MOST_AT_ONCE, bytes.length - done);
        const { bytesWritten } = await handle.write(bytes, done, length, at + done);
        done += bytesWritten;
      }
    },
    close: async () => {
      await handle.close();
      if (gone === false) await rm(place, { recursive: true, force: true });
    },
  };
}
