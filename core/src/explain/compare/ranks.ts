import { averageRanks } from "../../evaluate/index.ts";

/** Whether scores tell any two of several apart. One alone has nothing to be told from. */
export function ranksNothing(scores: Float64Array): boolean {
  return scores.length > 1 && scores.every((score) => score === scores[0] || Number.isNaN(score));
}

/**
 * Rank 1 for the largest score; equal scores share the mean of the ranks they span, as in Spearman's correlation. Null for
 * NaN, and for all where they are all the same: such scores rank nothing.
 */
export function sharedRanks(scores: Float64Array): (number | null)[] {
  if (ranksNothing(scores)) return Array.from(scores, () => null);
  const known = [...scores.keys()].filter((j) => !Number.isNaN(scores[j]));
  const rising = averageRanks(known.map((j) => scores[j]));
  const ranks: (number | null)[] = Array.from(scores, () => null);
  known.forEach((j, k) => {
    ranks[j] = known.length + 1 - rising[k];
  });
  return ranks;
}

/** From the largest score on, equal ones in the order given, NaN last: the order in which the shuffle test takes variables. */
export function shuffleOrder(scores: Float64Array): Uint32Array {
  const order = Uint32Array.from(scores.keys());
  const height = (j: number): number =>
    Number.isNaN(scores[j]) ? Number.NEGATIVE_INFINITY : scores[j];
  return order.sort((a, b) => (height(a) === height(b) ? a - b : height(b) > height(a) ? 1 : -1));
}
