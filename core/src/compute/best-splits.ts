import { chosenKernels } from "./chosen-kernels.ts";
import {
  countsAt,
  HISTOGRAM_BINS,
  type HistogramArrays,
  type Histograms,
  sumsAt,
  threadsForUpdates,
} from "./histogram.ts";
import type { KernelCall } from "./kernel-names.ts";
import { splitEvenly } from "./split.ts";

/** The bin of missing values. */
export const MISSING_BIN: number = HISTOGRAM_BINS - 1;
/** Numbers of an answer: gain (−1: none), bin, next occupied bin (−1: none), whether missing rows go left. */
export const SPLIT_ANSWER = 4;
/** Doubles of the room that {@link bestSplitsOfRows} works in: see core/kernels/split.ts. Zero at first. */
export const SPLIT_ROOM = 1060;

/** Of all rows of the node. */
export interface NodeTotals {
  readonly gradient: number;
  readonly hessian: number;
  readonly count: number;
}

/** What a split must leave on each side. */
export interface SplitLimits {
  /** λ of G²/(H + λ). */
  readonly l2: number;
  readonly leastHessian: number;
  /** Rows; heeded where there are counts. */
  readonly leastRows: number;
}

/**
 * The best cut of every feature of a node whose histograms are known: 4 numbers a feature into `answers`, see
 * {@link SPLIT_ANSWER}. The gain is G²/(H + λ) of the left plus that of the right side.
 */
export function bestSplitsInto(
  answers: Float64Array,
  histograms: Histograms,
  features: number,
  totals: NodeTotals,
  limits: SplitLimits,
): void {
  const { sums, counts } = histograms;
  const pieces = splitEvenly(features, threadsForUpdates(features * HISTOGRAM_BINS), 1);
  chosenKernels().run(
    pieces.map(
      ([start, end]): KernelCall => [
        ...(["bestSplits", end - start, 0, 0, 0, 0, 0] as const),
        ...([sumsAt(sums, start), countsAt(counts, start)] as const),
        ...([totals.gradient, totals.hessian, totals.count] as const),
        ...([limits.l2, limits.leastHessian, limits.leastRows] as const),
        answers.byteOffset + start * SPLIT_ANSWER * 8,
      ],
    ),
  );
}

/**
 * The same for the features in `list`, of a node whose rows are given: cheap also where the rows are few,
 * since only bins that hold a row are looked at. `room` is {@link SPLIT_ROOM} numbers that are zero before
 * the first call.
 */
export function bestSplitsOfRows(
  answers: Float64Array,
  list: Int32Array,
  features: number,
  node: Pick<HistogramArrays, "bins" | "stride" | "pairs"> & { readonly rows: Int32Array },
  room: Float64Array,
  totals: NodeTotals,
  limits: SplitLimits,
): void {
  chosenKernels().exports.bestSplits(
    ...([features, list.byteOffset, node.bins.byteOffset, node.stride] as const),
    ...([node.rows.byteOffset, node.pairs.byteOffset] as const),
    ...([room.byteOffset, 0, totals.gradient, totals.hessian, totals.count] as const),
    ...([limits.l2, limits.leastHessian, limits.leastRows, answers.byteOffset] as const),
  );
}
