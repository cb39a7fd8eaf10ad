import { chosenKernels } from "./chosen-kernels.ts";
import type { KernelCall } from "./kernel-names.ts";
import { splitEvenly } from "./split.ts";

/** Bins of a feature, at most: a bin is one byte. */
export const HISTOGRAM_BINS = 256;

/** All arrays lie in an {@link Arena}: the kernel uses them in place. */
export interface HistogramArrays {
  /** Feature f of row i is `bins[f * stride + i]`. */
  readonly bins: Uint8Array;
  readonly stride: number;
  /** Gradient and Hessian of the i-th row listed, at 2i and 2i + 1. */
  readonly pairs: Float64Array;
  /** The rows of the leaf; null: the first ones. */
  readonly rows: Int32Array | null;
  /** features × 256 × (gradient, Hessian), overwritten. */
  readonly sums: Float64Array;
  /** features × 256, overwritten. */
  readonly counts: Int32Array;
}

/**
 * sums[f, b] ← Σ (gradient, Hessian) and counts[f, b] over the `count` rows of a leaf whose feature f is in
 * bin b, in the order of the rows. Split over threads by features, so the bytes are the same for any number.
 */
export function histogramsInto(arrays: HistogramArrays, features: number, count: number): void {
  const { bins, stride, pairs, rows, sums, counts } = arrays;
  const kernels = chosenKernels();
  // An update costs some ten multiply-adds of a product.
  const pieces = splitEvenly(features, kernels.threadsFor(10 * features * count), 1);
  kernels.run(
    pieces.map(
      ([start, end]): KernelCall => [
        ...(["histogram", end - start, count, bins.byteOffset + start * stride, stride] as const),
        ...([rows ? rows.byteOffset : 0, pairs.byteOffset] as const),
        ...([sums.byteOffset + start * HISTOGRAM_BINS * 16] as const),
        ...([counts.byteOffset + start * HISTOGRAM_BINS * 4] as const),
      ],
    ),
  );
}
