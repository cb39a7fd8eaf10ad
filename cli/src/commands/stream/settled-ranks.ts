/** Scores that agree to this share of themselves are equal: streaming reproduces what is in memory no closer. */
const EQUAL = 1e-10;

/**
 * Ranks from 1 for the largest score, 0 for NaN, where scores that differ by rounding alone keep the order of the columns: copies of a column
 * have the same effect, but not always to the last bit, for that depends on where in a block each stood. O(p log p).
 */
export function settledRanks(scores: Float64Array): Uint32Array {
  const order = Uint32Array.from(scores.keys())
    .filter((j) => !Number.isNaN(scores[j]))
    .sort((a, b) => scores[b] - scores[a] || a - b);
  const ranks = new Uint32Array(scores.length);
  for (let start = 0; start < order.length; ) {
    const largest = scores[order[start]];
    let end = start + 1;
    while (end < order.length && largest - scores[order[end]] <= EQUAL * largest) end++;
    order
      .subarray(start, end)
      .sort()
      .forEach((j, at) => {
        ranks[j] = start + at + 1;
      });
    start = end;
  }
  return ranks;
}
