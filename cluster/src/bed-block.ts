import { open, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import {
  type EffectSizes,
  engine,
  RatewiseError,
  type RunOptions,
  withEngine,
} from "@ratewise/core";
import type { FinishOptions, GaussianWeights, Piece } from "@ratewise/core/effects";
import { covariancePiece, effectsOfPieces } from "@ratewise/core/explain";
import type { Rows } from "@ratewise/core/linalg";
import { defineTask, executorInUse, runTasks, type TaskKind } from "@ratewise/core/parallel";

/** Some variants of a PLINK file that every worker sees. The file is named, not sent; its size and time stand for its content. */
interface BedBlockPayload {
  readonly file: string;
  readonly bytes: number;
  readonly modified: number;
  readonly samples: number;
  readonly first: number;
  readonly snps: number;
  readonly hidden: Rows;
  readonly engine: string;
}

/** SNP-major, after two magic bytes. */
const MAGIC = [0x6c, 0x1b, 0x01];

/** XᵀCH and the sums of squares of some variants, read by the worker itself: a table of terabytes never goes through the driver. */
export const bedBlock: TaskKind<BedBlockPayload, Piece> = defineTask(
  "bed-block",
  async ({ samples, snps, hidden, engine: name, ...place }: BedBlockPayload): Promise<Piece> => {
    const bed = await readBlock(place, snps, Math.ceil(samples / 4));
    return withEngine(name, () => covariancePiece({ bed, snps, samples }, hidden));
  },
);

async function readBlock(
  { file, bytes, modified, first }: Pick<BedBlockPayload, "file" | "bytes" | "modified" | "first">,
  snps: number,
  snpBytes: number,
): Promise<Uint8Array> {
  const refuse = (why: string): never => {
    throw new RatewiseError("file", {
      at: "bed-block",
      what: `needs ${file} as the driver saw it, got ${why}`,
    });
  };
  if (!isAbsolute(file) || !file.endsWith(".bed")) refuse("no path of a .bed file");
  const handle = await open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    if (size !== bytes || Math.floor(mtimeMs) !== modified) refuse("another one");
    const magic = new Uint8Array(3);
    await handle.read(magic, 0, 3, 0);
    if (MAGIC.some((byte, k) => magic[k] !== byte)) refuse("no SNP-major PLINK file");
    const block = new Uint8Array(snps * snpBytes);
    for (let at = 0; at < block.length; ) {
      const length = Math.min(2 ** 30, block.length - at);
      const { bytesRead } = await handle.read(block, at, length, 3 + first * snpBytes + at);
      if (bytesRead === 0) refuse("one that is cut off");
      at += bytesRead;
    }
    return block;
  } finally {
    await handle.close();
  }
}

export interface BedEffectsOptions extends RunOptions, FinishOptions {
  /** Variants a task, default 2,000: 250 MB at 500,000 samples. */
  readonly blockSize?: number;
}

/**
 * Covariance effects of all variants of a .bed file, for H of the same samples: one task a block, done by whatever executor is in use (in this thread without one).
 * The file lies where all workers see it under the same path. O(n·p·l) in all; p·(l + 1) numbers come back.
 */
export async function effectsOfBedFile(
  path: string,
  hidden: Rows,
  weights: GaussianWeights,
  { blockSize = 2000, signal, onProgress, ...options }: BedEffectsOptions = {},
): Promise<EffectSizes> {
  const file = resolve(path);
  const { size: bytes, mtimeMs } = await stat(file);
  const samples = hidden.rows;
  const all = (bytes - 3) / Math.ceil(samples / 4);
  if (!Number.isInteger(all) || all < 1)
    throw new RatewiseError("shape", {
      in: "effectsOfBedFile",
      what: `needs a file of ${samples} samples, as H has, got ${bytes} bytes in ${file}`,
    });
  const tasks = Array.from({ length: Math.ceil(all / blockSize) }, (_, k) => {
    const first = k * blockSize;
    const snps = Math.min(blockSize, all - first);
    const modified = Math.floor(mtimeMs);
    return bedBlock.task({
      file,
      bytes,
      modified,
      samples,
      first,
      snps,
      hidden,
      engine: engine().name,
    });
  });
  const pieces = await runTasks(tasks, {
    ...(!executorInUse() && { workers: 0 }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  return effectsOfPieces(pieces, hidden, weights, options);
}
