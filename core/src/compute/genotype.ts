import { RatewiseError, shapeError } from "../errors.ts";
import { chosenKernels } from "./chosen-kernels.ts";
import type { FloatArray } from "./contract.ts";
import type { KernelCall } from "./kernel-names.ts";
import type { Kernels } from "./kernels.ts";
import { splitEvenly } from "./split.ts";
import { precision, Staging } from "./staging.ts";

/** As the kernel's: SNPs decoded at a time, and samples per block. */
const ROWS = 128;
const DEPTH = 256;
/** Bytes of a .bed file in kernel memory at a time. */
const PIECE_BYTES = 16 * 2 ** 20;

/** For every byte, where in a table of four floats, one a code, the 16 bytes of its four genotypes lie. */
const SPREAD: Uint8Array = Uint8Array.from({ length: 256 * 16 }, (_, at) => {
  const code = ((at >> 4) >> (2 * ((at >> 2) & 3))) & 3;
  return 4 * code + (at & 3);
});

export interface GenotypeBlock {
  /** SNP-major bytes as in a .bed file after its three magic ones: ⌈samples/4⌉ a SNP. */
  readonly bed: Uint8Array;
  readonly snps: number;
  readonly samples: number;
}

export interface GenotypeProduct<Numbers extends FloatArray> {
  /** XᵀH, snps×l, row-major. */
  readonly product: Numbers;
  /** Over the observed genotypes of each SNP, in copies of the first allele. */
  readonly sum: Float64Array;
  readonly sumOfSquares: Float64Array;
  readonly missing: Float64Array;
}

/**
 * XᵀH for genotypes X (samples×snps, copies of the first allele) straight from their two bits, and
 * H samples×l. A missing genotype counts as its SNP's mean; with `centred` every SNP's mean is taken
 * off, so that missing is 0. A SNP with nothing observed has mean 0. 2·samples·snps·l operations, in the
 * precision of H; X itself is never held.
 */
export function multiplyGenotypes<Numbers extends FloatArray>(
  { bed, snps, samples }: GenotypeBlock,
  H: Numbers,
  l: number,
  { centred = false }: { readonly centred?: boolean } = {},
): GenotypeProduct<Numbers> {
  const snpBytes = Math.ceil(samples / 4);
  if (bed.length !== snps * snpBytes)
    throw shapeError("multiplyGenotypes", `${snps}×${snpBytes} bytes`, `${bed.length}`);
  if (H.length !== samples * l)
    throw shapeError("multiplyGenotypes", `H of ${samples}×${l}`, `${H.length} numbers`);
  if (samples === 0)
    throw new RatewiseError("domain", {
      in: "multiplyGenotypes",
      what: "needs at least one sample, got 0",
    });
  const kernels = chosenKernels();
  const product = (
    H instanceof Float64Array ? new Float64Array(snps * l) : new Float32Array(snps * l)
  ) as Numbers;
  return run(kernels, { bed, snps, samples }, snpBytes, H, l, centred, product);
}

function run<Numbers extends FloatArray>(
  kernels: Kernels,
  { bed, snps, samples }: GenotypeBlock,
  snpBytes: number,
  H: Numbers,
  l: number,
  centred: boolean,
  product: Numbers,
): GenotypeProduct<Numbers> {
  const { memory } = kernels;
  const size = H.BYTES_PER_ELEMENT;
  const stats = new Float64Array(3 * snps);
  const height = Math.max(ROWS, Math.floor(PIECE_BYTES / snpBytes / ROWS) * ROWS);
  const stages = Array.from({ length: 3 }, () => new Staging(memory));
  const [stageH, stageOut, stageStats] = stages;
  const held: number[] = [];
  const allocate = (bytes: number): number => {
    const at = memory.allocate(bytes);
    held.push(at);
    return at;
  };
  try {
    const h = stageH.fill(H, 0, samples, l, l);
    const bytes = allocate(Math.min(snps, height) * snpBytes);
    const panels: number[] = [];
    for (let s = 0; s < snps; s += height) {
      const rows = Math.min(height, snps - s);
      const from = s * snpBytes;
      new Uint8Array(memory.buffer, bytes, rows * snpBytes).set(
        bed.subarray(from, from + rows * snpBytes),
      );
      const out = stageOut.room(product, s * l, rows, l, l);
      const told = stageStats.room(stats, 3 * s, rows, 3, 3);
      const pieces = splitEvenly(rows, kernels.threadsFor(rows * samples * l), ROWS);
      while (panels.length < pieces.length) {
        const panel = allocate(ROWS * (DEPTH + 4) * size + SPREAD.length);
        new Uint8Array(memory.buffer, panel + ROWS * (DEPTH + 4) * size, SPREAD.length).set(SPREAD);
        panels.push(panel);
      }
      const calls = pieces.map(
        ([start, end], thread): KernelCall => [
          ...([`genotypeProduct${precision(H)}`, end - start, samples] as const),
          ...([bytes + start * snpBytes, snpBytes, centred ? 1 : 0, l, h.at, h.row] as const),
          ...([out.at + start * out.row * size, out.row, told.at + start * 24] as const),
          ...([panels[thread], kernels.scratch(thread)] as const),
        ],
      );
      kernels.run(calls);
      stageOut.drain(product, s * l, rows, l, l);
      stageStats.drain(stats, 3 * s, rows, 3, 3);
    }
  } finally {
    for (const stage of stages) stage.release();
    for (const at of held) memory.release(at);
  }
  const every = (offset: number): Float64Array =>
    Float64Array.from({ length: snps }, (_, s) => stats[3 * s + offset]);
  return { product, sum: every(0), sumOfSquares: every(1), missing: every(2) };
}
