/** Blocks this many entries wide keep both the read and the written lines in the first-level cache. */
const BLOCK: i32 = 16;

/** out[j, i] ← a[i, j] for rows × columns entries; the strides count elements. */
export function transpose<T>(
  rows: i32,
  columns: i32,
  a: usize,
  aRow: i32,
  out: usize,
  outRow: i32,
): void {
  const size = <i32>sizeof<T>();
  const step = <usize>(outRow * size);
  for (let i = 0; i < rows; i += BLOCK) {
    const height = min(BLOCK, rows - i);
    for (let j = 0; j < columns; j += BLOCK) {
      const width = min(BLOCK, columns - j);
      for (let r = 0; r < height; r++) {
        let from = a + <usize>(((i + r) * aRow + j) * size);
        let to = out + <usize>((j * outRow + i + r) * size);
        for (let s = 0; s < width; s++) {
          store<T>(to, load<T>(from));
          from += size;
          to += step;
        }
      }
    }
  }
}

/** Copies the lower triangle of C[n×n] over the upper one. */
export function mirror<T>(n: i32, c: usize, cRow: i32): void {
  const size = <i32>sizeof<T>();
  for (let i = 0; i < n; i += BLOCK) {
    const height = min(BLOCK, n - i);
    const below = c + <usize>(i * cRow * size);
    transpose<T>(height, i, below, cRow, c + <usize>(i * size), cRow);
    for (let r = 1; r < height; r++) {
      for (let s = 0; s < r; s++) {
        const value = load<T>(c + <usize>(((i + r) * cRow + i + s) * size));
        store<T>(c + <usize>(((i + s) * cRow + i + r) * size), value);
      }
    }
  }
}
