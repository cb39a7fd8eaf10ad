/** Rows at a time: their pairs, 256 KB, stay in the cache while features go by. */
const BLOCK: i32 = 16384;
/** Bytes of a feature's sums: a pair of doubles for each of 256 bins. */
const SUMS: usize = 4096;
/** Bytes of a feature's counts. */
const COUNTS: usize = 1024;

/**
 * Gradient histograms of `features` binned features over the rows of one leaf, the inner loop of
 * histogram trees. Feature f's bins are bytes, one a row, at bins + f·featureStride; `rows` lists the
 * leaf's rows (0: the first `count` rows), and entry i of `pairs` holds gradient and Hessian, two doubles,
 * of the i-th of them (so the caller gathers them once a leaf, not once a feature).
 *
 *     sums[f, b] ← Σ (gradient, Hessian),   counts[f, b] ← number of rows,   over rows with bin b
 *
 * `sums` is features×256 pairs of doubles, `counts` features×256 integers or 0: not wanted. Both are
 * overwritten, in the order of the rows. Where `rest` is not 0 it holds the sums of a leaf that these rows
 * are a part of (and `restCounts` its counts), and is left with those of the other part.
 */
export function histogram(
  features: i32,
  count: i32,
  bins: usize,
  featureStride: usize,
  rows: usize,
  pairs: usize,
  sums: usize,
  counts: usize,
  rest: usize,
  restCounts: usize,
): void {
  memory.fill(sums, 0, <usize>features * SUMS);
  if (counts) memory.fill(counts, 0, <usize>features * COUNTS);
  for (let first = 0; first < count; first += BLOCK) {
    const last = min(count, first + BLOCK);
    for (let f = 0; f < features; ) {
      // Four features a pass: row and pair are loaded once, and no sum waits for the one before it.
      const four = !counts && f + 4 <= features;
      const column = bins + <usize>f * featureStride;
      const sum = sums + <usize>f * SUMS;
      const tally = counts + <usize>f * COUNTS;
      for (let i = first; i < last; i++) {
        const row = column + (rows ? <usize>load<u32>(rows + (<usize>i << 2)) : <usize>i);
        const pair = v128.load(pairs + (<usize>i << 4));
        const bin = <usize>load<u8>(row);
        add(sum + (bin << 4), pair);
        if (four) {
          add(sum + SUMS + (<usize>load<u8>(row + featureStride) << 4), pair);
          add(sum + 2 * SUMS + (<usize>load<u8>(row + 2 * featureStride) << 4), pair);
          add(sum + 3 * SUMS + (<usize>load<u8>(row + 3 * featureStride) << 4), pair);
        } else if (counts) {
          const at = tally + (bin << 2);
          store<i32>(at, load<i32>(at) + 1);
        }
      }
      f += four ? 4 : 1;
    }
  }
  if (rest)
    for (let at: usize = 0; at < <usize>features * SUMS; at += 16)
      v128.store(rest + at, f64x2.sub(v128.load(rest + at), v128.load(sums + at)));
  if (restCounts)
    for (let at: usize = 0; at < <usize>features * COUNTS; at += 16)
      v128.store(restCounts + at, i32x4.sub(v128.load(restCounts + at), v128.load(counts + at)));
}

// @ts-ignore: decorator
@inline
function add(at: usize, pair: v128): void {
  v128.store(at, f64x2.add(v128.load(at), pair));
}
