import { type EffectSizes, rate } from "@ratewise/core";

/** Scores of all variables by one method, and the order that follows from them. */
export interface Ranking {
  readonly scores: Float64Array;
  /** Variables from the most important down; ties by their place. */
  readonly order: Uint32Array;
}

/** By RATE of each variable. */
export const rateRanking = (effects: EffectSizes): Ranking =>
  rankingOf(rate(effects).variables.rate);

export const rankingOf = (scores: Float64Array): Ranking => ({
  scores,
  order: Uint32Array.from(orderOf(scores)),
});

/** From the largest down; ties by their place. */
export function orderOf(scores: Float64Array): number[] {
  return [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
}

/** 1 for the largest. */
export function placeOf(scores: Float64Array, at: number): number {
  return 1 + scores.filter((score) => score > scores[at]).length;
}
