/** The bin of rows whose value is missing: the last. */
const MISSING: usize = 255;
/** Doubles of an answer: gain, bin, next occupied bin or −1, whether missing rows go left. */
const ANSWER: usize = 32;
/** Places in the room: a histogram, the bins of a few rows, then slots and the bins they stand for. */
const BYTES: usize = 4096;
// Not at a multiple of 4,096: a store to a slot would hold up the load of a bin at the same place of another page.
const SLOTS: usize = 6176;
const SLOT_BINS: usize = 10272;
/** Rows of a node small enough to be ranked: two vectors of bytes. */
const RANKED: i32 = 32;

/**
 * The best cut of each listed feature in one node of a tree:
 *
 *     max over bins b of  G²(left)/(H(left) + λ) + G²(right)/(H(right) + λ),   left = { rows with bin ≤ b },
 *
 * missing rows on the right or, when that is better, on the left. G and H are sums of gradients and
 * Hessians, their totals over the node being gradient and hessian; both sides need H ≥ leastHessian and,
 * where counts are given, `least` rows of `total`. Answers are 4 doubles a feature in the order of the list;
 * a gain of −1 is none, or 0.
 *
 * With `rows` not 0 the histogram is made here of the node's `total` rows, one feature at a time, in `sums`, which is
 * then room of 10,528 bytes, zero at first and left fit for the next call. Otherwise feature f of the list has its
 * histogram at place f of `sums` and `counts`.
 */
export function bestSplits(
  features: i32,
  list: usize,
  bins: usize,
  groupStride: usize,
  rows: usize,
  pairs: usize,
  sums: usize,
  counts: usize,
  gradient: f64,
  hessian: f64,
  total: i32,
  lambda: f64,
  leastHessian: f64,
  least: i32,
  answers: usize,
): void {
  const sum = f64x2.replace_lane(f64x2.splat(gradient), 1, hessian);
  const lambdas = f64x2.splat(lambda);
  const leasts = f64x2.splat(leastHessian);
  // Not a constant, which would stand in the code, 18 bytes, wherever it is used.
  const zero = v128.xor(sum, sum);
  for (let f = 0; f < features; f++, answers += ANSWER) {
    let slots = sums;
    let used = <i32>MISSING;
    let missing = v128.load(sums + (MISSING << 4));
    if (rows) {
      const feature = <usize>load<u32>(list + (<usize>f << 2));
      const column = bins + (feature >> 2) * groupStride + (feature & 3);
      used = total <= RANKED ? rank(total, column, rows, pairs, sums, zero) : gather(total, column, rows, pairs, sums, zero);
      slots = sums + SLOTS;
      // Missing rows have the highest bin, so they are in the slot after the last.
      missing = v128.load(slots + (<usize>used << 4));
    }
    // In both lanes: the greatest gain, and 256·way + slot where it is. Without branches, which noise would mislead.
    let best = zero;
    let place = zero;
    for (let way: i32 = f64x2.extract_lane(missing, 1) != 0 ? 1 : 0; way >= 0; way--) {
      let left = way ? missing : zero;
      let leftCount = way && counts ? load<i32>(counts + (MISSING << 2)) : 0;
      let here = <f64>(way << 8);
      for (let k = 0; k < used; k++) {
        // An empty slot changes nothing and cannot be better than the one before it.
        left = f64x2.add(left, v128.load(slots + (<usize>k << 4)));
        const right = f64x2.sub(sum, left);
        const h = v128.shuffle<f64>(left, right, 1, 3);
        const g = v128.shuffle<f64>(left, right, 0, 2);
        const gains = f64x2.div(f64x2.mul(g, g), f64x2.add(h, lambdas));
        const fair = -<i64>i64x2.all_true(f64x2.ge(h, leasts));
        let gain = f64x2.splat(f64x2.extract_lane(gains, 0) + f64x2.extract_lane(gains, 1));
        gain = v128.and(gain, i64x2.splat(fair));
        if (counts) {
          leftCount += load<i32>(counts + (<usize>k << 2));
          if (leftCount < least || total - leftCount < least) gain = zero;
        }
        place = v128.bitselect(f64x2.splat(here), place, f64x2.gt(gain, best));
        best = f64x2.pmax(best, gain);
        here += 1;
      }
    }
    const found = <i32>f64x2.extract_lane(place, 0);
    const at = found & 255;
    let next = at + 1;
    while (next < used && load<f64>(slots + (<usize>next << 4), 8) == 0) next++;
    const gain = f64x2.extract_lane(best, 0);
    store<f64>(answers, gain > 0 ? gain : -1);
    store<f64>(answers, binOf(rows, sums, at), 8);
    store<f64>(answers, next < used ? binOf(rows, sums, next) : -1, 16);
    store<f64>(answers, <f64>(found >> 8), 24);
    if (!rows) {
      sums += 4096;
      if (counts) counts += 1024;
    }
  }
}

/** The bin that slot k stands for: itself in a histogram. */
function binOf(rows: usize, room: usize, k: i32): f64 {
  return <f64>(rows ? <i32>load<u8>(room + SLOT_BINS + <usize>k) : k);
}

// @ts-ignore: decorator
@inline
function binAt(column: usize, rows: usize, i: i32): usize {
  return <usize>load<u8>(column + (<usize>load<u32>(rows + (<usize>i << 2)) << 2));
}

// @ts-ignore: decorator
@inline
function add(at: usize, pairs: usize, i: i32): void {
  v128.store(at, f64x2.add(v128.load(at), v128.load(pairs + (<usize>i << 4))));
}

/**
 * Sums the pairs of at most 32 rows into slots by rank: the slot of a row is the number of rows with a lower bin.
 * No branch depends on the data. Returns how many rows are not missing.
 */
function rank(count: i32, column: usize, rows: usize, pairs: usize, room: usize, zero: v128): i32 {
  const none = v128.not(zero);
  v128.store(room + BYTES, none);
  v128.store(room + BYTES, none, 16);
  for (let i = 0; i < count; i++) {
    store<u8>(room + BYTES + <usize>i, <u8>binAt(column, rows, i));
    v128.store(room + SLOTS + (<usize>i << 4), zero, 16);
  }
  v128.store(room + SLOTS, zero);
  const low = v128.load(room + BYTES);
  const high = v128.load(room + BYTES, 16);
  for (let i = 0; i < count; i++) {
    const bin = load<u8>(room + BYTES + <usize>i);
    const slot = <usize>lower(low, high, bin);
    add(room + SLOTS + (slot << 4), pairs, i);
    store<u8>(room + SLOT_BINS + slot, bin);
  }
  return lower(low, high, 255);
}

/** How many of 32 bytes are lower than `bin`. */
// @ts-ignore: decorator
@inline
function lower(low: v128, high: v128, bin: u8): i32 {
  const than = i8x16.splat(bin);
  return popcnt(i8x16.bitmask(i8x16.lt_u(low, than)) | (i8x16.bitmask(i8x16.lt_u(high, than)) << 16));
}

/** Sums pairs by bin, and moves the bins in use to slots side by side. Returns how many are not of missing rows. */
function gather(count: i32, column: usize, rows: usize, pairs: usize, room: usize, zero: v128): i32 {
  for (let i = 0; i < count; i++) add(room + (binAt(column, rows, i) << 4), pairs, i);
  let used: usize = 0;
  for (let bin: usize = 0; bin < 256; bin++) {
    const sum = v128.load(room + (bin << 4));
    v128.store(room + (bin << 4), zero);
    v128.store(room + SLOTS + (used << 4), sum);
    store<u8>(room + SLOT_BINS + used, <u8>bin);
    used += <usize>(bin < MISSING && f64x2.extract_lane(sum, 1) != 0);
  }
  return <i32>used;
}
