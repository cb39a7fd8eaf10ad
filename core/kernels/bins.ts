/**
 * bins[i] ← the number of cuts below values[i]; 255 where it is NaN. `cuts` are 255 doubles that do not fall,
 * the last and those not needed being infinite. 8 comparisons a value, without branches.
 */
export function binValues(count: i32, values: usize, cuts: usize, bins: usize): void {
  for (let i = 0; i < count; i++) {
    const value = load<f64>(values + (<usize>i << 3));
    let bin: usize = 0;
    for (let step: usize = 128; step; step >>= 1)
      bin += value <= load<f64>(cuts + ((bin + step - 1) << 3)) ? 0 : step;
    store<u8>(bins + <usize>i, <u8>bin);
  }
}

/**
 * Parts `count` rows and their pairs: those with a bin of at most `bin` come first, both sides in the order they
 * had; missing ones (255) first where `missingLeft` is 1. The column's bin of row i is at column + 4i, `spareRows` and
 * `sparePairs` are room for as many. Returns how many went left, or ~ that when none was missing.
 */
export function partition(
  count: i32,
  column: usize,
  bin: i32,
  missingLeft: i32,
  rows: usize,
  pairs: usize,
  spareRows: usize,
  sparePairs: usize,
): i32 {
  let left: usize = 0;
  let missing = false;
  for (let i: usize = 0; i < <usize>count; i++) {
    const row = load<u32>(rows + (i << 2));
    const pair = v128.load(pairs + (i << 4));
    const here = <i32>load<u8>(column + (<usize>row << 2));
    // Written to both sides, which never overtake i: cheaper than a branch that nobody can foresee.
    store<u32>(rows + (left << 2), row);
    v128.store(pairs + (left << 4), pair);
    store<u32>(spareRows + ((i - left) << 2), row);
    v128.store(sparePairs + ((i - left) << 4), pair);
    missing = missing || here == 255;
    left += <usize>(((here + missingLeft) & 255) <= bin + missingLeft);
  }
  memory.copy(rows + (left << 2), spareRows, (<usize>count - left) << 2);
  memory.copy(pairs + (left << 4), sparePairs, (<usize>count - left) << 4);
  return missing ? <i32>left : ~(<i32>left);
}
