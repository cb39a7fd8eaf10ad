/** The bin of rows whose value is missing: the last. */
const MISSING: usize = 255;
/** Doubles of an answer: gain, bin, next occupied bin or −1, whether missing rows go left. */
const ANSWER: usize = 32;
/** Places in the room: a histogram, the bins of a few rows, then slots and the bins they stand for. */
const BYTES: usize = 4096;
// Not at a multiple of 4,096: a store to a slot would hold up the load of a bin at the same place of another page.
const SLOTS: usize = 6176;
const SLOT_BINS: usize = 10272;
/** Rows of a node small enough to be ranked: four vectors of bytes. */
const RANKED: i32 = 64;

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
  const gradients = f64x2.splat(gradient);
  const hessians = f64x2.splat(hessian);
  const lambdas = f64x2.splat(lambda);
  const leasts = f64x2.splat(leastHessian);
  const fewest = f64x2.splat(<f64>least);
  const most = f64x2.splat(<f64>(total - least));
  // Not constants, which would stand in the code, 18 bytes, wherever they are used.
  const zero = v128.xor(leasts, leasts);
  const two = f64x2.splat(2);
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
    // Two slots a turn, one a lane, each lane with its greatest gain and the place where it was first found: the
    // slot, 256 more where missing rows go right. Without branches, which noise would mislead.
    let best = zero;
    let place = zero;
    for (let way: i32 = f64x2.extract_lane(missing, 1) != 0 ? 0 : 1; way < 2; way++) {
      let left = way ? zero : missing;
      let count = way || !counts ? zero : f64x2.splat(<f64>load<i32>(counts + (MISSING << 2)));
      const first = <f64>(way << 8);
      let here = f64x2.replace_lane(f64x2.splat(first), 1, first + 1);
      const end = f64x2.splat(first + <f64>used);
      for (let k = 0; k < used; k += 2) {
        // An empty slot changes nothing and cannot be better than the one before it.
        const even = f64x2.add(left, v128.load(slots + (<usize>k << 4)));
        left = f64x2.add(even, v128.load(slots + (<usize>k << 4), 16));
        const leftG = v128.shuffle<f64>(even, left, 0, 2);
        const leftH = v128.shuffle<f64>(even, left, 1, 3);
        const rightG = f64x2.sub(gradients, leftG);
        const rightH = f64x2.sub(hessians, leftH);
        let gain = f64x2.add(
          f64x2.div(f64x2.mul(leftG, leftG), f64x2.add(leftH, lambdas)),
          f64x2.div(f64x2.mul(rightG, rightG), f64x2.add(rightH, lambdas)),
        );
        // The slot after an odd number of them is not one.
        let fair = v128.and(f64x2.ge(f64x2.min(leftH, rightH), leasts), f64x2.lt(here, end));
        if (counts) {
          const both = f64x2.convert_low_i32x4_s(v128.load64_zero(counts + (<usize>k << 2)));
          count = f64x2.add(count, f64x2.add(both, v128.shuffle<f64>(zero, both, 0, 2)));
          fair = v128.and(fair, v128.and(f64x2.ge(count, fewest), f64x2.le(count, most)));
          count = v128.shuffle<f64>(count, count, 1, 1);
        }
        gain = v128.and(gain, fair);
        place = v128.bitselect(here, place, f64x2.gt(gain, best));
        best = f64x2.pmax(best, gain);
        here = f64x2.add(here, two);
      }
    }
    const even = f64x2.extract_lane(best, 0);
    const odd = f64x2.extract_lane(best, 1);
    const evenPlace = f64x2.extract_lane(place, 0);
    const oddPlace = f64x2.extract_lane(place, 1);
    const later = i32(odd < even) | (i32(odd == even) & i32(evenPlace < oddPlace));
    const gain = select(even, odd, later);
    const found = select(evenPlace, oddPlace, later);
    const at = <i32>found & 255;
    let next = at + 1;
    while (next < used && load<f64>(slots + (<usize>next << 4), 8) == 0) next++;
    store<f64>(answers, gain > 0 ? gain : -1);
    store<f64>(answers, binOf(rows, sums, at), 8);
    store<f64>(answers, next < used ? binOf(rows, sums, next) : -1, 16);
    store<f64>(answers, <f64>(found < 256), 24);
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
 * Sums the pairs of at most 64 rows into slots by rank: the slot of a row is the number of rows with a lower bin.
 * No branch depends on the data. Returns how many rows are not missing.
 */
function rank(count: i32, column: usize, rows: usize, pairs: usize, room: usize, zero: v128): i32 {
  const bytes = room + BYTES;
  // Bytes are kept less 128, since those with a sign are compared in one instruction; 127 is then missing, or none.
  let eight: i64 = 0x7f7f7f7f7f7f7f7f;
  const none = i64x2.splat(eight);
  if (count > 8) for (let at: usize = 0; at < 64; at += 16) v128.store(bytes + at, none);
  v128.store(room + SLOTS, zero);
  for (let i = 0; i < count; i++) {
    const byte = binAt(column, rows, i) ^ 128;
    eight = (eight << 8) | <i64>byte;
    store<u8>(bytes + <usize>i, <u8>byte);
    v128.store(room + SLOTS + (<usize>i << 4), zero, 16);
  }
  // Of few rows not from memory, where single bytes just written would have to settle first.
  const first = count > 8 ? v128.load(bytes) : i64x2.replace_lane(none, 0, eight);
  for (let i = 0; i < count; i++) {
    const byte = load<i8>(bytes + <usize>i);
    const slot = <usize>lower(count, first, bytes, byte);
    add(room + SLOTS + (slot << 4), pairs, i);
    store<u8>(room + SLOT_BINS + slot, <u8>(byte ^ -128));
  }
  return lower(count, first, bytes, 127);
}

/** How many of the `count` bytes are lower than this one. */
// @ts-ignore: decorator
@inline
function lower(count: i32, first: v128, bytes: usize, byte: i8): i32 {
  const than = i8x16.splat(byte);
  let mask = <i64>i8x16.bitmask(i8x16.lt_s(first, than));
  if (count > 16) {
    mask |= <i64>i8x16.bitmask(i8x16.lt_s(v128.load(bytes, 16), than)) << 16;
    if (count > 32) {
      mask |= <i64>i8x16.bitmask(i8x16.lt_s(v128.load(bytes, 32), than)) << 32;
      mask |= <i64>i8x16.bitmask(i8x16.lt_s(v128.load(bytes, 48), than)) << 48;
    }
  }
  return <i32>popcnt(mask);
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
