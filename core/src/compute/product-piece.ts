import type { FloatArray } from "./contract.ts";
import { DEPTH, type KernelProduct, type Strided } from "./kernel-product.ts";
import type { Placed, Staging } from "./staging.ts";

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

/** The product of steps q… of k, its operands in kernel memory. */
export function piece(
  block: ProductBlock,
  q: number,
  depth: number,
  stageA: Staging,
  stageB: Staging,
): KernelProduct {
  const { a, i, m, b, j, n } = block;
  const k = Math.min(depth, block.k - q);
  return {
    ...block,
    size: a.array.BYTES_PER_ELEMENT,
    k,
    beta: q === 0 ? block.beta : 1,
    a: place(a, stageA, i, q, m, k),
    b: place(b, stageB, q, j, k, n),
  };
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
