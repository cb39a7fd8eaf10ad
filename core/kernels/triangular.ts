import { gemm } from "./gemm";
import { transpose } from "./transpose";

/** Below this order a triangle is solved row by row; above, it is halved and gemm does the rest. */
const BASE: i32 = 16;

/**
 * B ← L⁻¹B, or L⁻ᵀB when `transposed`; L lower triangular n×n, B n×m, row-major. Recursive:
 * with L = [L₁₁ 0; L₂₁ L₂₂], B₁ ← L₁₁⁻¹B₁, B₂ ← L₂₂⁻¹(B₂ − L₂₁B₁); from below when transposed.
 * n²m multiplications. Columns of B are independent to the bit. `scratch` as for gemm.
 */
export function solveTriangular<T>(
  transposed: bool,
  n: i32,
  m: i32,
  l: usize,
  lRow: i32,
  b: usize,
  bRow: i32,
  scratch: usize,
): void {
  const size = <i32>sizeof<T>();
  if (n <= BASE) {
    if (transposed) solveFromBelow<T>(n, m, l, lRow, b, bRow);
    else solveBase<T>(n, m, l, lRow, 1, b, bRow, 0);
    return;
  }
  const half = ((n >> 1) + BASE - 1) & -BASE;
  const below = l + <usize>(half * lRow * size);
  const corner = below + <usize>(half * size);
  const b2 = b + <usize>(half * bRow * size);
  if (transposed) {
    solveTriangular<T>(true, n - half, m, corner, lRow, b2, bRow, scratch);
    gemm<T>(half, m, n - half, <T>-1, below, 1, lRow, b2, bRow, 1, <T>1, b, bRow, scratch);
    solveTriangular<T>(true, half, m, l, lRow, b, bRow, scratch);
  } else {
    solveTriangular<T>(false, half, m, l, lRow, b, bRow, scratch);
    gemm<T>(n - half, m, half, <T>-1, below, lRow, 1, b, bRow, 1, <T>1, b2, bRow, scratch);
    solveTriangular<T>(false, n - half, m, corner, lRow, b2, bRow, scratch);
  }
}

/**
 * X ← X·L⁻ᵀ for X rows×n: each row x becomes L⁻¹x. Through transposed strips of STRIP rows, so that
 * the arithmetic runs along vectors. `strip` holds n·STRIP elements.
 */
export function solveRows<T>(
  rows: i32,
  n: i32,
  l: usize,
  lRow: i32,
  x: usize,
  xRow: i32,
  strip: usize,
  scratch: usize,
): void {
  for (let i = 0; i < rows; i += STRIP) {
    const height = min(STRIP, rows - i);
    const at = x + <usize>(i * xRow * <i32>sizeof<T>());
    transpose<T>(height, n, at, xRow, strip, STRIP);
    solveTriangular<T>(false, n, height, l, lRow, strip, STRIP, scratch);
    transpose<T>(n, height, strip, STRIP, at, xRow);
  }
}

/** Rows solved at a time by `solveRows` and `leverage`. */
export const STRIP: i32 = 128;

/** out[j] ← ‖L⁻¹u_j‖² for the `count` rows u_j (length n) of U; `strip` holds n·STRIP elements. */
// Only the export calls it: as part of that it takes fewer bytes.
// @ts-ignore: decorator
@inline
export function leverage<T>(
  count: i32,
  n: i32,
  u: usize,
  uRow: i32,
  l: usize,
  lRow: i32,
  out: usize,
  strip: usize,
  scratch: usize,
): void {
  const size = <i32>sizeof<T>();
  for (let i = 0; i < count; i += STRIP) {
    const height = min(STRIP, count - i);
    transpose<T>(height, n, u + <usize>(i * uRow * size), uRow, strip, STRIP);
    solveTriangular<T>(false, n, height, l, lRow, strip, STRIP, scratch);
    for (let j = 0; j < height; j++) store<T>(out + <usize>((i + j) * size), <T>0);
    for (let r = 0; r < n; r++) {
      const row = strip + <usize>(r * STRIP * size);
      for (let j = 0; j < height; j++) {
        const z = load<T>(row + <usize>(j * size));
        const at = out + <usize>((i + j) * size);
        store<T>(at, <T>(load<T>(at) + z * z));
      }
    }
  }
}

/** Lᵀ from its last row up: the same loop, seen from the last entries. */
function solveFromBelow<T>(n: i32, m: i32, l: usize, lRow: i32, b: usize, bRow: i32): void {
  const size = <i32>sizeof<T>();
  const lastL = l + <usize>((n - 1) * (lRow + 1) * size);
  const lastB = b + <usize>((n - 1) * bRow * size);
  solveBase<T>(n, m, lastL, -1, -lRow, lastB, -bRow, 1);
}

/**
 * The rows of one small triangle in turn, `b_i ← (b_i − Σ_k c(i,k)·b_k)/c(i,i)` over k < i, where c(i, k) lies at
 * l + (i·lRow + k·lColumn)·size. Sums run from k = 0, or down to it when `falling`. Four vectors of columns
 * at a time, then single columns, with the same roundings.
 */
function solveBase<T>(
  n: i32,
  m: i32,
  l: usize,
  lRow: i32,
  lColumn: i32,
  b: usize,
  bRow: i32,
  falling: i32,
): void {
  const size = <i32>sizeof<T>();
  const lanes = 16 / size;
  const turn = 1 - 2 * falling;
  const nextC = <usize>(turn * lColumn * size);
  const nextRow = <usize>(turn * bRow * size);
  let j = 0;
  for (; j + 4 * lanes <= m; j += 4 * lanes) {
    const column = b + <usize>(j * size);
    for (let i = 0; i < n; i++) {
      const at = column + <usize>(i * bRow * size);
      let b0 = v128.load(at);
      let b1 = v128.load(at, 16);
      let b2 = v128.load(at, 32);
      let b3 = v128.load(at, 48);
      const first = falling * (i - 1);
      let c = l + <usize>((i * lRow + first * lColumn) * size);
      let row = column + <usize>(first * bRow * size);
      for (let k = 0; k < i; k++) {
        const by = v128.load_splat<T>(c);
        b0 = v128.sub<T>(b0, v128.mul<T>(by, v128.load(row)));
        b1 = v128.sub<T>(b1, v128.mul<T>(by, v128.load(row, 16)));
        b2 = v128.sub<T>(b2, v128.mul<T>(by, v128.load(row, 32)));
        b3 = v128.sub<T>(b3, v128.mul<T>(by, v128.load(row, 48)));
        c += nextC;
        row += nextRow;
      }
      const pivot = v128.load_splat<T>(l + <usize>(i * (lRow + lColumn) * size));
      v128.store(at, v128.div<T>(b0, pivot));
      v128.store(at, v128.div<T>(b1, pivot), 16);
      v128.store(at, v128.div<T>(b2, pivot), 32);
      v128.store(at, v128.div<T>(b3, pivot), 48);
    }
  }
  for (; j < m; j++) {
    const column = b + <usize>(j * size);
    for (let i = 0; i < n; i++) {
      const at = column + <usize>(i * bRow * size);
      let value = load<T>(at);
      const first = falling * (i - 1);
      let c = l + <usize>((i * lRow + first * lColumn) * size);
      let row = column + <usize>(first * bRow * size);
      for (let k = 0; k < i; k++) {
        value = <T>(value - load<T>(c) * load<T>(row));
        c += nextC;
        row += nextRow;
      }
      store<T>(at, <T>(value / load<T>(l + <usize>(i * (lRow + lColumn) * size))));
    }
  }
}
