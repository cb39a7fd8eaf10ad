import type { FloatArray } from "./contract.ts";
import {
  callOf,
  isByRows,
  multiply,
  type Part,
  partsOf,
  type Strided,
  workOf,
} from "./kernel-product.ts";
import type { Kernels, Order } from "./kernels.ts";
import type { Placed, Region, Staging } from "./staging.ts";

/** As the kernel's: the steps of k between two updates of C. Pieces of k are multiples of it. */
const DEPTH = 256;
/** Operands up to this size are copied whole when one thread works alone, larger ones in pieces that stay in the cache. */
const WHOLE_BYTES = 32 * 2 ** 20;
const PIECE_BYTES = 4 * 2 ** 20;
/** Pieces for several threads: the others begin when the first has been copied. */
const SHARED_PIECE_BYTES = 2 * 2 ** 20;
/** C is copied back in regions of about this size, each as soon as it is finished. */
const REGION_BYTES = 2 ** 19;
const MOST_REGIONS = 4;
/** Two pieces of A, then two of B. */
export const STAGES = 4;

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

/** Carries out a block over pieces of k, and copies C back by `drain` where it does not lie in kernel memory. */
export function productBlock(
  kernels: Kernels,
  block: ProductBlock,
  stages: readonly Staging[],
  drain?: (region: Region) => void,
): void {
  // Asked once: threads that come up in between would read what one alone overwrites.
  const threads = kernels.threadsFor(block.m * block.n * block.k);
  if (threads > 1) shared(kernels, block, threads, stages, drain);
  else {
    alone(kernels, block, stages);
    drain?.({ top: 0, bottom: block.m, left: 0, right: block.n });
  }
}

function alone(kernels: Kernels, block: ProductBlock, stages: readonly Staging[]): void {
  const { k } = block;
  const whole = bytesOfStep(block) * k <= WHOLE_BYTES;
  const depth = whole ? Math.max(1, k) : depthOf(block, PIECE_BYTES);
  // At least once, so that k = 0 still scales C.
  for (let q = 0; q === 0 || q < k; q += depth)
    multiply(kernels, piece(block, q, depth, stages[0], stages[2]), 1);
}

/**
 * This thread copies the pieces, always one ahead of the multiplication, and gives the others their parts of each;
 * nobody waits for another between pieces. It multiplies less by what it copies, so that all end at the same time.
 */
function shared(
  kernels: Kernels,
  block: ProductBlock,
  threads: number,
  stages: readonly Staging[],
  drain?: (region: Region) => void,
): void {
  const { m, n, k, a, b } = block;
  const size = a.array.BYTES_PER_ELEMENT;
  const depth = depthOf(block, SHARED_PIECE_BYTES);
  const stepBytes =
    (kernels.memory.owns(a.array) ? 0 : m * size) + (kernels.memory.owns(b.array) ? 0 : n * size);
  const bytes = stepBytes * k + (drain ? m * n * size : 0);
  const work = workOf(block) * (size / 4);
  const own = kernels.balance.own(threads, work, bytes - stepBytes * Math.min(k, depth));
  const [mine, ...theirs] = partsOf(block, threads, own);
  let copying = 0;
  let multiplying = 0;
  const back = (part: Part): void => {
    const start = performance.now();
    drain?.(regionOf(block, part));
    copying += performance.now() - start;
  };
  kernels.withOrders((post) => {
    const orders: { order: Order; part: Part }[][] = [[], []];
    const begin = (q: number) => {
      const turn = (q / depth) % 2;
      for (const { order } of orders[turn]) order.wait();
      const start = performance.now();
      const product = piece(block, q, depth, stages[turn], stages[2 + turn]);
      copying += performance.now() - start;
      const regions = drain && q + depth >= k ? regionsOf(block, size, theirs) : [theirs];
      orders[turn] = regions.flatMap((parts) =>
        parts.flatMap((part, i) =>
          part[1] > part[0]
            ? [{ part, order: post(i + 1, callOf(product, part, kernels.scratch(i + 1))) }]
            : [],
        ),
      );
      return product;
    };
    let next = begin(0);
    for (let q = 0; q < k; q += depth) {
      const product = next;
      if (q + depth < k) next = begin(q + depth);
      const start = performance.now();
      if (mine[1] > mine[0]) kernels.here(callOf(product, mine, kernels.scratch(0)));
      multiplying += performance.now() - start;
    }
    if (!drain) return;
    back(mine);
    for (const { order, part } of orders[(Math.ceil(k / depth) - 1) % 2]) {
      order.wait();
      back(part);
    }
  });
  kernels.balance.learn(work * own, multiplying, bytes, copying);
}

/** The bytes of A and B that a step of k needs. */
function bytesOfStep({ a, m, n }: ProductBlock): number {
  return (m + n) * a.array.BYTES_PER_ELEMENT;
}

function depthOf(block: ProductBlock, bytes: number): number {
  return Math.max(1, Math.floor(bytes / bytesOfStep(block) / DEPTH)) * DEPTH;
}

/** The product of steps q… of k, its operands in kernel memory. */
function piece(block: ProductBlock, q: number, depth: number, stageA: Staging, stageB: Staging) {
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

/** What each thread does at a time in the last piece, so that the first of it can be copied back meanwhile. */
function regionsOf(block: ProductBlock, size: number, parts: readonly Part[]): Part[][] {
  const count = Math.ceil((block.m * block.n * size) / parts.length / REGION_BYTES);
  const align = isByRows(block) ? 4 : 16;
  const regions = Math.max(1, Math.min(MOST_REGIONS, count));
  return Array.from({ length: regions }, (_, region) =>
    parts.map(([start, end]): Part => {
      const cut = (share: number) =>
        share === regions
          ? end
          : Math.min(end, start + Math.ceil(((end - start) * share) / regions / align) * align);
      return [cut(region), cut(region + 1)];
    }),
  );
}

function regionOf(block: ProductBlock, [start, end]: Part): Region {
  return isByRows(block)
    ? { top: start, bottom: end, left: 0, right: block.n }
    : { top: 0, bottom: block.m, left: start, right: end };
}
