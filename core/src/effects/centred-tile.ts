import type { Rows } from "../linalg/rows.ts";

/**
 * Copies `height` rows of `width` = means.length columns, the first entry at `from`, into `tile` less the
 * columns' means, and adds the squares of what is left to `squares`. Four rows at a time: the running sums
 * are then read and written a quarter as often, which is most of the work.
 */
export function centredTileInto(
  tile: Float64Array,
  squares: Float64Array,
  { data, cols }: Rows,
  from: number,
  height: number,
  means: Float64Array,
): void {
  const width = means.length;
  let i = 0;
  for (; i + 4 <= height; i += 4) {
    const [a, b, c, d] = fourRows(from + i * cols, cols);
    const [ta, tb, tc, td] = fourRows(i * width, width);
    for (let j = 0; j < width; j++) {
      const mean = means[j];
      const xa = data[a + j] - mean;
      const xb = data[b + j] - mean;
      const xc = data[c + j] - mean;
      const xd = data[d + j] - mean;
      tile[ta + j] = xa;
      tile[tb + j] = xb;
      tile[tc + j] = xc;
      tile[td + j] = xd;
      squares[j] += xa * xa + xb * xb + (xc * xc + xd * xd);
    }
  }
  for (; i < height; i++) {
    for (let j = 0; j < width; j++) {
      const x = data[from + i * cols + j] - means[j];
      tile[i * width + j] = x;
      squares[j] += x * x;
    }
  }
}

/** Σ_i (x_ij − x_0j) for every column, four rows at a time for the same reason. */
export function sumsFromFirstRow({ data, rows, cols }: Rows): Float64Array {
  const first = Float64Array.from(data.subarray(0, cols));
  const sums = new Float64Array(cols);
  let i = 0;
  for (; i + 4 <= rows; i += 4) {
    const [a, b, c, d] = fourRows(i * cols, cols);
    for (let j = 0; j < cols; j++) {
      const x = first[j];
      sums[j] += data[a + j] - x + (data[b + j] - x) + (data[c + j] - x + (data[d + j] - x));
    }
  }
  for (; i < rows; i++) for (let j = 0; j < cols; j++) sums[j] += data[i * cols + j] - first[j];
  return sums;
}

const fourRows = (at: number, stride: number): [number, number, number, number] => [
  at,
  at + stride,
  at + 2 * stride,
  at + 3 * stride,
];
