/** 1 for the largest score, ties by input order, 0 for NaN. O(p log p) without a comparison function. */
export function rankDescending(scores: Float64Array): Uint32Array {
  const sorted = sortedScores(scores);
  // Equal scores share one run of `sorted`; each takes the next place in it.
  const taken = new Uint32Array(sorted.length);
  const rank = new Uint32Array(scores.length);
  for (let j = 0; j < scores.length; j++) {
    if (Number.isNaN(scores[j])) continue;
    const end = lastPlace(sorted, scores[j]);
    rank[j] = sorted.length - end + ++taken[end - 1];
  }
  return rank;
}

/** Spearman's correlation, ties at their average rank; null when one side has no variation. NaN counts nowhere. */
export function spearman(x: Float64Array, y: Float64Array): number | null {
  const [a, b] = [averageRanks(x), averageRanks(y)];
  let [n, meanA, meanB] = [0, 0, 0];
  for (let j = 0; j < a.length; j++) {
    if (Number.isNaN(a[j] + b[j])) continue;
    n++;
    meanA += (a[j] - meanA) / n;
    meanB += (b[j] - meanB) / n;
  }
  let [aa, bb, ab] = [0, 0, 0];
  for (let j = 0; j < a.length; j++) {
    if (Number.isNaN(a[j] + b[j])) continue;
    aa += (a[j] - meanA) ** 2;
    bb += (b[j] - meanB) ** 2;
    ab += (a[j] - meanA) * (b[j] - meanB);
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : null;
}

function averageRanks(values: Float64Array): Float64Array {
  const sorted = sortedScores(values);
  return values.map((value) =>
    Number.isNaN(value)
      ? Number.NaN
      : (firstPlace(sorted, value) + lastPlace(sorted, value) + 1) / 2,
  );
}

const sortedScores = (scores: Float64Array): Float64Array =>
  scores.filter((value) => !Number.isNaN(value)).sort();

/** How many entries are below `value`. */
function firstPlace(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many entries are at most `value`. */
function lastPlace(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
