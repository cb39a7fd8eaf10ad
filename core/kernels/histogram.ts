/** Bins of a feature: a bin is one byte. */
const BINS: i32 = 256;

/**
 * Gradient histograms of `features` binned features over the rows of one leaf, the inner loop of
 * histogram trees. Feature f's bins are bytes, one a row, at bins + f·featureStride; `rows` lists the
 * leaf's rows (0: the first `count` rows), and entry i of `pairs` holds gradient and Hessian, two doubles,
 * of the i-th of them (so the caller gathers them once a leaf, not once a feature).
 *
 *     sums[f, b] ← Σ (gradient, Hessian),   counts[f, b] ← number of rows,   over rows with bin b
 *
 * `sums` is features×256 pairs of doubles, `counts` features×256 integers; both are overwritten. The
 * order of summation is that of the rows.
 */
export function histogram(
  features: i32,
  count: i32,
  bins: usize,
  featureStride: i32,
  rows: usize,
  pairs: usize,
  sums: usize,
  counts: usize,
): void {
  memory.fill(sums, 0, <usize>(features * BINS * 16));
  memory.fill(counts, 0, <usize>(features * BINS * 4));
  for (let f = 0; f < features; f++) {
    const column = bins + <usize>f * <usize>featureStride;
    if (rows == 0) {
      for (let i = 0; i < count; i++) add(load<u8>(column + <usize>i), i, pairs, sums, counts);
    } else {
      for (let i = 0; i < count; i++) {
        const row = <usize>load<i32>(rows + (<usize>i << 2));
        add(load<u8>(column + row), i, pairs, sums, counts);
      }
    }
    sums += BINS * 16;
    counts += BINS * 4;
  }
}

// @ts-ignore: decorator
@inline
function add(bin: u8, i: i32, pairs: usize, sums: usize, counts: usize): void {
  const sum = sums + (<usize>bin << 4);
  v128.store(sum, f64x2.add(v128.load(sum), v128.load(pairs + (<usize>i << 4))));
  const at = counts + (<usize>bin << 2);
  store<i32>(at, load<i32>(at) + 1);
}
