/** Bins of values, at most; one more is for missing values. */
export const VALUE_BINS = 255;

/**
 * Where a column is cut into bins: bin b holds values x with cuts[b − 1] < x ≤ cuts[b]. Columns of at most 255 distinct
 * values have a bin for each; others have bins of about as many rows, a value that fills more than its
 * share having one to itself. `sorted` holds what is not missing, and `zeros` more values of 0 beside it.
 */
export function binCuts(sorted: Float64Array, zeros = 0): Float64Array {
  const { values, counts } = distinct(sorted, zeros);
  const cuts: number[] = [];
  let rowsLeft = sorted.length + zeros;
  let binsLeft = VALUE_BINS;
  let filled = 0;
  const spare = values.length > VALUE_BINS;
  for (let k = 0; k + 1 < values.length && binsLeft > 1; k++) {
    filled += counts[k];
    const share = rowsLeft / binsLeft;
    // Also before a value that would fill a bin by itself.
    if (spare && filled < share && filled + counts[k + 1] < 2 * share) continue;
    cuts.push(between(values[k], values[k + 1]));
    rowsLeft -= filled;
    binsLeft--;
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
