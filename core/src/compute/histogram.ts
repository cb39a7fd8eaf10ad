import { chosenKernels } from "./chosen-kernels.ts";
import type { KernelCall } from "./kernel-names.ts";
import { splitEvenly } from "./split.ts";

/** Bins of a feature, at most: a bin is one byte. */
export const HISTOGRAM_BINS = 256;

/** An update costs some ten multiply-adds of a product. */
const UPDATE_WORK = 10;

/** Sums of gradients and Hessians, and numbers of rows, by feature and bin. In an {@link Arena}. */
export interface Histograms {
  /** features × 256 × (gradient, Hessian), of whole groups of features. */
  readonly sums: Float64Array;
  /** features × 256; null where nobody asks for them. */
  readonly counts: Int32Array | null;
}

/** Features lie in groups of four, the bins of a row side by side. */
export const GROUP = 4;

/** So many features as whole groups hold: arrays of bins and histograms have room for these. */
export function wholeGroups(features: number): number {
  return Math.ceil(features / GROUP) * GROUP;
}

/** Where the bins of a feature begin among those of n rows; each next row's is {@link GROUP} further. */
export function featureStart(feature: number, n: number): number {
  return (feature - (feature % GROUP)) * n + (feature % GROUP);
}

/** All arrays lie in an {@link Arena}: the kernel uses them in place. */
export interface HistogramArrays extends Histograms {
  /** Feature f of row i is `bins[featureStart(f, stride) + GROUP * i]`; room for whole groups. */
  readonly bins: Uint8Array;
  /** Rows of the table. */
  readonly stride: number;
  /** Gradient and Hessian of the i-th row listed, at 2i and 2i + 1. */
  readonly pairs: Float64Array;
  /** The rows of the leaf. */
  readonly rows: Int32Array;
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
  const pieces = splitEvenly(wholeGroups(features), threadsForUpdates(features * count), GROUP);
  kernels.run(
    pieces.map(
      ([start, end]): KernelCall => [
        ...(["histogram", (end - start) / GROUP, count] as const),
        ...([bins.byteOffset + start * stride, GROUP * stride] as const),
        ...([rows.byteOffset, pairs.byteOffset] as const),
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
