import type { FloatArray } from "../compute/index.ts";
import { exp, log } from "../elementary/index.ts";
import { weightedMean } from "../linalg/moments.ts";
import type { RowWeights } from "./row-weights.ts";

/** A response that a network is trained on as its logarithm, t = log(y + shift). */
export interface LogScale {
  readonly kind: "log";
  /** 0 where all responses are positive. */
  readonly shift: number;
  /**
   * Mean of e^(t − f) over rows that the network had not seen (Duan 1983): e^f is near the median of a new response and below its
   * mean, which is smear·e^f − shift.
   */
  readonly smear: number;
  /** The smallest and the largest response in the training rows: no mean is predicted beyond them. */
  readonly smallest: number;
  readonly largest: number;
}

/** How the response enters training: whatever held-back rows say, or as the user wants it. */
export const targetScales = ["auto", "as-is", "log"] as const;
export type TargetScaleName = (typeof targetScales)[number];

/** Above this skewness a log scale is tried; that of an exponential is 2, of a Gaussian 0. */
const SKEWED = 1;
const MOST_ZEROS = 0.1;
/** Where some responses are 0, this quantile of the positive ones is added to all. */
const SHIFT_QUANTILE = 0.1;

/**
 * A log scale without its smear, which only a network can tell; null where a response is negative, where all are 0, and where
 * they have all the same value.
 */
export function logScaleOf(y: FloatArray): Omit<LogScale, "smear"> | null {
  const sorted = Float64Array.from(y).sort();
  const [smallest, largest] = [sorted[0], sorted[sorted.length - 1]];
  if (!(smallest >= 0) || !(largest > smallest) || !Number.isFinite(largest)) return null;
  const positive = sorted.subarray(sorted.findIndex((value) => value > 0));
  const shift = smallest > 0 ? 0 : positive[Math.floor(SHIFT_QUANTILE * (positive.length - 1))];
  return { kind: "log", shift, smallest, largest };
}

/**
 * Whether few responses lie far above the others, skewness Σ(y − ȳ)³/n over s³ above 1, and at most one in ten is 0: a heap of zeros
 * is one on any scale.
 *
 * @param weights what each row counts; default the same
 */
export function isSkewed(y: FloatArray, weights: RowWeights = null): boolean {
  const meanOver = (of: (value: number) => number): number =>
    weightedMean(Float64Array.from(y, of), weights);
  if (meanOver((value) => (value === 0 ? 1 : 0)) > MOST_ZEROS) return false;
  const mean = weightedMean(y, weights);
  const spread = Math.sqrt(meanOver((value) => (value - mean) ** 2));
  if (!(spread > 0)) return false;
  return meanOver((value) => ((value - mean) / spread) ** 2 * (value - mean)) / spread > SKEWED;
}

export function toLogScale({ shift }: Pick<LogScale, "shift">, y: FloatArray): Float64Array {
  return Float64Array.from(y, (value) => log(value + shift));
}

/** e^f, the response's middle plus the shift; nowhere beyond the training rows, however far f was drawn out. */
export function middleOf(
  { shift, smallest, largest }: Omit<LogScale, "kind" | "smear">,
  f: number,
): number {
  return Math.min(largest + shift, Math.max(smallest + shift, exp(f)));
}

/** The mean response where the logarithm's is f, within the training rows' range. */
export function meanResponse(scale: Omit<LogScale, "kind">, f: number): number {
  const { shift, smear, smallest, largest } = scale;
  return Math.min(largest, Math.max(smallest, smear * middleOf(scale, f) - shift));
}

/**
 * Standard deviation of a response whose logarithm has variance v and whose mean is given: (mean + shift)·√(eᵛ − 1), that of a
 * log-normal, and at most the training rows' range.
 */
export function responseDeviation(
  { shift, smallest, largest }: Omit<LogScale, "kind" | "smear">,
  mean: number,
  v: number,
): number {
  return Math.min(largest - smallest, (mean + shift) * Math.sqrt(exp(v) - 1));
}
