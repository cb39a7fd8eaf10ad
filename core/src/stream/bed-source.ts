import { genotypesOf } from "../data/index.ts";
import { RatewiseError } from "../errors.ts";
import type { ByteSource } from "../host/byte-source.ts";
import type { BlockSource } from "./block-source.ts";

export interface BedSourceOptions {
  /** What messages call the file. */
  readonly where?: string;
  /** Lines of the .fam file. */
  readonly samples: number;
  /** Lines of the .bim file. */
  readonly snps: number;
  readonly names?: readonly string[];
}

const MAGIC_BYTES = 3;

/**
 * A PLINK 1 .bed file in blocks of variants, two bits a genotype until they are multiplied. Columns are contiguous:
 * ⌈samples/4⌉ bytes each. In rows, missing genotypes are NaN. Source: https://www.cog-genomics.org/plink/1.9/formats#bed
 */
export async function bedSource(
  bytes: ByteSource,
  { where = "bedSource", samples, snps, names }: BedSourceOptions,
): Promise<BlockSource> {
  const head = new Uint8Array(Math.min(MAGIC_BYTES, bytes.size));
  await bytes.readInto(head, 0);
  if (head[0] !== 0x6c || head[1] !== 0x1b || head[2] !== 1)
    throw new RatewiseError(
      "parse",
      `${where}: needs the bytes 6c 1b 01 at the start, of a PLINK 1 .bed file in variant-major order, got others; convert it with plink --make-bed`,
    );
  const stride = Math.ceil(samples / 4);
  const needed = MAGIC_BYTES + snps * stride;
  if (bytes.size > needed)
    throw new RatewiseError(
      "parse",
      `${where}: needs ${needed} bytes for ${samples} samples and ${snps} variants, got ${bytes.size}; the .bed, .bim and .fam files do not belong together`,
      { needed, got: bytes.size },
    );
  return {
    where,
    format: "bed",
    rows: samples,
    columns: snps,
    names: names ?? null,
    rowShape: [snps],
    layout: {
      chunkRows: samples,
      chunkColumns: 1,
      prefers: "columns",
      bytesEach: 1 / 4,
      memoryEach: 1 / 4,
    },
    readColumns: async ({ start, end }, room) => {
      const bed = room.bytes((end - start) * stride);
      await bytes.readInto(bed, MAGIC_BYTES + start * stride);
      return { bed, snps: end - start, samples };
    },
    // All columns of a few rows are all bytes of the file, a variant at a time: for a look at some rows, not for streaming.
    readRows: async ({ start, end }, room) => {
      const rows = end - start;
      const data = room.float64(rows * snps);
      const bed = room.bytes(stride);
      for (let j = 0; j < snps; j++) {
        await bytes.readInto(bed, MAGIC_BYTES + j * stride);
        const copies = genotypesOf({ bed, snps: 1, samples }, 0);
        for (let i = 0; i < rows; i++) data[i * snps + j] = copies[start + i];
      }
      return { data, rows, cols: snps };
    },
  };
}
