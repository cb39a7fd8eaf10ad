import { multiply } from "./kernel-product.ts";
import type { Kernels } from "./kernels.ts";
import {
  bytesOfStep,
  depthOf,
  type ProductBlock,
  pieceOfA,
  pieceOfB,
  productOf,
  type Steps,
} from "./product-piece.ts";
import { sharedProduct } from "./shared-product.ts";
import type { Region, Staging } from "./staging.ts";

/** Operands up to this size are copied whole when one thread works alone, larger ones in pieces that stay in the cache. */
const WHOLE_BYTES = 32 * 2 ** 20;
const PIECE_BYTES = 4 * 2 ** 20;

/** Carries out a block over pieces of k, and copies C back by `drain` where it does not lie in kernel memory. */
export function productBlock(
  kernels: Kernels,
  block: ProductBlock,
  stages: readonly Staging[],
  drain?: (region: Region) => void,
): void {
  // Asked once: threads that come up in between would read what one alone overwrites.
  const threads = kernels.threadsFor(block.m * block.n * block.k);
  if (threads > 1) sharedProduct(kernels, block, threads, stages, drain);
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
  for (let q = 0; q === 0 || q < k; q += depth) {
    const steps: Steps = [q, Math.min(depth, k - q)];
    const a = pieceOfA(block, steps, stages[0]);
    const b = pieceOfB(block, steps, stages[1]);
    multiply(kernels, productOf(block, steps, a, b), 1);
  }
}
