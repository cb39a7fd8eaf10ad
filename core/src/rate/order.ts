const DIGIT = 11;
const BUCKETS = 1 << DIGIT;
const PASSES = 6; // 6 · 11 ≥ 64 bits

/** Values in ascending order, NaN left out, and the index that each had. */
export interface Order {
  readonly index: Uint32Array;
  readonly value: Float64Array;
}

/**
 * Ascending order, equal values in input order, −0 equal to 0. Radix sort of the bits of the doubles, O(p): a
 * comparison sort of a million scores would take longer than scoring them. Keys move along with their
 * indexes, since looking them up would miss the cache every time.
 */
export function stableOrder(values: Float64Array): Order {
  let from = sortableKeys(values);
  const n = from.index.length;
  let to: Keys = {
    low: new Uint32Array(n),
    high: new Uint32Array(n),
    index: new Uint32Array(n),
  };
  const places = new Uint32Array(BUCKETS);
  for (let pass = 0; pass < PASSES; pass++) {
    places.fill(0);
    for (let i = 0; i < n; i++) places[digit(from.low[i], from.high[i], pass)]++;
    let place = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = places[bucket];
      places[bucket] = place;
      place += count;
    }
    for (let i = 0; i < n; i++) {
      const at = places[digit(from.low[i], from.high[i], pass)]++;
      to.low[at] = from.low[i];
      to.high[at] = from.high[i];
      to.index[at] = from.index[i];
    }
    [from, to] = [to, from];
  }
  return { index: from.index, value: valuesOf(from) };
}

interface Keys {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly index: Uint32Array;
}

/** The two words of each double, mapped so that their order as unsigned numbers is that of the doubles. */
function sortableKeys(values: Float64Array): Keys {
  const low = new Uint32Array(values.length);
  const high = new Uint32Array(values.length);
  const index = new Uint32Array(values.length);
  const word = new Float64Array(1);
  const bits = new Uint32Array(word.buffer);
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    word[0] = values[i] + 0; // −0 becomes 0
    const negative = bits[1] >>> 31 === 1;
    low[n] = negative ? ~bits[0] : bits[0];
    high[n] = negative ? ~bits[1] : bits[1] | 0x80000000;
    index[n++] = i;
  }
  return { low: low.subarray(0, n), high: high.subarray(0, n), index: index.subarray(0, n) };
}

function valuesOf({ low, high }: Keys): Float64Array {
  const out = new Float64Array(low.length);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < low.length; i++) {
    const negative = high[i] >>> 31 === 0;
    bits[2 * i] = negative ? ~low[i] : low[i];
    bits[2 * i + 1] = negative ? ~high[i] : high[i] & 0x7fffffff;
  }
  return out;
}

function digit(low: number, high: number, pass: number): number {
  const shift = pass * DIGIT;
  if (shift >= 32) return (high >>> (shift - 32)) & (BUCKETS - 1);
  const spill = shift + DIGIT > 32 ? high << (32 - shift) : 0;
  return ((low >>> shift) | spill) & (BUCKETS - 1);
}
