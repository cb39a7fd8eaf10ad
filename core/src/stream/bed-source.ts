import { RatewiseError } from "../errors.ts";
import type { ByteSource } from "../host/byte-source.ts";
import type { BlockSource } from "./block-source.ts";
import { genotypeRows } from "./genotype-rows.ts";

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
 * ⌈samples/4⌉ bytes each. In rows, missing genotypes are their variant's mean. Source: https://www.cog-genomics.org/plink/1.9/formats#bed
 */
export async function bedSource(
  bytes: ByteSource,
  { where = "bedSource", samples, snps, names }: BedSourceOptions,
): Promise<BlockSource> {
  const head = new Uint8Array(Math.min(MAGIC_BYTES, bytes.size));
  await bytes.readInto(head, 0);
  if (head[0] !== 0x6c || head[1] !== 0x1b || head[2] !== 1)
    throw new RatewiseError("parse", {
      at: where,
      what: "needs the bytes 6c 1b 01 at the start, of a PLINK 1 .bed file in variant-major order, got others",
      advice: "convert it with plink --make-bed",
    });
  const stride = Math.ceil(samples / 4);
  checkSize(where, bytes.size, samples, snps);
  const checkPadding = paddingCheck(where, samples);
  await lookAtPadding(bytes, stride, snps, checkPadding);
  const readColumns: BlockSource["readColumns"] = async ({ start, end }, room) => {
    const bed = room.bytes((end - start) * stride);
    await bytes.readInto(bed, MAGIC_BYTES + start * stride);
    for (let j = start; j < end; j++) checkPadding(bed[(j - start + 1) * stride - 1], j);
    return { bed, snps: end - start, samples };
  };
  return {
    where,
    format: "bed",
    rows: samples,
    columns: snps,
    names: names ?? null,
    rowShape: [snps],
    layout: {
      chunkRows: 1,
      chunkColumns: 1,
      prefers: "columns",
      bytesEach: 1 / 4,
      memoryEach: 1 / 4,
    },
    readColumns,
    readRows: genotypeRows(samples, snps, readColumns),
  };
}

/** Three files belong together when the .bed file has ⌈samples/4⌉ bytes per variant, neither more nor fewer. */
function checkSize(where: string, size: number, samples: number, snps: number): void {
  const stride = Math.ceil(samples / 4);
  const needed = MAGIC_BYTES + snps * stride;
  if (size === needed) return;
  const held = (size - MAGIC_BYTES) / stride;
  const each = (size - MAGIC_BYTES) / snps;
  const lines = (n: number): string => `${n} ${n === 1 ? "line" : "lines"}`;
  const reason = Number.isInteger(held)
    ? `it holds ${held} variants of ${samples} samples: the .bim file has ${held < snps ? `${lines(snps - held)} too many, or the .bed file is cut off` : `${lines(held - snps)} too few`}`
    : Number.isInteger(each)
      ? `it holds ${snps} variants of ${4 * each - 3} to ${4 * each} samples: the .fam file has too ${each > stride ? "few" : "many"} lines`
      : size < needed
        ? "the .bed file is cut off, or the three files do not belong together"
        : "the three files do not belong together";
  throw new RatewiseError("parse", {
    at: where,
    what: `needs ${needed} bytes for the ${samples} samples of the .fam and the ${snps} variants of the .bim file, got ${size}`,
    advice: reason,
    needed,
    got: size,
    samples,
    snps,
  });
}

/**
 * The last byte of a variant has room for up to three samples more, which PLINK leaves at zero. A .fam file that lost so few lines leaves the
 * size right, and shows here.
 */
function paddingCheck(where: string, samples: number): (last: number, variant: number) => void {
  const used = 2 * (samples % 4);
  return (last, variant) => {
    if (used === 0 || last >> used === 0) return;
    throw new RatewiseError("parse", {
      at: where,
      what: `needs zero bits after the last of ${samples} samples, got others at variant ${variant} (counted from 0)`,
      advice:
        "the .fam file has one to three lines fewer than there were samples, or the .bed file is damaged",
      samples,
      variant,
    });
  };
}

/** Variants whose last byte is looked at before anything else is done; the others when they are read. */
const LOOKED_AT = 256;

async function lookAtPadding(
  bytes: ByteSource,
  stride: number,
  snps: number,
  check: (last: number, variant: number) => void,
): Promise<void> {
  const last = new Uint8Array(1);
  const step = Math.max(1, Math.floor(snps / LOOKED_AT));
  for (let j = 0; j < snps; j += step) {
    await bytes.readInto(last, MAGIC_BYTES + (j + 1) * stride - 1);
    check(last[0], j);
  }
}
