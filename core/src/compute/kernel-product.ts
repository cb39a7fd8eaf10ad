import type { KernelCall } from "./kernel-names.ts";
import type { Kernels } from "./kernels.ts";
import { splitEvenly, splitTriangle } from "./split.ts";
import type { Placed } from "./staging.ts";

/** The kernel's `diagonal` for every entry. */
export const WHOLE: number = 2 ** 31 - 1;

/** A matrix in kernel memory: the address of its first entry, elements between its rows and between its columns. */
export interface Strided {
  readonly at: number;
  readonly row: number;
  readonly column: number;
}

/** C ← α·A·B + β·C in kernel memory, entries of `size` bytes; below the diagonal only, or all with `WHOLE`. */
export interface KernelProduct {
  readonly size: number;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly alpha: number;
  readonly a: Strided;
  readonly b: Strided;
  readonly beta: number;
  readonly c: Placed;
  readonly diagonal: number;
}

/** The part of one thread: rows of C, or columns where there are more of them. */
export type Part = readonly [start: number, end: number];

type Shape = Pick<KernelProduct, "m" | "n" | "diagonal">;

export function isByRows({ m, n, diagonal }: Shape): boolean {
  return diagonal !== WHOLE || m >= n;
}

/** Multiply-adds of a product. */
export function workOf({ m, n, k, diagonal }: Shape & { readonly k: number }): number {
  return diagonal === WHOLE ? m * n * k : (m * n * k) / 2;
}

/** The parts of so many threads, the first of them a share of `own`. */
export function partsOf(shape: Shape, count: number, own: number = 1 / count): Part[] {
  if (shape.diagonal !== WHOLE) return splitTriangle(shape.m, count, 4, own);
  return isByRows(shape)
    ? splitEvenly(shape.m, count, 4, own)
    : splitEvenly(shape.n, count, 16, own);
}

/** What the kernel is asked for one part, with the packing buffers of one thread. */
export function callOf(product: KernelProduct, [start, end]: Part, scratch: number): KernelCall {
  const { size, m, n, k, alpha, a, b, beta, c, diagonal } = product;
  const name = size === 8 ? "gemmF64" : "gemmF32";
  if (!isByRows(product))
    return [
      ...([name, m, end - start, k, alpha, a.at, a.row, a.column] as const),
      ...([b.at + start * b.column * size, b.row, b.column] as const),
      ...([beta, c.at + start * size, c.row, WHOLE, scratch] as const),
    ];
  const triangle = diagonal !== WHOLE;
  return [
    ...([name, end - start, triangle ? Math.min(n, end + diagonal) : n, k, alpha] as const),
    ...([a.at + start * a.row * size, a.row, a.column, b.at, b.row, b.column] as const),
    ...([beta, c.at + start * c.row * size, c.row] as const),
    ...([triangle ? diagonal + start : WHOLE, scratch] as const),
  ];
}

/** Carries out a product, split over the threads. */
export function multiply(
  kernels: Kernels,
  product: KernelProduct,
  threads: number = kernels.threadsFor(workOf(product)),
): void {
  const parts = partsOf(product, threads);
  kernels.run(parts.map((part, thread) => callOf(product, part, kernels.scratch(thread))));
}
