import { chosenKernels } from "./chosen-kernels.ts";

/** All arrays lie in an {@link Arena}. */
export interface PartitionArrays {
  readonly bins: Uint8Array;
  readonly rows: Int32Array;
  readonly pairs: Float64Array;
  /** Room for as many rows and pairs. */
  readonly spareRows: Int32Array;
  readonly sparePairs: Float64Array;
}

/**
 * bins[i] ← the number of cuts below values[i]; 255 where it is NaN. `cuts` are 255 numbers that do not fall,
 * the last and those not needed being infinite. All arrays lie in an {@link Arena}.
 */
export function binValuesInto(bins: Uint8Array, values: Float64Array, cuts: Float64Array): void {
  chosenKernels().exports.binValues(
    ...([values.length, values.byteOffset, cuts.byteOffset, bins.byteOffset] as const),
  );
}

/**
 * Puts those of rows start … end − 1 with a bin of at most `bin` before the others, and their pairs with them, both
 * sides in the order they had. Row i's bin is `bins[first + GROUP * i]`. Missing ones (bin 255) go left where
 * `missingLeft` says.
 */
export function partitionInPlace(
  { bins, rows, pairs, spareRows, sparePairs }: PartitionArrays,
  [start, end]: readonly [number, number],
  first: number,
  bin: number,
  missingLeft: boolean,
): { readonly left: number; readonly missing: boolean } {
  const { partition } = chosenKernels().exports;
  const [rowsAt, pairsAt] = [rows.byteOffset + 4 * start, pairs.byteOffset + 16 * start];
  // biome-ignore format: in the order of the kernel
  const answer = partition(
    end - start, bins.byteOffset + first, bin, missingLeft ? 1 : 0,
    rowsAt, pairsAt, spareRows.byteOffset, sparePairs.byteOffset,
  );
  return answer < 0 ? { left: ~answer, missing: false } : { left: answer, missing: true };
}
