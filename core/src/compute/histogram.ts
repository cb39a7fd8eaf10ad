import { chosenKernels } from "./chosen-kernels.ts";
import type { KernelCall } from "./kernel-names.ts";
import { splitEvenly } from "./split.ts";

/** Bins of a feature, at most: a bin is one byte. */
export const HISTOGRAM_BINS = 256;

/** An update costs some ten multiply-adds of a product. */
const UPDATE_WORK = 10;

/** Sums of gradients and Hessians, and numbers of rows, by feature and bin. In an {@link Arena}. */
export interface Histograms {
  /** features × 256 × (gradient, Hessian). */
  readonly sums: Float64Array;
  /** features × 256; null where nobody asks for them. */
  readonly counts: Int32Array | null;
}

/** All arrays lie in an {@link Arena}: the kernel uses them in place. */
export interface HistogramArrays extends Histograms {
  /** Feature f of row i is `bins[f * stride + i]`. */
  readonly bins: Uint8Array;
  readonly stride: number;
  /** Gradient and Hessian of the i-th row listed, at 2i and 2i + 1. */
  readonly pairs: Float64Array;
  /** The rows of the leaf; null: the first ones. */
  readonly rows: Int32Array | null;
  /** Of a leaf that holds these rows: what is left there are the histograms of its other rows. */
  readonly rest?: Histograms;
}

/**
 * sums[f, b] ← Σ (gradient, Hessian) and counts[f, b] over the `count` rows of a leaf whose feature f is in
 * bin b, in the order of the rows. Split over threads by features, so the bytes are the same for any number.
 */
export function histogramsInto(arrays: HistogramArrays, features: number, count: number): void {
  const { bins, stride, pairs, rows, sums, counts, rest } = arrays;
  const kernels = chosenKernels();
  // Pieces begin at multiples of 4, as many features as the kernel takes at a time.
  const pieces = splitEvenly(features, threadsForUpdates(features * count), 4);
  kernels.run(
    pieces.map(
      ([start, end]): KernelCall => [
        ...(["histogram", end - start, count, bins.byteOffset + start * stride, stride] as const),
        ...([rows ? rows.byteOffset : 0, pairs.byteOffset] as const),
        ...([sumsAt(sums, start), countsAt(counts, start)] as const),
        ...([rest ? sumsAt(rest.sums, start) : 0, countsAt(rest?.counts, start)] as const),
      ],
    ),
  );
}

/** Into how many parts so many updates of histograms are best cut now; a great number of them starts threads. */
export function threadsForUpdates(updates: number): number {
  return chosenKernels().threadsFor(UPDATE_WORK * updates);
}

export function sumsAt(sums: Float64Array, feature: number): number {
  return sums.byteOffset + feature * HISTOGRAM_BINS * 16;
}

export function countsAt(counts: Int32Array | null | undefined, feature: number): number {
  return counts ? counts.byteOffset + feature * HISTOGRAM_BINS * 4 : 0;
}
