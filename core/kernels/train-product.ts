import { gemm } from "./gemm";
import { leads, scratch, shareEnd, shareStart } from "./train-crew";
import { multiplyAdd } from "./multiply-add";

/** Up to this many entries of B, products read the operands where they lie; beyond, packing pays. */
const DIRECT_ENTRIES: i32 = 1 << 14;

/** Whether a product is packed, and shared among threads. Asked once a product, so a call is cheaper than its bytes. */
export function isLarge(m: i32, n: i32, k: i32): bool {
  return m >= 4 && n >= 8 && (k * n > DIRECT_ENTRIES || m * n > 4 * DIRECT_ENTRIES);
}

/**
 * C[m×n] ← A·B (+ a bias row when `bias` is not 0): A with element strides, B and C row-major and
 * dense. Tall and skinny products read A and B where they lie, in one thread; large ones go to the
 * packed `gemm`, each thread to its columns or rows of C. Needs a barrier before C is read.
 */
export function product(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bias: usize,
  c: usize,
): void {
  if (isLarge(m, n, k)) return productShared(m, n, k, a, aRow, aColumn, b, n, 1, bias, c);
  if (leads()) productDirect(m, n, k, a, aRow, aColumn, b, bias, c);
}

/** The same by this thread alone. */
export function productHere(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bias: usize,
  c: usize,
): void {
  if (!isLarge(m, n, k)) return productDirect(m, n, k, a, aRow, aColumn, b, bias, c);
  fillBias(m, n, n, bias, c);
  gemm<f32>(m, n, k, 1, a, aRow, aColumn, b, n, 1, bias ? <f32>1 : <f32>0, c, n, scratch());
}

function productDirect(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bias: usize,
  c: usize,
): void {
  if (m < 4 || n < 8) return productPlain(m, n, k, a, aRow, aColumn, b, bias, c);
  // The last tile of each direction overlaps the one before instead of being ragged: an entry's value
  // does not depend on the tile that computes it.
  for (let i = 0; i < m; i += 4) {
    const top = min(i, m - 4);
    for (let j = 0; j < n; j += 8) {
      const left = min(j, n - 8);
      tile(
        k,
        a + <usize>(top * aRow * 4),
        <usize>(aRow * 4),
        <usize>(aColumn * 4),
        b + <usize>(left * 4),
        <usize>(n * 4),
        bias ? bias + <usize>(left * 4) : 0,
        c + <usize>((top * n + left) * 4),
      );
    }
  }
}

/** This thread's share of a large product: columns of C, or rows where C is taller than wide. */
export function productShared(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bRow: i32,
  bColumn: i32,
  bias: usize,
  c: usize,
): void {
  const beta: f32 = bias ? 1 : 0;
  if (m > n) {
    const start = shareStart(m, 4);
    const rows = shareEnd(m, 4) - start;
    a += <usize>(start * aRow * 4);
    c += <usize>(start * n * 4);
    fillBias(rows, n, n, bias, c);
    gemm<f32>(rows, n, k, 1, a, aRow, aColumn, b, bRow, bColumn, beta, c, n, scratch());
  } else {
    const start = shareStart(n, 8);
    const columns = shareEnd(n, 8) - start;
    b += <usize>(start * bColumn * 4);
    c += <usize>(start * 4);
    fillBias(m, columns, n, bias ? bias + <usize>(start * 4) : 0, c);
    gemm<f32>(m, columns, k, 1, a, aRow, aColumn, b, bRow, bColumn, beta, c, n, scratch());
  }
}

function fillBias(rows: i32, columns: i32, cRow: i32, bias: usize, c: usize): void {
  if (!bias) return;
  for (let i = 0; i < rows; i++)
    memory.copy(c + <usize>(i * cRow * 4), bias, <usize>(columns * 4));
}

/** Four rows by eight columns over k steps, in registers. Strides in bytes; C has B's. */
// @ts-ignore: decorator
@inline
function tile(
  k: i32,
  a: usize,
  aRow: usize,
  aColumn: usize,
  b: usize,
  bRow: usize,
  bias: usize,
  c: usize,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00;
  if (bias) {
    c00 = v128.load(bias);
    c01 = v128.load(bias, 16);
  }
  let c10 = c00;
  let c11 = c01;
  let c20 = c00;
  let c21 = c01;
  let c30 = c00;
  let c31 = c01;
  let a1 = a + aRow;
  let a2 = a1 + aRow;
  let a3 = a2 + aRow;
  for (const end = b + <usize>k * bRow; b != end; b += bRow) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load_splat<f32>(a);
    c00 = multiplyAdd<f32>(s, b0, c00);
    c01 = multiplyAdd<f32>(s, b1, c01);
    s = v128.load_splat<f32>(a1);
    c10 = multiplyAdd<f32>(s, b0, c10);
    c11 = multiplyAdd<f32>(s, b1, c11);
    s = v128.load_splat<f32>(a2);
    c20 = multiplyAdd<f32>(s, b0, c20);
    c21 = multiplyAdd<f32>(s, b1, c21);
    s = v128.load_splat<f32>(a3);
    c30 = multiplyAdd<f32>(s, b0, c30);
    c31 = multiplyAdd<f32>(s, b1, c31);
    a += aColumn;
    a1 += aColumn;
    a2 += aColumn;
    a3 += aColumn;
  }
  v128.store(c, c00);
  v128.store(c, c01, 16);
  c += bRow;
  v128.store(c, c10);
  v128.store(c, c11, 16);
  c += bRow;
  v128.store(c, c20);
  v128.store(c, c21, 16);
  c += bRow;
  v128.store(c, c30);
  v128.store(c, c31, 16);
}

/** For matrices too small for a tile. */
function productPlain(
  m: i32,
  n: i32,
  k: i32,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bias: usize,
  c: usize,
): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum: f32 = bias ? load<f32>(bias + <usize>(j * 4)) : 0;
      for (let q = 0; q < k; q++)
        sum +=
          load<f32>(a + <usize>((i * aRow + q * aColumn) * 4)) * load<f32>(b + <usize>((q * n + j) * 4));
      store<f32>(c + <usize>((i * n + j) * 4), sum);
    }
  }
}

/** out[j] ← Σ_i z[i, j] for a row-major z. */
export function columnSums(rows: i32, columns: i32, z: usize, out: usize): void {
  memory.fill(out, 0, <usize>(columns * 4));
  addColumnSums(rows, columns, z, out);
}

/** out[j] ← out[j] + Σ_i z[i, j]. */
export function addColumnSums(rows: i32, columns: i32, z: usize, out: usize): void {
  const step = <usize>(columns * 4);
  let j = 0;
  for (; j + 4 <= columns; j += 4) {
    let sum = v128.load(out + <usize>(j * 4));
    let at = z + <usize>(j * 4);
    for (let i = 0; i < rows; i++) {
      sum = f32x4.add(sum, v128.load(at));
      at += step;
    }
    v128.store(out + <usize>(j * 4), sum);
  }
  for (; j < columns; j++) {
    let sum = load<f32>(out + <usize>(j * 4));
    for (let i = 0; i < rows; i++) sum += load<f32>(z + <usize>((i * columns + j) * 4));
    store<f32>(out + <usize>(j * 4), sum);
  }
}
