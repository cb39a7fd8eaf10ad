const DIGIT = 11;
const BUCKETS = 1 << DIGIT;
const PASSES = 3; // 3 · 11 ≥ 32 bits

/** Runs of at most this many keys that agree in their high words are put in order by insertion. */
const SHORT_RUN = 32;

/** Values in ascending order, NaN left out, and the index that each had. */
export interface Order {
  readonly index: Uint32Array;
  readonly value: Float64Array;
}

/**
 * Ascending order, equal values in input order, −0 equal to 0. Radix sort of the high words of the doubles
 * (sign, exponent, 20 bits of the fraction), then of the few runs that agree in those: O(p) unless most
 * values differ by less than a millionth. A comparison sort of a million scores would take longer than
 * scoring them.
 */
export function stableOrder(values: Float64Array): Order {
  let from = sortableKeys(values);
  const n = from.index.length;
  let to: Keys = { high: new Uint32Array(n), index: new Uint32Array(n) };
  const places = placesOfDigits(from.high);
  for (let pass = 0; pass < PASSES; pass++) {
    const { high, index } = from;
    const place = places[pass];
    for (let i = 0; i < n; i++) {
      const at = place[(high[i] >>> (pass * DIGIT)) & (BUCKETS - 1)]++;
      to.high[at] = high[i];
      to.index[at] = index[i];
    }
    [from, to] = [to, from];
  }
  const { high, index } = from;
  const value = new Float64Array(n);
  for (let i = 0; i < n; i++) value[i] = values[index[i]] + 0; // −0 becomes 0
  for (let start = 0, end = 1; start < n; start = end++) {
    while (end < n && high[end] === high[start]) end++;
    if (end - start > 1) sortRun(index, value, start, end);
  }
  return { index, value };
}

interface Keys {
  readonly high: Uint32Array;
  readonly index: Uint32Array;
}

/** The high word of each double, mapped so that its order as an unsigned number is that of the doubles. */
function sortableKeys(values: Float64Array): Keys {
  const high = new Uint32Array(values.length);
  const index = new Uint32Array(values.length);
  const word = new Float64Array(1);
  const bits = new Uint32Array(word.buffer);
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    word[0] = values[i] + 0;
    high[n] = bits[1] >>> 31 === 1 ? ~bits[1] : bits[1] | 0x80000000;
    index[n++] = i;
  }
  return { high: high.subarray(0, n), index: index.subarray(0, n) };
}

/** For each digit, where its first key goes. One pass over the keys. */
function placesOfDigits(high: Uint32Array): Uint32Array[] {
  const places = Array.from({ length: PASSES }, () => new Uint32Array(BUCKETS));
  const [low, middle, top] = places;
  for (let i = 0; i < high.length; i++) {
    low[high[i] & (BUCKETS - 1)]++;
    middle[(high[i] >>> DIGIT) & (BUCKETS - 1)]++;
    top[high[i] >>> (2 * DIGIT)]++;
  }
  for (const counts of places) {
    let place = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = counts[bucket];
      counts[bucket] = place;
      place += count;
    }
  }
  return places;
}

/** Orders the values from `start` to `end`, and their indexes with them; equal ones stay as they are. */
function sortRun(index: Uint32Array, value: Float64Array, start: number, end: number): void {
  if (end - start > SHORT_RUN) {
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    places.sort((i, j) => value[i] - value[j] || i - j);
    const indexes = Uint32Array.from(places, (i) => index[i]);
    const sorted = Float64Array.from(places, (i) => value[i]);
    index.set(indexes, start);
    value.set(sorted, start);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const own = value[i];
    const ownIndex = index[i];
    let at = i;
    for (; at > start && value[at - 1] > own; at--) {
      value[at] = value[at - 1];
      index[at] = index[at - 1];
    }
    value[at] = own;
    index[at] = ownIndex;
  }
}

/** The place after the last of the values that equal the one at `start`. */
export function endOfTie({ value }: Order, start: number): number {
  let end = start + 1;
  while (end < value.length && value[end] === value[start]) end++;
  return end;
}
