/** Rows at a time: their pairs, 256 KB, stay in the cache while features go by. */
const BLOCK: i32 = 16384;
/** Bytes of a feature's sums: a pair of doubles for each of 256 bins. */
const SUMS: usize = 4096;
/** Bytes of a feature's counts. */
const COUNTS: usize = 1024;

/**
 * Gradient histograms of 4·groups binned features over the rows of one leaf, the inner loop of histogram trees.
 * Features lie in groups of four: their bins for a row are 4 bytes side by side, those of row i and group g at
 * bins + g·groupStride + 4i, so that one load brings four. `rows` lists the leaf's rows (0: the first `count`
 * rows), and entry i of `pairs` holds gradient and Hessian, two doubles, of the i-th of them (so the caller
 * gathers them once a leaf, not once a feature).
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
      for (let i = first; i < last; i++) {
        const row = rows ? load<u32>(rows + (<usize>i << 2)) : <u32>i;
        const four = load<u32>(group + (<usize>row << 2));
        const pair = v128.load(pairs + (<usize>i << 4));
        add(sum + ((four << 4) & 0xff0), pair);
        add(sum + SUMS + ((four >> 4) & 0xff0), pair);
        add(sum + 2 * SUMS + ((four >> 12) & 0xff0), pair);
        add(sum + 3 * SUMS + ((four >> 20) & 0xff0), pair);
        if (counts)
          for (let f: usize = 0; f < 4; f++) {
            const at = tally + f * COUNTS + (((four >> (<u32>f << 3)) & 255) << 2);
            store<i32>(at, load<i32>(at) + 1);
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
function add(at: usize, pair: v128): void {
  v128.store(at, f64x2.add(v128.load(at), pair));
}
