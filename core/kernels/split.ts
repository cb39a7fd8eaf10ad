/** The bin of rows whose value is missing: the last. */
const MISSING: usize = 255;
/** Doubles of an answer: gain, bin, next occupied bin or −1, whether missing rows go left. */
const ANSWER: usize = 32;

/**
 * The best cut of each listed feature in one node of a tree:
 *
 *     max over bins b of  G²(left)/(H(left) + λ) + G²(right)/(H(right) + λ),   left = { rows with bin ≤ b },
 *
 * missing rows on the right or, when that is better, on the left. G and H are sums of gradients and
 * Hessians, their totals over the node being gradient and hessian; both sides need H ≥ leastHessian and,
 * where counts are given, `least` rows of `total`. Answers are 4 doubles a feature in the order of the list; a
 * gain of −1 is none.
 *
 * With `rows` not 0 the histogram is made here, in `sums`, of the node's `count` rows, one feature at a time; `sums` is
 * then one histogram and 4 words, zero before and after, of which a small node touches few bins.
 * Otherwise feature f of the list has its histogram at place f of `sums` and `counts`.
 */
export function bestSplits(
  features: i32,
  list: usize,
  bins: usize,
  featureStride: usize,
  count: i32,
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
  const words = sums + 4096;
  for (let f = 0; f < features; f++, answers += ANSWER) {
    if (rows) {
      const column = bins + <usize>load<u32>(list + (<usize>f << 2)) * featureStride;
      for (let i = 0; i < count; i++) {
        const bin = <usize>load<u8>(column + <usize>load<u32>(rows + (<usize>i << 2)));
        const at = sums + (bin << 4);
        v128.store(at, f64x2.add(v128.load(at), v128.load(pairs + (<usize>i << 4))));
        const word = words + ((bin >> 6) << 3);
        store<u64>(word, load<u64>(word) | (<u64>1 << <u64>(bin & 63)));
      }
    }
    store<f64>(answers, -1);
    const missing = v128.load(sums + (MISSING << 4));
    for (let way: i32 = f64x2.extract_lane(missing, 1) != 0 ? 1 : 0; way >= 0; way--) {
      let left = way ? missing : f64x2.splat(0);
      let leftCount = way && counts ? load<i32>(counts + (MISSING << 2)) : 0;
      let best = load<f64>(answers);
      let fresh = false;
      for (let w: usize = 0; w < 4; w++) {
        let word: u64 = rows ? load<u64>(words + (w << 3)) : -1;
        while (word) {
          const bin = (w << 6) | <usize>ctz(word);
          word &= word - 1;
          const here = v128.load(sums + (bin << 4));
          if (bin == MISSING || f64x2.extract_lane(here, 1) == 0) continue;
          if (fresh) {
            store<f64>(answers, <f64>bin, 16);
            fresh = false;
          }
          left = f64x2.add(left, here);
          const right = f64x2.sub(sum, left);
          const h = v128.shuffle<f64>(left, right, 1, 3);
          if (v128.any_true(f64x2.lt(h, f64x2.splat(leastHessian)))) {
            if (counts) leftCount += load<i32>(counts + (bin << 2));
            continue;
          }
          if (counts) {
            leftCount += load<i32>(counts + (bin << 2));
            if (leftCount < least || total - leftCount < least) continue;
          }
          const g = v128.shuffle<f64>(left, right, 0, 2);
          const gains = f64x2.div(f64x2.mul(g, g), f64x2.add(h, f64x2.splat(lambda)));
          const gain = f64x2.extract_lane(gains, 0) + f64x2.extract_lane(gains, 1);
          if (gain > best) {
            best = gain;
            store<f64>(answers, gain);
            store<f64>(answers, <f64>bin, 8);
            store<f64>(answers, -1, 16);
            store<f64>(answers, <f64>way, 24);
            fresh = true;
          }
        }
      }
    }
    if (rows) clear(sums, words);
    else {
      sums += 4096;
      if (counts) counts += 1024;
    }
  }
}

/** Zeros the bins whose bits are set, and the bits. */
function clear(sums: usize, words: usize): void {
  for (let w: usize = 0; w < 4; w++) {
    let word = load<u64>(words + (w << 3));
    for (; word; word &= word - 1) v128.store(sums + (((w << 6) | <usize>ctz(word)) << 4), f64x2.splat(0));
    store<u64>(words + (w << 3), 0);
  }
}
