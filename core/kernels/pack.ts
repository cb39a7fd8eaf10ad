/** Rows of the register tile: the height of one packed panel of A. */
export const TILE_ROWS: i32 = 2;

/** Columns of the register tile, a cache line: the width of one packed panel of B. */
// @ts-ignore: decorator
@inline
export function tileColumns<T>(): i32 {
  return 64 / <i32>sizeof<T>();
}

/**
 * Copies op(A)[0:rows, 0:depth] into panels of 2 rows, each stored depth-major, the last one padded with
 * zeros. `rowStride` and `depthStride` count elements, so a transposed A costs nothing extra.
 */
export function packA<T>(
  rows: i32,
  depth: i32,
  a: usize,
  rowStride: i32,
  depthStride: i32,
  out: usize,
): void {
  const size = <i32>sizeof<T>();
  const step = <usize>(depthStride * size);
  const panel = <usize>(TILE_ROWS * depth * size);
  let i = 0;
  if (rowStride == 1) {
    i = packColumns<T>(rows, depth, a, step, panel, out);
    out += <usize>(i * depth * size);
  }
  for (; i + TILE_ROWS <= rows; i += TILE_ROWS) {
    const at = a + <usize>(i * rowStride * size);
    packRows<T>(depth, at, at + <usize>(rowStride * size), step, out);
    out += panel;
  }
  if (i < rows) {
    let at = a + <usize>(i * rowStride * size);
    for (let q = 0; q < depth; q++) {
      store<T>(out, load<T>(at));
      store<T>(out, <T>0, sizeof<T>());
      at += step;
      out += TILE_ROWS * size;
    }
  }
}

/** One whole panel of A: two rows interleaved, by shuffles where they are stored along the depth. */
function packRows<T>(depth: i32, row0: usize, row1: usize, step: usize, out: usize): void {
  let q = 0;
  if (step == sizeof<T>()) {
    for (const lanes = 16 / <i32>sizeof<T>(); q + lanes <= depth; q += lanes) {
      const x0 = v128.load(row0);
      const x1 = v128.load(row1);
      if (sizeof<T>() == 4) {
        v128.store(out, v128.shuffle<f32>(x0, x1, 0, 4, 1, 5));
        v128.store(out, v128.shuffle<f32>(x0, x1, 2, 6, 3, 7), 16);
      } else {
        v128.store(out, v128.shuffle<f64>(x0, x1, 0, 2));
        v128.store(out, v128.shuffle<f64>(x0, x1, 1, 3), 16);
      }
      row0 += 16;
      row1 += 16;
      out += 32;
    }
  }
  for (; q < depth; q++) {
    store<T>(out, load<T>(row0));
    store<T>(out, load<T>(row1), sizeof<T>());
    row0 += step;
    row1 += step;
    out += 2 * sizeof<T>();
  }
}

/**
 * Panels of A whose rows lie side by side, a cache line at a time: each line is read once, where panel by
 * panel would read it four or eight times.
 * @returns how many rows were packed: those of whole lines.
 */
function packColumns<T>(
  rows: i32,
  depth: i32,
  from: usize,
  step: usize,
  panel: usize,
  out: usize,
): i32 {
  const line = 64 / <i32>sizeof<T>();
  const whole = rows - (rows % line);
  for (let i = 0; i < whole; i += line) {
    let at = from + <usize>(i * <i32>sizeof<T>());
    let to = out;
    for (let q = 0; q < depth; q++) {
      const x0 = v128.load(at);
      const x1 = v128.load(at, 16);
      const x2 = v128.load(at, 32);
      const x3 = v128.load(at, 48);
      if (sizeof<T>() == 8) {
        v128.store(to, x0);
        v128.store(to + panel, x1);
        v128.store(to + 2 * panel, x2);
        v128.store(to + 3 * panel, x3);
      } else {
        v128.store_lane<u64>(to, x0, 0);
        v128.store_lane<u64>(to + panel, x0, 1);
        v128.store_lane<u64>(to + 2 * panel, x1, 0);
        v128.store_lane<u64>(to + 3 * panel, x1, 1);
        v128.store_lane<u64>(to + 4 * panel, x2, 0);
        v128.store_lane<u64>(to + 5 * panel, x2, 1);
        v128.store_lane<u64>(to + 6 * panel, x3, 0);
        v128.store_lane<u64>(to + 7 * panel, x3, 1);
      }
      at += step;
      to += TILE_ROWS * sizeof<T>();
    }
    out += panel * (line / TILE_ROWS);
  }
  return whole;
}

/** op(B)[0:depth, 0:columns] in the same way, in panels as wide as the register tile. */
export function packB<T>(
  columns: i32,
  depth: i32,
  b: usize,
  depthStride: i32,
  columnStride: i32,
  out: usize,
): void {
  const size = <i32>sizeof<T>();
  const wide = tileColumns<T>();
  const step = <usize>(depthStride * size);
  for (let j = 0; j < columns; j += wide) {
    const width = min(wide, columns - j);
    let at = b + <usize>(j * columnStride * size);
    if (width == wide && columnStride == 1) {
      for (let q = 0; q < depth; q++) {
        v128.store(out, v128.load(at));
        v128.store(out, v128.load(at, 16), 16);
        v128.store(out, v128.load(at, 32), 32);
        v128.store(out, v128.load(at, 48), 48);
        at += step;
        out += 64;
      }
    } else {
      // Column by column: consecutive reads when B is transposed, where depthStride is 1.
      for (let r = 0; r < wide; r++) {
        let to = out + <usize>(r * size);
        if (r < width) {
          let from = at + <usize>(r * columnStride * size);
          for (let q = 0; q < depth; q++) {
            store<T>(to, load<T>(from));
            from += step;
            to += 64;
          }
        } else {
          for (let q = 0; q < depth; q++) {
            store<T>(to, <T>0);
            to += 64;
          }
        }
      }
      out += <usize>(depth * 64);
    }
  }
}
