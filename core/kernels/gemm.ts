/**
 * Matrix products over raw pointers, the kernel that everything else stands on.
 *
 *     gemm<f32>(m, n, k, alpha, a, aRow, aColumn, b, bRow, bColumn, beta, c, cRow, scratch)
 *
 * C[m×n] ← α·A[m×k]·B[k×n] + β·C. `a`, `b`, `c` are byte addresses (8-byte aligned is fast, nothing
 * is required); the strides count elements, so entry (i, q) of A lies at a + (i·aRow + q·aColumn)·size.
 * Row-major A with leading dimension lda: (lda, 1). The transpose of such a matrix: (1, lda). C is
 * row-major. `scratch` is GEMM_SCRATCH_BYTES of memory that no other thread uses; C may not overlap
 * A, B or scratch. β = 0 overwrites C without reading it. Never allocates.
 *
 * bRow = 0: `b` is what `packB` made of B once for all threads, DEPTH rows after DEPTH rows, and bColumn the
 * columns of B with those that fill its last panel.
 *
 * From another kernel: `import { gemm, GEMM_SCRATCH_BYTES } from "./gemm"`. Blocking after Goto and
 * van de Geijn (2008), "Anatomy of high-performance matrix multiplication": a panel of B streams
 * through the first-level cache, a block of packed A stays in the second, packed B in the third.
 *
 * The sum of an entry of C runs over q in blocks of DEPTH whatever m, n and its position are: to split
 * a product over threads, or over calls, by rows or columns of C leaves its bits unchanged.
 */
import { packA, packB, TILE_ROWS, tileColumns } from "./pack";
import { tile } from "./tile";

/** Steps of q between two updates of C. */
export const DEPTH: i32 = 256;
const ROW_BYTES: i32 = 1024; // rows in a packed block of A, times the size of an element
const COLUMN_BYTES: i32 = 4096; // columns in a packed block of B, times the size of an element
const TILE_BYTES: i32 = 128;
/** As `diagonal`: every entry. */
const WHOLE: i32 = i32.MAX_VALUE;

/** Packed A, packed B, one tile for the ragged edges. */
export const GEMM_SCRATCH_BYTES: i32 = DEPTH * (ROW_BYTES + COLUMN_BYTES) + TILE_BYTES;

export function gemm<T>(
  m: i32,
  n: i32,
  k: i32,
  alpha: T,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bRow: i32,
  bColumn: i32,
  beta: T,
  c: usize,
  cRow: i32,
  scratch: usize,
): void {
  gemmBelow<T>(m, n, k, alpha, a, aRow, aColumn, b, bRow, bColumn, beta, c, cRow, WHOLE, scratch);
}

/**
 * As `gemm`, for those entries alone with column ≤ row + diagonal, and some above them in tiles that
 * the diagonal crosses. For symmetric results, at half the cost.
 */
export function gemmBelow<T>(
  m: i32,
  n: i32,
  k: i32,
  alpha: T,
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bRow: i32,
  bColumn: i32,
  beta: T,
  c: usize,
  cRow: i32,
  diagonal: i32,
  scratch: usize,
): void {
  const size = <i32>sizeof<T>();
  if (k == 0) return scaleBelow<T>(m, n, beta, c, cRow, diagonal);
  const mc = ROW_BYTES / size;
  const nc = COLUMN_BYTES / size;
  const packedA = scratch;
  const packedB = packedA + <usize>(DEPTH * ROW_BYTES);
  const edge = packedB + <usize>(DEPTH * COLUMN_BYTES);
  for (let j = 0; j < n; j += nc) {
    const columns = min(nc, n - j);
    for (let q = 0; q < k; q += DEPTH) {
      const depth = min(DEPTH, k - q);
      const keep: T = q == 0 ? beta : <T>1;
      let panels = packedB;
      if (bRow == 0) panels = b + <usize>((q * bColumn + j * depth) * size);
      else packB<T>(columns, depth, b + <usize>((q * bRow + j * bColumn) * size), bRow, bColumn, panels);
      for (let i = 0; i < m; i += mc) {
        const rows = min(mc, m - i);
        const reach = diagonal == WHOLE ? WHOLE : diagonal + i - j;
        if (rows <= -reach) continue;
        packA<T>(rows, depth, a + <usize>((i * aRow + q * aColumn) * size), aRow, aColumn, packedA);
        const block = c + <usize>((i * cRow + j) * size);
        tiles<T>(rows, columns, depth, alpha, packedA, panels, keep, block, cRow, reach, edge);
      }
    }
  }
}

/** All tiles of one packed block of A with one packed block of B. */
function tiles<T>(
  rows: i32,
  columns: i32,
  depth: i32,
  alpha: T,
  packedA: usize,
  packedB: usize,
  beta: T,
  c: usize,
  cRow: i32,
  reach: i32,
  edge: usize,
): void {
  const size = <i32>sizeof<T>();
  const wide = tileColumns<T>();
  const rowBytes = <usize>(cRow * size);
  for (let j = 0; j < columns; j += wide) {
    const panelB = packedB + <usize>(j * depth * size);
    const width = min(wide, columns - j);
    // The first tile row that reaches column j: rows r with j ≤ r + 1 + reach.
    const first = reach == WHOLE ? 0 : max(0, (j - reach) & ~(TILE_ROWS - 1));
    for (let i = first; i < rows; i += TILE_ROWS) {
      const panelA = packedA + <usize>(i * depth * size);
      const at = c + <usize>((i * cRow + j) * size);
      if (width == wide && i + TILE_ROWS <= rows) {
        tile<T>(depth, panelA, panelB, alpha, beta, at, rowBytes);
      } else {
        tile<T>(depth, panelA, panelB, alpha, <T>0, edge, 64);
        copyEdge<T>(min(TILE_ROWS, rows - i), width, edge, beta, at, cRow);
      }
    }
  }
}

/** The part of a tile that lies inside C, with the same roundings as a whole tile. */
function copyEdge<T>(rows: i32, columns: i32, edge: usize, beta: T, c: usize, cRow: i32): void {
  const size = <i32>sizeof<T>();
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const at = c + <usize>((i * cRow + j) * size);
      const value = load<T>(edge + <usize>(i * 64 + j * size));
      store<T>(at, beta == <T>0 ? value : <T>(value + beta * load<T>(at)));
    }
  }
}

function scaleBelow<T>(m: i32, n: i32, beta: T, c: usize, cRow: i32, diagonal: i32): void {
  for (let i = 0; i < m; i++) {
    const width = diagonal == WHOLE ? n : min(n, i + diagonal + 1);
    for (let j = 0; j < width; j++) {
      const at = c + <usize>((i * cRow + j) * <i32>sizeof<T>());
      store<T>(at, beta == <T>0 ? <T>0 : <T>(beta * load<T>(at)));
    }
  }
}
