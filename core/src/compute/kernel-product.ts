import type { KernelCall } from "./kernel-names.ts";
import type { Kernels } from "./kernels.ts";
import { splitEvenly, splitTriangle } from "./split.ts";
import type { Placed } from "./staging.ts";

/** The kernel's `diagonal` for every entry. */
export const WHOLE: number = 2 ** 31 - 1;

/** As the kernel's: the steps of k between two updates of C. */
export const DEPTH = 256;
/** Parts of C begin at multiples of so many rows, those by columns at whole panels of B. */
const ROW_ALIGN = 4;
const COLUMN_ALIGN = 16;
/** Rows from which C is shared by rows, with B packed once for all, even where it has more columns. */
const MANY_ROWS = 64;

/**
 * A matrix in kernel memory: the address of its first entry, elements between its rows and between its columns.
 * Of a B that has been packed: 0, and its columns rounded up to whole panels.
 */
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

/** Part of a product: rows of C, or columns. */
export type Part = readonly [start: number, end: number];

type Shape = Pick<KernelProduct, "m" | "n" | "diagonal">;

export function isByRows({ m, n, diagonal }: Shape): boolean {
  return diagonal !== WHOLE || m >= n || m >= MANY_ROWS;
}

/** Multiply-adds of a product. */
export function workOf({ m, n, k, diagonal }: Shape & { readonly k: number }): number {
  return diagonal === WHOLE ? m * n * k : (m * n * k) / 2;
}

/** At most so many parts of about equal work. */
export function partsOf(shape: Shape, count: number, rowAlign: number = ROW_ALIGN): Part[] {
  if (shape.diagonal !== WHOLE) return splitTriangle(shape.m, count, rowAlign);
  return isByRows(shape)
    ? splitEvenly(shape.m, count, rowAlign)
    : splitEvenly(shape.n, count, COLUMN_ALIGN);
}

/** What the kernel is asked for one part, but for the last argument: the packing buffers of a thread. */
export function callOf(product: KernelProduct, [start, end]: Part): KernelCall {
  const { size, m, n, k, alpha, a, b, beta, c, diagonal } = product;
  const name = size === 8 ? "gemmF64" : "gemmF32";
  if (!isByRows(product))
    return [
      ...([name, m, end - start, k, alpha, a.at, a.row, a.column] as const),
      ...([b.at + start * b.column * size, b.row, b.column] as const),
      ...([beta, c.at + start * size, c.row, WHOLE] as const),
    ];
  const triangle = diagonal !== WHOLE;
  return [
    ...([name, end - start, triangle ? Math.min(n, end + diagonal) : n, k, alpha] as const),
    ...([a.at + start * a.row * size, a.row, a.column, b.at, b.row, b.column] as const),
    ...([beta, c.at + start * c.row * size, c.row] as const),
    triangle ? diagonal + start : WHOLE,
  ];
}

/** Carries out a product, split over the threads. */
export function multiply(
  kernels: Kernels,
  product: KernelProduct,
  threads: number = kernels.threadsFor(workOf(product)),
): void {
  const parts = partsOf(product, threads);
  kernels.run(parts.map((part, thread) => [...callOf(product, part), kernels.scratch(thread)]));
}
