import type { FloatArray } from "./contract.ts";
import { DEPTH, type KernelProduct, type Part, type Strided } from "./kernel-product.ts";
import type { Placed, Staging } from "./staging.ts";

/** Steps of k: the first of them, and how many. */
export type Steps = readonly [first: number, count: number];

/** One operand as it is stored: op(A) may be its transpose. */
export interface Operand {
  readonly array: FloatArray;
  readonly ld: number;
  readonly transpose: boolean;
}

/** One block of C ← α·op(A)[i…, :]·op(B)[:, j…] + β·C; of C only what is below the diagonal, or all of it. */
export interface ProductBlock {
  readonly a: Operand;
  readonly i: number;
  readonly m: number;
  readonly b: Operand;
  readonly j: number;
  readonly n: number;
  readonly k: number;
  readonly alpha: number;
  readonly beta: number;
  readonly c: Placed;
  readonly diagonal: number;
}

/** The bytes of A and B that a step of k needs. */
export function bytesOfStep({ a, m, n }: ProductBlock): number {
  return (m + n) * a.array.BYTES_PER_ELEMENT;
}

/** Steps of k whose operands have about so many bytes: a multiple of DEPTH. */
export function depthOf(block: ProductBlock, bytes: number): number {
  return Math.max(1, Math.floor(bytes / bytesOfStep(block) / DEPTH)) * DEPTH;
}

/** Steps q… of k of the rows of op(A) that a part of C needs, in kernel memory; addressed from the block's first row on. */
export function pieceOfA(
  { a, i, m }: ProductBlock,
  [q, k]: Steps,
  stage: Staging,
  [top, bottom]: Part = [0, m],
): Strided {
  const { at, row, column } = place(a, stage, i + top, q, bottom - top, k);
  return { at: at - top * row * a.array.BYTES_PER_ELEMENT, row, column };
}

/** The same steps of op(B). */
export function pieceOfB({ b, j, n }: ProductBlock, [q, k]: Steps, stage: Staging): Strided {
  return place(b, stage, q, j, k, n);
}

/** The product of a piece of A and one of B, added to what the pieces before have made of C. */
export function productOf(
  block: ProductBlock,
  [q, k]: Steps,
  a: Strided,
  b: Strided,
): KernelProduct {
  const { alpha, c, m, n, diagonal } = block;
  const size = block.a.array.BYTES_PER_ELEMENT;
  return { size, m, n, k, alpha, a, b, beta: q === 0 ? block.beta : 1, c, diagonal };
}

/** Rows × columns of op(A) from (i, j) on, in kernel memory. */
function place(
  { array, ld, transpose }: Operand,
  stage: Staging,
  i: number,
  j: number,
  rows: number,
  columns: number,
): Strided {
  if (transpose) {
    const { at, row } = stage.fill(array, j * ld + i, columns, rows, ld);
    return { at, row: 1, column: row };
  }
  const { at, row } = stage.fill(array, i * ld + j, rows, columns, ld);
  return { at, row, column: 1 };
}
