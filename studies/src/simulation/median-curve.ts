import { fold, type Key, uniforms } from "@ratewise/core";
import { median, quantile } from "@ratewise/core/evaluate";
import { uniformInteger } from "@ratewise/core/random";

/**
 * The ROC curve of a ranking as counts: how many causal variables stand before the first, second, … other one. Where scores tie, the
 * causal ones of the tie count by half, the mean over all orders of it.
 */
export function causalBefore(scores: Float64Array, causal: Uint8Array): number[] {
  const others = scores.filter((_, j) => causal[j] === 0).sort((a, b) => b - a);
  const own = scores.filter((_, j) => causal[j] === 1);
  return Array.from(others, (other) =>
    own.reduce((sum, score) => sum + (score > other ? 1 : score === other ? 0.5 : 0), 0),
  );
}

/** A curve over false positive rates 0 … 1, from (0, 0). */
export interface CurveBand {
  readonly falsePositiveRate: number[];
  readonly truePositiveRate: number[];
  readonly low: number[];
  readonly high: number[];
}

const LEVEL = 0.95;

/**
 * The median of some curves at every false positive rate, with a pointwise 95% band: quantiles of the median of curves drawn with replacement.
 *
 * @param before counts of each curve, as `causalBefore` has them
 * @param causal causal variables in all
 */
export function medianCurve(
  before: readonly (readonly number[])[],
  causal: number,
  { key, repeats }: { readonly key: Key; readonly repeats: number },
): CurveBand {
  const others = before[0].length;
  const at = Array.from({ length: others + 1 }, (_, k) => k);
  // The curve rises at a rate's left end and is level until the next: before the k-th other all it has found so far.
  const height = (counts: readonly number[], k: number): number =>
    k < others ? counts[k] / causal : 1;
  const next = uniforms(fold(key, "curves"));
  const samples = Array.from({ length: repeats }, () =>
    before.map(() => uniformInteger(next, before.length)),
  );
  const columns = at.map((k) => before.map((counts) => height(counts, k)));
  const draws = columns.map((column) =>
    samples.map((sample) => median(sample.map((i) => column[i]))),
  );
  return {
    falsePositiveRate: [0, ...at.map((k) => k / others)],
    truePositiveRate: [0, ...columns.map((column) => median(column))],
    low: [0, ...draws.map((values) => quantile(values, (1 - LEVEL) / 2))],
    high: [0, ...draws.map((values) => quantile(values, (1 + LEVEL) / 2))],
  };
}
