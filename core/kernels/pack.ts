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
  for (let i = 0; i < rows; i += TILE_ROWS) {
    const height = min(TILE_ROWS, rows - i);
    let at = a + <usize>(i * rowStride * size);
    if (height == TILE_ROWS && rowStride == 1) {
      for (let q = 0; q < depth; q++) {
        v128.store(out, v128.load(at));
        if (sizeof<T>() == 8) v128.store(out, v128.load(at, 16), 16);
        at += step;
        out += TILE_ROWS * size;
      }
    } else if (height == TILE_ROWS) {
      const row1 = at + <usize>(rowStride * size);
      const row2 = row1 + <usize>(rowStride * size);
      const row3 = row2 + <usize>(rowStride * size);
      let shift: usize = 0;
      for (let q = 0; q < depth; q++) {
        store<T>(out, load<T>(at + shift));
        store<T>(out, load<T>(row1 + shift), sizeof<T>());
        store<T>(out, load<T>(row2 + shift), 2 * sizeof<T>());
        store<T>(out, load<T>(row3 + shift), 3 * sizeof<T>());
        shift += step;
        out += TILE_ROWS * size;
      }
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
  for (let j = 0; j < columns; j += wide) {
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
