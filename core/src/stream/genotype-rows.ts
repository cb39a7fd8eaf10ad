import type { GenotypeBlock } from "../compute/index.ts";
import type { Rows } from "../linalg/rows.ts";

import { type BlockSource, blockRoom } from "./block-source.ts";

/** Bytes of genotypes that are read at a time. */
const SLAB_BYTES = 2 ** 20;

/** Copies of the first allele among the four genotypes of a byte, and how many of the four are known; code 1 is missing. */
const COPIES = [2, 0, 1, 0];
const SUM: Uint8Array = ofBytes((code) => COPIES[code]);
const KNOWN: Uint8Array = ofBytes((code) => Number(code !== 1));

function ofBytes(value: (code: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    [0, 2, 4, 6].reduce((sum, shift) => sum + value((byte >> shift) & 3), 0),
  );
}

/**
 * Blocks of rows of genotypes, from blocks of columns. Variants lie one after the other, so that all columns of a few rows are all bytes of the
 * file; their means come along with them. A missing genotype is its variant's mean over all rows, 0 where none is known.
 */
export function genotypeRows(
  samples: number,
  columns: number,
  readColumns: BlockSource["readColumns"],
): BlockSource["readRows"] {
  const stride = Math.ceil(samples / 4);
  const width = Math.max(1, Math.floor(SLAB_BYTES / stride));
  return async (span, room): Promise<Rows> => {
    const rows = span.end - span.start;
    const data = room.float64(rows * columns);
    const own = blockRoom();
    const values = Float64Array.from(COPIES);
    for (let first = 0; first < columns; first += width) {
      const end = Math.min(columns, first + width);
      const { bed } = (await readColumns({ start: first, end }, own)) as GenotypeBlock;
      for (let j = first; j < end; j++) {
        const from = (j - first) * stride;
        const mean = meanCopies(bed, from, samples);
        values[1] = Number.isNaN(mean) ? 0 : mean;
        for (let i = span.start, at = j; i < span.end; i++, at += columns)
          data[at] = values[(bed[from + (i >> 2)] >> (2 * (i & 3))) & 3];
      }
    }
    return { data, rows, cols: columns };
  };
}

/** Mean copies of the first allele among the genotypes that are known; NaN where none is. */
function meanCopies(bed: Uint8Array, from: number, samples: number): number {
  let [sum, known] = [0, 0];
  const whole = from + (samples >> 2);
  for (let at = from; at < whole; at++) {
    sum += SUM[bed[at]];
    known += KNOWN[bed[at]];
  }
  for (let i = samples & ~3; i < samples; i++) {
    const code = (bed[whole] >> (2 * (i & 3))) & 3;
    sum += COPIES[code];
    known += Number(code !== 1);
  }
  return sum / known;
}

/** Which of these variants of a source of genotypes, in increasing order, have no genotype that is known. */
export async function unknownVariants(
  { rows, readColumns }: Pick<BlockSource, "rows" | "readColumns">,
  variants: readonly number[],
): Promise<number[]> {
  const room = blockRoom();
  const found: number[] = [];
  for (const start of variants) {
    const { bed } = (await readColumns({ start, end: start + 1 }, room)) as GenotypeBlock;
    if (Number.isNaN(meanCopies(bed, 0, rows))) found.push(start);
  }
  return found;
}
