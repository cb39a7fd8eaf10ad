import type { GenotypeBlock } from "../compute/index.ts";
import type { ColumnScales } from "./column-scales.ts";

/** Copies of the first allele by code; code 1 is missing. */
const COPIES = [2, 0, 1, 0];

/**
 * The genotypes of some rows, four a byte, columns×⌈rows/4⌉: for each batch when it is asked for. Fills `scales` from the batches that
 * are trained on: mean and standard deviation of the observed genotypes, missing ones standing at the mean.
 */
export function packGenotypes(
  { bed, snps, samples }: GenotypeBlock,
  batches: readonly Uint32Array[],
  trained: number,
  { mean, scale }: ColumnScales,
): (batch: number) => Uint8Array {
  const stride = Math.ceil(samples / 4);
  const counts = new Int32Array(4 * snps);
  for (let b = 0; b < trained; b++)
    for (let s = 0; s < snps; s++) countCodes(counts, 4 * s, bed, s * stride, batches[b]);
  for (let s = 0; s < snps; s++) {
    const [two, missing, one, none] = counts.subarray(4 * s, 4 * s + 4);
    const observed = two + one + none;
    const rows = observed + missing;
    const centre = observed > 0 ? (one + 2 * two) / observed : 0;
    const square = one + 4 * two - observed * centre * centre;
    mean[s] = centre;
    scale[s] = square > 0 && rows > 1 ? Math.sqrt((rows - 1) / square) : 0;
  }
  return (batch) => {
    const rows = batches[batch];
    const each = Math.ceil(rows.length / 4);
    const out = new Uint8Array(snps * each);
    for (let s = 0; s < snps; s++) packColumn(out, s * each, bed, s * stride, rows);
    return out;
  };
}

function countCodes(
  counts: Int32Array,
  at: number,
  bed: Uint8Array,
  from: number,
  rows: Uint32Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    counts[at + ((bed[from + (row >> 2)] >> (2 * (row & 3))) & 3)]++;
  }
}

/** The genotypes of `rows` of one variant, four a byte; `out` holds zeros where the last byte is not full. */
export function packColumn(
  out: Uint8Array,
  at: number,
  bed: Uint8Array,
  from: number,
  rows: Uint32Array,
): void {
  const whole = rows.length & ~3;
  const code = (i: number): number => {
    const row = rows[i];
    return (bed[from + (row >> 2)] >> (2 * (row & 3))) & 3;
  };
  let i = 0;
  for (; i < whole; i += 4)
    out[at++] = code(i) | (code(i + 1) << 2) | (code(i + 2) << 4) | (code(i + 3) << 6);
  for (let shift = 0; i < rows.length; i++, shift += 2) out[at] |= code(i) << shift;
}

/** Standardised genotypes, columns×rows: (copies − mean)·scale, missing 0. */
export function unpackGenotypes(
  out: Float32Array,
  bytes: Uint8Array,
  rows: number,
  { mean, scale }: ColumnScales,
  start: number,
  end: number,
): void {
  const each = Math.ceil(rows / 4);
  const table = new Float32Array(4);
  for (let s = start; s < end; s++) {
    for (let code = 0; code < 4; code++)
      table[code] = code === 1 ? 0 : (COPIES[code] - mean[s]) * scale[s];
    unpackColumn(out, (s - start) * rows, bytes, (s - start) * each, rows, table);
  }
}

function unpackColumn(
  out: Float32Array,
  at: number,
  bytes: Uint8Array,
  from: number,
  rows: number,
  table: Float32Array,
): void {
  const whole = rows & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    const byte = bytes[from++];
    out[at + i] = table[byte & 3];
    out[at + i + 1] = table[(byte >> 2) & 3];
    out[at + i + 2] = table[(byte >> 4) & 3];
    out[at + i + 3] = table[byte >> 6];
  }
  for (let byte = bytes[from]; i < rows; i++, byte >>= 2) out[at + i] = table[byte & 3];
}
