import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { withReason } from "@ratewise/files";
import type { Io } from "./io.ts";
import { checkFolder, writeFolder } from "./output/atomic-folder.ts";
import { atomicWrite } from "./output/atomic-write.ts";
import { keepWork } from "./output/kept-work.ts";
import { fit } from "./output/printable.ts";
import { sayWhenStopped } from "./output/stopped.ts";
import { checkWritable } from "./output/writable.ts";

/** Node reads at most 2 GiB in one call. */
const MOST_AT_ONCE = 2 ** 30;

/** The Io of a real process. */
export function nodeIo(): Io {
  const { stdout, stderr, env } = process;
  return {
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    err: (line) => {
      stderr.write(`${line}\n`);
    },
    readFile: (path) =>
      withReason(path, () => (path === "-" ? readStandardInput() : readWhole(path))),
    openFile: (path) => withReason(path, () => openWhole(path)),
    checkTarget: (path) => withReason(path, () => checkTarget(path)),
    writeFile: (path, pieces) => withReason(path, () => atomicWrite(path, pieces)),
    checkFolder: (path, force, command) =>
      withReason(path, () => checkFolder(path, force, command)),
    writeFolder: (path, files) => withReason(path, () => writeFolder(path, files)),
    keepWork,
    whenStopped: (line) =>
      sayWhenStopped(() =>
        stderr.write(
          `${stderr.isTTY ? "\r\u001b[K" : ""}${typeof line === "string" ? line : line()}\n`,
        ),
      ),
    liveLine: stderr.isTTY
      ? (text) => void stderr.write(`\r\u001b[K${fit(text, (stderr.columns || 80) - 1)}`)
      : null,
    isTTY: stdout.isTTY === true,
    // Some pseudo-terminals say 0.
    columns: stdout.columns || 80,
    memory: Math.min(process.constrainedMemory() || totalmem(), totalmem()),
    environment: env,
  };
}

/** A file into one array; a pipe or device, which has no size to go by, until it ends. */
async function readWhole(path: string): Promise<Uint8Array> {
  const handle = await open(path, "r");
  try {
    const status = await handle.stat();
    if (status.isDirectory())
      throw new RatewiseError("file", { at: path, what: "needs a file, got a folder", path });
    if (!status.isFile()) return new Uint8Array(await handle.readFile());
    const bytes = new Uint8Array(status.size);
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await handle.read(bytes, at, Math.min(MOST_AT_ONCE, bytes.length - at));
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } finally {
    await handle.close();
  }
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

/** A file as a stream, once it is known to be one; opened when the first piece is asked for. */
async function openWhole(
  path: string,
): Promise<{ bytes: number; chunks: AsyncIterable<Uint8Array> }> {
  const handle = await open(path, "r");
  const status = await handle.stat().finally(() => handle.close());
  if (status.isDirectory())
    throw new RatewiseError("file", { at: path, what: "needs a file, got a folder", path });
  return { bytes: status.size, chunks: piecesOf(path) };
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>;
}

async function checkTarget(path: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory())
    throw new RatewiseError("file", {
      at: path,
      what: `there is no folder ${dirname(path)}`,
      advice: "make it first",
      path,
    });
  const target = await stat(path).catch(() => null);
  if (target && !target.isFile())
    throw new RatewiseError("file", {
      at: path,
      what: "needs the name of a file, got something else there",
      path,
    });
  await checkWritable(dirname(path), path);
}
