import { RatewiseError, shapeError } from "../errors.ts";
import { averageRanks, type Numbers } from "./ranks.ts";

/** Corners of the receiver operating characteristic, from (0, 0) to (1, 1); tied scores are one step. */
export interface RocCurve {
  readonly falsePositiveRate: Float64Array;
  readonly truePositiveRate: Float64Array;
  /** Scores ≥ thresholds[i] are called positive; the first is +∞. */
  readonly thresholds: Float64Array;
}

/** The curve of `scores` (larger is more positive) against labels 0 and 1. O(n log n). */
export function rocCurve(scores: Numbers, labels: Numbers): RocCurve {
  const positives = countPositives("rocCurve", scores, labels);
  const n = scores.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => scores[b] - scores[a]);
  const falsePositiveRate = [0];
  const truePositiveRate = [0];
  const thresholds = [Number.POSITIVE_INFINITY];
  let hits = 0;
  for (let i = 0; i < n; i++) {
    hits += labels[order[i]];
    if (i + 1 < n && scores[order[i + 1]] === scores[order[i]]) continue;
    truePositiveRate.push(hits / positives);
    falsePositiveRate.push((i + 1 - hits) / (n - positives));
    thresholds.push(scores[order[i]]);
  }
  return {
    falsePositiveRate: Float64Array.from(falsePositiveRate),
    truePositiveRate: Float64Array.from(truePositiveRate),
    thresholds: Float64Array.from(thresholds),
  };
}

/**
 * Area under the ROC curve as the Mann–Whitney statistic: the chance that a positive scores above
 * a negative, a tie counting one half (average ranks). O(n log n).
 */
export function areaUnderRoc(scores: Numbers, labels: Numbers): number {
  const positives = countPositives("areaUnderRoc", scores, labels);
  const ranks = averageRanks(scores);
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) if (labels[i] === 1) sum += ranks[i];
  const negatives = scores.length - positives;
  return (sum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

function countPositives(where: string, scores: Numbers, labels: Numbers): number {
  if (scores.length !== labels.length)
    throw shapeError(where, `one label a score (${scores.length})`, `${labels.length}`);
  let positives = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== 0 && labels[i] !== 1)
      throw new RatewiseError("domain", `${where}: needs labels 0 and 1, got ${labels[i]}`);
    if (Number.isNaN(scores[i]))
      throw new RatewiseError("domain", `${where}: needs numbers, got NaN at ${i}`);
    positives += labels[i];
  }
  if (positives === 0 || positives === labels.length)
    throw new RatewiseError("domain", `${where}: needs both labels, got ${positives} positives`);
  return positives;
}
