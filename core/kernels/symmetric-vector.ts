import { multiplyAdd } from "./multiply-add";

/**
 * y ← A·x for a symmetric A[n×n] of which the lower triangle is read: each entry once, for its own row
 * and for its mirror image, since memory is the limit. Four rows at a time.
 */
// Only the export calls it: as part of that it takes fewer bytes.
// @ts-ignore: decorator
@inline
export function symmetricVector<T>(n: i32, a: usize, aRow: i32, x: usize, y: usize): void {
  const size = <i32>sizeof<T>();
  const rowBytes = <usize>(aRow * size);
  memory.fill(y, 0, <usize>(n * size));
  const whole = n & ~3;
  for (let i = 0; i < whole; i += 4) {
    const row0 = a + <usize>(i * aRow * size);
    const row1 = row0 + rowBytes;
    const row2 = row1 + rowBytes;
    const row3 = row2 + rowBytes;
    const xi = x + <usize>(i * size);
    const x0 = v128.load_splat<T>(xi);
    const x1 = v128.load_splat<T>(xi, sizeof<T>());
    const x2 = v128.load_splat<T>(xi, 2 * sizeof<T>());
    const x3 = v128.load_splat<T>(xi, 3 * sizeof<T>());
    let sum0 = v128.splat<T>(<T>0);
    let sum1 = sum0;
    let sum2 = sum0;
    let sum3 = sum0;
    const end = <usize>(i * size);
    for (let at: usize = 0; at < end; at += 16) {
      const xj = v128.load(x + at);
      let yj = v128.load(y + at);
      let entries = v128.load(row0 + at);
      sum0 = multiplyAdd<T>(entries, xj, sum0);
      yj = multiplyAdd<T>(entries, x0, yj);
      entries = v128.load(row1 + at);
      sum1 = multiplyAdd<T>(entries, xj, sum1);
      yj = multiplyAdd<T>(entries, x1, yj);
      entries = v128.load(row2 + at);
      sum2 = multiplyAdd<T>(entries, xj, sum2);
      yj = multiplyAdd<T>(entries, x2, yj);
      entries = v128.load(row3 + at);
      sum3 = multiplyAdd<T>(entries, xj, sum3);
      yj = multiplyAdd<T>(entries, x3, yj);
      v128.store(y + at, yj);
    }
    const yi = y + <usize>(i * size);
    store<T>(yi, lanes<T>(sum0));
    store<T>(yi, lanes<T>(sum1), sizeof<T>());
    store<T>(yi, lanes<T>(sum2), 2 * sizeof<T>());
    store<T>(yi, lanes<T>(sum3), 3 * sizeof<T>());
    triangle<T>(i, i + 4, i, a, aRow, x, y);
  }
  triangle<T>(whole, n, 0, a, aRow, x, y);
}

/** The entries of rows start … end − 1 from column `from` to the diagonal. */
function triangle<T>(start: i32, end: i32, from: i32, a: usize, aRow: i32, x: usize, y: usize): void {
  const size = <i32>sizeof<T>();
  for (let i = start; i < end; i++) {
    const row = a + <usize>(i * aRow * size);
    const xi = load<T>(x + <usize>(i * size));
    const yi = y + <usize>(i * size);
    let sum = load<T>(row + <usize>(i * size)) * xi;
    for (let j = from; j < i; j++) {
      const shift = <usize>(j * size);
      const entry = load<T>(row + shift);
      sum += entry * load<T>(x + shift);
      store<T>(y + shift, <T>(load<T>(y + shift) + entry * xi));
    }
    store<T>(yi, <T>(load<T>(yi) + sum));
  }
}

// @ts-ignore: decorator
@inline
function lanes<T>(sum: v128): T {
  if (sizeof<T>() == 8) return <T>(v128.extract_lane<f64>(sum, 0) + v128.extract_lane<f64>(sum, 1));
  return <T>(
    v128.extract_lane<f32>(sum, 0) + v128.extract_lane<f32>(sum, 1) +
    (v128.extract_lane<f32>(sum, 2) + v128.extract_lane<f32>(sum, 3))
  );
}
