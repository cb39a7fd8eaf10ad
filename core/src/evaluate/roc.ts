import { RatewiseError, shapeError } from "../errors.ts";
import { averageRanks, type Numbers } from "./ranks.ts";

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
    throw shapeError(where, `one label per score (${scores.length})`, `${labels.length}`);
  let positives = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== 0 && labels[i] !== 1)
      throw new RatewiseError("domain", {
        in: where,
        what: `needs labels 0 and 1, got ${labels[i]}`,
      });
    if (Number.isNaN(scores[i]))
      throw new RatewiseError("domain", { in: where, what: `needs numbers, got NaN at ${i}` });
    positives += labels[i];
  }
  if (positives === 0 || positives === labels.length)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs both labels, got ${positives} positives`,
    });
  return positives;
}
