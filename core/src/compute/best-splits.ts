import { chosenKernels } from "./chosen-kernels.ts";
import {
  countsAt,
  GROUP,
  HISTOGRAM_BINS,
  type HistogramArrays,
  type Histograms,
  sumsAt,
} from "./histogram.ts";
import type { KernelCall } from "./kernel-names.ts";
import { splitEvenly } from "./split.ts";

/** The bin of missing values. */
export const MISSING_BIN: number = HISTOGRAM_BINS - 1;
/** Numbers of an answer: gain (−1: none), bin, next occupied bin (−1: none), whether missing rows go left. */
export const SPLIT_ANSWER = 4;
/** Doubles of the room that {@link bestSplitsOfRows} works in: see core/kernels/split.ts. Zero at first. */
export const SPLIT_ROOM = 1316;

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

/** A node whose histograms are known, and where the answers about it go: 4 numbers per feature, see {@link SPLIT_ANSWER}. */
export interface SplitQuestion {
  readonly answers: Float64Array;
  readonly histograms: Histograms;
  readonly totals: NodeTotals;
}

/** A cut costs some sixty multiply-adds of a product. */
const CUT_WORK = 60;

/**
 * The best cut of every feature of one or more nodes. The gain is G²/(H + λ) of the left plus that of the right
 * side. Split over threads by node and feature.
 */
export function bestSplitsInto(
  questions: readonly SplitQuestion[],
  features: number,
  limits: SplitLimits,
): void {
  const kernels = chosenKernels();
  const nodes = questions.length;
  const threads = kernels.threadsFor(CUT_WORK * nodes * features * HISTOGRAM_BINS);
  const parts = Math.max(1, Math.floor(threads / nodes));
  const calls = questions.flatMap(({ answers, histograms: { sums, counts }, totals }) =>
    splitEvenly(features, parts, 1).map(
      ([start, end]): KernelCall => [
        ...(["bestSplits", end - start, 0, 0, 0, 0, 0] as const),
        ...([sumsAt(sums, start), countsAt(counts, start)] as const),
        ...([totals.gradient, totals.hessian, totals.count] as const),
        ...([limits.l2, limits.leastHessian, limits.leastRows] as const),
        answers.byteOffset + start * SPLIT_ANSWER * 8,
      ],
    ),
  );
  if (calls.length <= threads) kernels.run(calls);
  else for (const call of calls) kernels.run([call]);
}

/** A node's rows: `totals.count` of those listed, from place `start` on. */
export interface RowsOfNode extends Pick<HistogramArrays, "bins" | "stride" | "rows" | "pairs"> {
  readonly start: number;
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
  { bins, stride, rows, pairs, start }: RowsOfNode,
  room: Float64Array,
  { gradient, hessian, count }: NodeTotals,
  { l2, leastHessian, leastRows }: SplitLimits,
): void {
  const { bestSplits } = chosenKernels().exports;
  const rowsAt = rows.byteOffset + 4 * start;
  const pairsAt = pairs.byteOffset + 16 * start;
  const [listAt, binsAt, roomAt] = [list.byteOffset, bins.byteOffset, room.byteOffset];
  // A list, spread, would be made anew at each of a tree's thousands of nodes.
  // biome-ignore format: in the order of the kernel
  bestSplits(
    features, listAt, binsAt, GROUP * stride, rowsAt, pairsAt, roomAt, 0,
    gradient, hessian, count, l2, leastHessian, leastRows, answers.byteOffset,
  );
}
