import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { KeptEpochs } from "@ratewise/core/stream";

/** The part of a training's time that keeping it may take. */
const SHARE = 0.05;
/** Bytes per second, and seconds for the smallest file, until one has been written and measured. */
const [SPEED, LEAST] = [200e6, 0.002];
const DIGEST_BYTES = 32;
/** Numbers before the others: how many these are, and epochs that are over. */
const HEAD = 2;
/** Bytes that are looked through at a time. */
const PIECE = 4 * 2 ** 20;

/** A training that is not over, in a file. */
export interface EpochsFile extends KeptEpochs {
  /** Epochs of the training that the file holds; 0 where there is none. */
  readonly epochs: () => number;
  /** Whether a training of an earlier run was taken up. */
  readonly wasFound: () => boolean;
  readonly discard: () => Promise<void>;
}

/**
 * Keeps where a training stands in one file, written beside it and renamed, with a hash at its end: what is there is whole, or not taken. Written after
 * an epoch as long as all writing takes less than a twentieth of the time. `now` in milliseconds.
 */
export function epochsFile(path: string, now: () => number = () => performance.now()): EpochsFile {
  const start = now();
  let [spent, each, held] = [0, 0, 0];
  let found = false;
  return {
    async put({ numbers, arrays, epochs }) {
      const head = Float64Array.of(numbers.length, epochs);
      const parts = [head, numbers, ...arrays].map(bytesOf);
      const size = parts.reduce((sum, part) => sum + part.length, DIGEST_BYTES);
      const before = now();
      const expected = each || LEAST + size / SPEED;
      if (spent + expected > (SHARE * (before - start)) / 1000) return;
      await write(path, parts);
      each = (now() - before) / 1000;
      spent += each;
      held = epochs;
    },
    async take(arrays) {
      const file = await open(path).catch(() => null);
      if (!file) return null;
      try {
        const numbers = await read(file, arrays);
        if (!numbers) return null;
        held = numbers.epochs;
        found = true;
        return numbers.values;
      } finally {
        await file.close();
      }
    },
    epochs: () => held,
    wasFound: () => found,
    discard: () => rm(path, { force: true }),
  };
}

/** Bytes on disk while one is written beside the other: four arrays of the first layer's weights, twice. */
export function epochsDisk(columns: number, units: number): number {
  return 2 * 4 * 4 * columns * units;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function write(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.tmp`, "w");
  try {
    const hash = sha256();
    for (const part of parts) {
      hash.update(part);
      await file.writeFile(part);
    }
    await file.writeFile(hash.digest());
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}

/** Looks through all of it before an array is touched. */
async function read(
  file: FileHandle,
  arrays: readonly Float32Array[],
): Promise<{ readonly values: Float64Array; readonly epochs: number } | null> {
  const { size } = await file.stat();
  const head = new Float64Array(HEAD);
  await fill(file, bytesOf(head), 0);
  const [count, epochs] = head;
  const large = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size !== 8 * (HEAD + count) + large + DIGEST_BYTES || !(await isWhole(file, size)))
    return null;
  const values = new Float64Array(count);
  let at = 8 * HEAD;
  for (const array of [values, ...arrays]) {
    await fill(file, bytesOf(array), at);
    at += array.byteLength;
  }
  return { values, epochs };
}

async function isWhole(file: FileHandle, size: number): Promise<boolean> {
  const hash = sha256();
  const room = new Uint8Array(PIECE);
  const end = size - DIGEST_BYTES;
  for (let at = 0; at < end; at += PIECE) {
    const part = room.subarray(0, Math.min(PIECE, end - at));
    await fill(file, part, at);
    hash.update(part);
  }
  const digest = new Uint8Array(DIGEST_BYTES);
  await fill(file, digest, end);
  return hash.digest().equals(digest);
}

/** Reads until the bytes are full or the file has no more. */
async function fill(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(PIECE, bytes.length - done);
    const { bytesRead } = await file.read(bytes, done, length, at + done);
    if (bytesRead === 0) return;
    done += bytesRead;
  }
}

function sha256(): Hash {
  return createHash("sha256");
}
