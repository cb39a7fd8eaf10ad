/** Bins of values, at most; one more is for missing values. */
export const VALUE_BINS = 255;

/**
 * Where a column is cut into bins: bin b holds values x with cuts[b − 1] < x ≤ cuts[b]. Columns of at most 255 distinct
 * values have a bin for each. Others have bins of about equal measure: the share of rows, and `rangeShare` times the
 * share of the range, so that tails are cut finer than their few rows ask for. A value that fills more than its
 * share has a bin to itself. `sorted` holds what is not missing, and `zeros` more values of 0 beside it.
 */
export function binCuts(sorted: Float64Array, zeros = 0, rangeShare = 0): Float64Array {
  const { values, counts } = distinct(sorted, zeros);
  const last = values.length - 1;
  const rows = sorted.length + zeros;
  const range = values[last] - values[0];
  const spare = values.length > VALUE_BINS;
  const most = rows / VALUE_BINS;
  /** Of value k and the gap after it, in rows; neither more than a bin's share, which is all a bin can hold of it. */
  const measure = (k: number): number => {
    const gap = k < last && range < Infinity ? (values[k + 1] - values[k]) / range : 0;
    return Math.min(counts[k], most) + Math.min(rangeShare * rows * gap, most);
  };
  const cuts: number[] = [];
  let left = 0;
  for (let k = 0; k <= last; k++) left += measure(k);
  let filled = 0;
  for (let k = 0; k < last && cuts.length < VALUE_BINS - 1; k++) {
    filled += measure(k);
    const share = left / (VALUE_BINS - cuts.length);
    const alone = Math.max(counts[k], counts[k + 1]) >= most;
    if (spare && filled < share && !alone) continue;
    cuts.push(between(values[k], values[k + 1]));
    left -= filled;
    filled = 0;
  }
  return Float64Array.from(cuts);
}

/** A number m with low ≤ m < high, halfway where rounding allows. */
function between(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle < high && middle >= low ? middle : low;
}

function distinct(
  sorted: Float64Array,
  zeros: number,
): { readonly values: number[]; readonly counts: number[] } {
  const values: number[] = [];
  const counts: number[] = [];
  let pending = zeros;
  const add = (value: number, count: number): void => {
    if (values.length > 0 && values[values.length - 1] === value)
      counts[counts.length - 1] += count;
    else {
      values.push(value);
      counts.push(count);
    }
  };
  for (let i = 0; i < sorted.length; i++) {
    if (pending > 0 && sorted[i] >= 0) {
      add(0, pending);
      pending = 0;
    }
    add(sorted[i], 1);
  }
  if (pending > 0) add(0, pending);
  return { values, counts };
}

/** The bin of a value: how many cuts lie below it. 8 comparisons at most. */
export function binOf(cuts: Float64Array, value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > cuts[middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}
