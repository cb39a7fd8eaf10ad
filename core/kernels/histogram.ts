/** Rows at a time: their pairs, 256 KB, stay in the cache while features go by. */
const BLOCK: i32 = 16384;
/** Bytes of a feature's sums: a pair of doubles for each of 256 bins. */
const SUMS: usize = 4096;
/** Bytes of a feature's counts. */
const COUNTS: usize = 1024;

/**
 * Gradient histograms of 4·groups binned features over the rows of one leaf, the inner loop of histogram trees.
 * Features lie in groups of four: their bins for a row are 4 bytes side by side, those of row i and group g at
 * bins + g·groupStride + 4i, so that one load brings four. `rows` lists the leaf's rows, and entry i of `pairs`
 * holds gradient and Hessian, two doubles, of the i-th of them (so the caller gathers them once a leaf, not
 * once a feature).
 *
 *     sums[f, b] ← Σ (gradient, Hessian),   counts[f, b] ← number of rows,   over rows with bin b
 *
 * `sums` is 256 pairs of doubles a feature, `counts` 256 integers, or 0: not wanted. Both are overwritten, in
 * the order of the rows. Where `rest` is not 0 it holds the sums of a leaf that these rows are a part of (and
 * `restCounts` its counts), and is left with those of the other part.
 */
export function histogram(
  groups: i32,
  count: i32,
  bins: usize,
  groupStride: usize,
  rows: usize,
  pairs: usize,
  sums: usize,
  counts: usize,
  rest: usize,
  restCounts: usize,
): void {
  const sumBytes = <usize>groups * 4 * SUMS;
  const countBytes = <usize>groups * 4 * COUNTS;
  memory.fill(sums, 0, sumBytes);
  if (counts) memory.fill(counts, 0, countBytes);
  for (let first = 0; first < count; first += BLOCK) {
    const last = min(count, first + BLOCK);
    for (let g = 0; g < groups; g++) {
      const group = bins + <usize>g * groupStride;
      const sum = sums + <usize>g * 4 * SUMS;
      const tally = counts + <usize>g * 4 * COUNTS;
      let at = rows + (<usize>first << 2);
      let pair = pairs + (<usize>first << 4);
      const end = rows + (<usize>last << 2);
      // The bins of two rows before the sums of either: half as fast again as row by row.
      while (at + 4 < end) {
        const one = load<u32>(group + (<usize>load<u32>(at) << 2));
        const two = load<u32>(group + (<usize>load<u32>(at, 4) << 2));
        addFour(sum, one, v128.load(pair));
        addFour(sum, two, v128.load(pair, 16));
        at += 8;
        pair += 32;
      }
      if (at < end) addFour(sum, load<u32>(group + (<usize>load<u32>(at) << 2)), v128.load(pair));
      if (counts)
        for (let i = first; i < last; i++) {
          const bin = group + (<usize>load<u32>(rows + (<usize>i << 2)) << 2);
          for (let f: usize = 0; f < 4; f++) {
            const place = tally + f * COUNTS + (<usize>load<u8>(bin + f) << 2);
            store<i32>(place, load<i32>(place) + 1);
          }
        }
    }
  }
  if (rest)
    for (let at: usize = 0; at < sumBytes; at += 16)
      v128.store(rest + at, f64x2.sub(v128.load(rest + at), v128.load(sums + at)));
  if (restCounts)
    for (let at: usize = 0; at < countBytes; at += 4)
      store<i32>(restCounts + at, load<i32>(restCounts + at) - load<i32>(counts + at));
}

// @ts-ignore: decorator
@inline
function addFour(sum: usize, four: u32, pair: v128): void {
  let at = sum + ((four << 4) & 0xff0);
  v128.store(at, f64x2.add(v128.load(at), pair));
  at = sum + ((four >> 4) & 0xff0);
  v128.store(at, f64x2.add(v128.load(at, SUMS), pair), SUMS);
  at = sum + ((four >> 12) & 0xff0);
  v128.store(at, f64x2.add(v128.load(at, 2 * SUMS), pair), 2 * SUMS);
  at = sum + ((four >> 20) & 0xff0);
  v128.store(at, f64x2.add(v128.load(at, 3 * SUMS), pair), 3 * SUMS);
}
