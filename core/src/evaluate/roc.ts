import { RatewiseError, shapeError } from "../errors.ts";
import { averageRanks, type Numbers } from "./ranks.ts";

/**
 * Area under the ROC curve as the Mann–Whitney statistic: the chance that a positive scores above
 * a negative, a tie counting one half (average ranks). O(n log n).
 *
 * @param weights what each row counts, a pair of rows their product; default the same
 */
export function areaUnderRoc(
  scores: Numbers,
  labels: Numbers,
  weights: Numbers | null = null,
): number {
  const positives = countPositives("areaUnderRoc", scores, labels);
  if (weights) return weightedArea(scores, labels, weights);
  const ranks = averageRanks(scores);
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) if (labels[i] === 1) sum += ranks[i];
  const negatives = scores.length - positives;
  return (sum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** Σ over pairs of w_i·w_j·(1 where the positive i scores above the negative j, ½ where they tie), over that of all pairs. */
function weightedArea(scores: Numbers, labels: Numbers, weights: Numbers): number {
  if (weights.length !== scores.length)
    throw shapeError(
      "areaUnderRoc",
      `one weight per score (${scores.length})`,
      `${weights.length}`,
    );
  const order = Array.from(labels, (_, i) => i).sort((a, b) => scores[a] - scores[b]);
  let [pairs, below, all] = [0, 0, 0];
  for (let first = 0; first < order.length; ) {
    // Of rows that tie.
    let [positive, negative] = [0, 0];
    const score = scores[order[first]];
    for (; first < order.length && scores[order[first]] === score; first++)
      if (labels[order[first]] === 1) positive += weights[order[first]];
      else negative += weights[order[first]];
    pairs += positive * (below + negative / 2);
    below += negative;
    all += positive;
  }
  return pairs / (all * below);
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
