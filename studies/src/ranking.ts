/** Scores of all variables by one method, and the order that follows from them. */
export interface Ranking {
  readonly scores: Float64Array;
  /** Variables from the most important down; ties by their place. */
  readonly order: Uint32Array;
}

export function rankingOf(scores: Float64Array): Ranking {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  return { scores, order };
}
