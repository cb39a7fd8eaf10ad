import type { Arena } from "../compute/arena.ts";
import { MISSING_BIN } from "../compute/best-splits.ts";
import type { BinnedColumns } from "./binned-columns.ts";
import type { NodeSplit } from "./tree-builder.ts";

/**
 * The rows of all nodes of a growing tree, those of a node side by side from `start` to `end`: row number, and
 * two numbers a row that go with it (gradient and Hessian, or the like). In kernel memory.
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
export function partitionInPlace(
  { rows, pairs, spareRows, sparePairs }: NodeRows,
  start: number,
  end: number,
  { column, bin, missingLeft }: NodeSplit,
  binned: BinnedColumns,
): { readonly middle: number; readonly missing: boolean } {
  const { bins } = binned;
  const offset = column * binned.rows;
  let left = start;
  let right = 0;
  let missing = false;
  for (let i = start; i < end; i++) {
    const row = rows[i];
    const here = bins[offset + row];
    if (here === MISSING_BIN) missing = true;
    if (here === MISSING_BIN ? missingLeft : here <= bin) {
      rows[left] = row;
      pairs[2 * left] = pairs[2 * i];
      pairs[2 * left + 1] = pairs[2 * i + 1];
      left++;
    } else {
      spareRows[right] = row;
      sparePairs[2 * right] = pairs[2 * i];
      sparePairs[2 * right + 1] = pairs[2 * i + 1];
      right++;
    }
  }
  rows.set(spareRows.subarray(0, right), left);
  pairs.set(sparePairs.subarray(0, 2 * right), 2 * left);
  return { middle: left, missing };
}
