import { multiplyAdd } from "./multiply-add";

/**
 * One register tile: C[2 × 4 vectors] ← α·(panel of A)·(panel of B) + β·C over `depth` steps, from packed
 * panels. Eight sums and the six loads of a step, which V8 moves before the arithmetic, fill the sixteen
 * vector registers: a larger tile spills and halves the speed. 4 rows of two vectors have as many, but
 * V8 spends an instruction more on each load of one entry into all lanes, of which they have four.
 *
 * Four steps a turn share its counting and V8's check of the stack. The exits between them serve depths
 * that are not multiples of four, and keep each step's sums before the next step's loads: without them
 * V8 moves all loads to the front, and spills.
 *
 * β = 0 does not read C. Each lane is summed in the order of depth, so an entry's bits do not depend on
 * where in a tile it falls.
 */
export function tile<T>(
  depth: i32,
  a: usize,
  b: usize,
  alpha: T,
  beta: T,
  c: usize,
  rowBytes: usize,
): void {
  let c00 = v128.splat<T>(<T>0);
  let c01 = c00;
  let c02 = c00;
  let c03 = c00;
  let c10 = c00;
  let c11 = c00;
  let c12 = c00;
  let c13 = c00;
  const end = b + (<usize>depth << 6);
  while (!isLast<T>(0, depth, b, end)) {
    let b0 = v128.load(b);
    let b1 = v128.load(b, 16);
    let b2 = v128.load(b, 32);
    let b3 = v128.load(b, 48);
    let s = v128.load_splat<T>(a);
    c00 = multiplyAdd<T>(s, b0, c00);
    c01 = multiplyAdd<T>(s, b1, c01);
    c02 = multiplyAdd<T>(s, b2, c02);
    c03 = multiplyAdd<T>(s, b3, c03);
    s = v128.load_splat<T>(a, sizeof<T>());
    c10 = multiplyAdd<T>(s, b0, c10);
    c11 = multiplyAdd<T>(s, b1, c11);
    c12 = multiplyAdd<T>(s, b2, c12);
    c13 = multiplyAdd<T>(s, b3, c13);
    if (isLast<T>(1, depth, b, end)) break;
    b0 = v128.load(b, 64);
    b1 = v128.load(b, 80);
    b2 = v128.load(b, 96);
    b3 = v128.load(b, 112);
    s = v128.load_splat<T>(a, 2 * sizeof<T>());
    c00 = multiplyAdd<T>(s, b0, c00);
    c01 = multiplyAdd<T>(s, b1, c01);
    c02 = multiplyAdd<T>(s, b2, c02);
    c03 = multiplyAdd<T>(s, b3, c03);
    s = v128.load_splat<T>(a, 3 * sizeof<T>());
    c10 = multiplyAdd<T>(s, b0, c10);
    c11 = multiplyAdd<T>(s, b1, c11);
    c12 = multiplyAdd<T>(s, b2, c12);
    c13 = multiplyAdd<T>(s, b3, c13);
    if (isLast<T>(2, depth, b, end)) break;
    b0 = v128.load(b, 128);
    b1 = v128.load(b, 144);
    b2 = v128.load(b, 160);
    b3 = v128.load(b, 176);
    s = v128.load_splat<T>(a, 4 * sizeof<T>());
    c00 = multiplyAdd<T>(s, b0, c00);
    c01 = multiplyAdd<T>(s, b1, c01);
    c02 = multiplyAdd<T>(s, b2, c02);
    c03 = multiplyAdd<T>(s, b3, c03);
    s = v128.load_splat<T>(a, 5 * sizeof<T>());
    c10 = multiplyAdd<T>(s, b0, c10);
    c11 = multiplyAdd<T>(s, b1, c11);
    c12 = multiplyAdd<T>(s, b2, c12);
    c13 = multiplyAdd<T>(s, b3, c13);
    if (isLast<T>(3, depth, b, end)) break;
    b0 = v128.load(b, 192);
    b1 = v128.load(b, 208);
    b2 = v128.load(b, 224);
    b3 = v128.load(b, 240);
    s = v128.load_splat<T>(a, 6 * sizeof<T>());
    c00 = multiplyAdd<T>(s, b0, c00);
    c01 = multiplyAdd<T>(s, b1, c01);
    c02 = multiplyAdd<T>(s, b2, c02);
    c03 = multiplyAdd<T>(s, b3, c03);
    s = v128.load_splat<T>(a, 7 * sizeof<T>());
    c10 = multiplyAdd<T>(s, b0, c10);
    c11 = multiplyAdd<T>(s, b1, c11);
    c12 = multiplyAdd<T>(s, b2, c12);
    c13 = multiplyAdd<T>(s, b3, c13);
    a += 8 * sizeof<T>();
    b += 256;
    depth -= 4;
  }
  writePair<T>(c, c00, c01, alpha, beta);
  writePair<T>(c + 32, c02, c03, alpha, beta);
  writePair<T>(c + rowBytes, c10, c11, alpha, beta);
  writePair<T>(c + rowBytes + 32, c12, c13, alpha, beta);
}

/** Whether `steps` of this turn were the last ones, by the count or by the address: what V8 makes of the
 * first is faster by a tenth in float32, of the second in float64. */
// @ts-ignore: decorator
@inline
function isLast<T>(steps: i32, left: i32, b: usize, end: usize): bool {
  return sizeof<T>() == 4 ? left == steps : b == end - (steps << 6);
}

// @ts-ignore: decorator
@inline
function writePair<T>(c: usize, low: v128, high: v128, alpha: T, beta: T): void {
  const scale = v128.splat<T>(alpha);
  low = v128.mul<T>(scale, low);
  high = v128.mul<T>(scale, high);
  if (beta != <T>0) {
    const keep = v128.splat<T>(beta);
    low = v128.add<T>(low, v128.mul<T>(keep, v128.load(c)));
    high = v128.add<T>(high, v128.mul<T>(keep, v128.load(c, 16)));
  }
  v128.store(c, low);
  v128.store(c, high, 16);
}
