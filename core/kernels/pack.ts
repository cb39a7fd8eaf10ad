/** Rows of the register tile: the height of one packed panel of A. More rows spill registers. */
export const TILE_ROWS: i32 = 4;

/** Columns of the register tile, two vectors wide: the width of one packed panel of B. */
// @ts-ignore: decorator
@inline
export function tileColumns<T>(): i32 {
  return 32 / <i32>sizeof<T>();
}

/**
 * Copies op(A)[0:rows, 0:depth] into panels of 4 rows, each stored depth-major, the last one padded
 * with zeros. `rowStride` and `depthStride` count elements, so a transposed A costs nothing extra.
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
  let i = 0;
  if (rowStride == 1) {
    i = packLines<T>(rows, depth, a, step, TILE_ROWS * size, out);
    out += <usize>(i * depth * size);
  }
  for (; i < rows; i += TILE_ROWS) {
    const height = min(TILE_ROWS, rows - i);
    let at = a + <usize>(i * rowStride * size);
    if (height == TILE_ROWS) {
      packRows<T>(depth, at, <usize>(rowStride * size), step, out);
      out += <usize>(TILE_ROWS * depth * size);
    } else {
      for (let q = 0; q < depth; q++) {
        for (let r = 0; r < TILE_ROWS; r++) {
          const value = r < height ? load<T>(at + <usize>(r * rowStride * size)) : <T>0;
          store<T>(out + <usize>(r * size), value);
        }
        at += step;
        out += TILE_ROWS * size;
      }
    }
  }
}

/** One whole panel of A: four rows interleaved, by shuffles where they are stored along the depth. */
function packRows<T>(depth: i32, row0: usize, rowBytes: usize, step: usize, out: usize): void {
  let row1 = row0 + rowBytes;
  let row2 = row1 + rowBytes;
  let row3 = row2 + rowBytes;
  let q = 0;
  if (step == sizeof<T>()) {
    for (const lanes = 16 / <i32>sizeof<T>(); q + lanes <= depth; q += lanes) {
      const x0 = v128.load(row0);
      const x1 = v128.load(row1);
      const x2 = v128.load(row2);
      const x3 = v128.load(row3);
      if (sizeof<T>() == 4) {
        const low01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
        const low23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
        const high01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
        const high23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
        v128.store(out, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
        v128.store(out, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7), 16);
        v128.store(out, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5), 32);
        v128.store(out, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7), 48);
      } else {
        v128.store(out, v128.shuffle<f64>(x0, x1, 0, 2));
        v128.store(out, v128.shuffle<f64>(x2, x3, 0, 2), 16);
        v128.store(out, v128.shuffle<f64>(x0, x1, 1, 3), 32);
        v128.store(out, v128.shuffle<f64>(x2, x3, 1, 3), 48);
      }
      row0 += 16;
      row1 += 16;
      row2 += 16;
      row3 += 16;
      out += 64;
    }
  }
  for (; q < depth; q++) {
    store<T>(out, load<T>(row0));
    store<T>(out, load<T>(row1), sizeof<T>());
    store<T>(out, load<T>(row2), 2 * sizeof<T>());
    store<T>(out, load<T>(row3), 3 * sizeof<T>());
    row0 += step;
    row1 += step;
    row2 += step;
    row3 += step;
    out += 4 * sizeof<T>();
  }
}

/** The same for op(B)[0:depth, 0:columns], in panels as wide as the register tile. */
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
  let j = 0;
  if (columnStride == 1) {
    j = packLines<T>(columns, depth, b, step, 32, out);
    out += <usize>(j * depth * size);
  }
  for (; j < columns; j += wide) {
    const width = min(wide, columns - j);
    let at = b + <usize>(j * columnStride * size);
    if (width == wide && columnStride == 1) {
      for (let q = 0; q < depth; q++) {
        v128.store(out, v128.load(at));
        v128.store(out, v128.load(at, 16), 16);
        at += step;
        out += 32;
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
            to += 32;
          }
        } else {
          for (let q = 0; q < depth; q++) {
            store<T>(to, <T>0);
            to += 32;
          }
        }
      }
      out += <usize>(depth * 32);
    }
  }
}

/**
 * Packs entries that lie side by side, a cache line of 64 bytes at a time: into four panels of 16 bytes
 * a step, or two of 32. Each line is read once, where panel by panel would read it two or four times.
 * @returns how many entries were packed: those of whole lines.
 */
// @ts-ignore: decorator
@inline
function packLines<T>(
  count: i32,
  depth: i32,
  from: usize,
  step: usize,
  panelStep: i32,
  out: usize,
): i32 {
  const line = 64 / <i32>sizeof<T>();
  const whole = count - (count % line);
  const panel = <usize>(depth * panelStep);
  for (let i = 0; i < whole; i += line) {
    let at = from + <usize>(i * <i32>sizeof<T>());
    let to = out;
    if (panelStep == 16) {
      for (let q = 0; q < depth; q++) {
        v128.store(to, v128.load(at));
        v128.store(to + panel, v128.load(at, 16));
        v128.store(to + 2 * panel, v128.load(at, 32));
        v128.store(to + 3 * panel, v128.load(at, 48));
        at += step;
        to += 16;
      }
      out += 4 * panel;
    } else {
      for (let q = 0; q < depth; q++) {
        v128.store(to, v128.load(at));
        v128.store(to, v128.load(at, 16), 16);
        v128.store(to + panel, v128.load(at, 32));
        v128.store(to + panel, v128.load(at, 48), 16);
        at += step;
        to += 32;
      }
      out += 2 * panel;
    }
  }
  return whole;
}
