import type { Arena } from "../compute/arena.ts";
import { partitionInPlace } from "../compute/bins.ts";
import { featureStart } from "../compute/histogram.ts";
import type { BinnedColumns } from "./binned-columns.ts";
import type { NodeSplit } from "./tree-builder.ts";

/**
 * The rows of all nodes of a growing tree, those of a node side by side from `start` to `end`: row number, and
 * two numbers per row that go with it (gradient and Hessian, or the like). In kernel memory.
 */
export interface NodeRows {
  readonly rows: Int32Array;
  readonly pairs: Float64Array;
  readonly spareRows: Int32Array;
  readonly sparePairs: Float64Array;
}

export function nodeRows(arena: Arena, n: number): NodeRows {
  return {
    rows: arena.int32(n),
    pairs: arena.float64(2 * n),
    spareRows: arena.int32(n),
    sparePairs: arena.float64(2 * n),
  };
}

/**
 * Puts the rows of start … end − 1 that go left before those that go right, both in the order they had.
 * @returns where the right ones begin, and whether any row's value was missing.
 */
export function partNode(
  { rows, pairs, spareRows, sparePairs }: NodeRows,
  start: number,
  end: number,
  { column, bin, missingLeft }: NodeSplit,
  binned: BinnedColumns,
): { readonly middle: number; readonly missing: boolean } {
  const { left, missing } = partitionInPlace(
    { bins: binned.bins, rows, pairs, spareRows, sparePairs },
    [start, end],
    featureStart(column, binned.rows),
    bin,
    missingLeft,
  );
  return { middle: start + left, missing };
}
