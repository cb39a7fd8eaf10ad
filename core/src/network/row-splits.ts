import { fold, type Key, permutation } from "../random/index.ts";
import type { Recipe } from "./recipe.ts";

/** Rows to learn from and rows held back to judge by, each in increasing order. */
export interface RowSplit {
  readonly trainingRows: Uint32Array;
  readonly validationRows: Uint32Array;
}

/** One split of n rows; or with few of them several, in which each row is held back once. */
export function rowSplits(
  n: number,
  { validationFraction, folds, foldedRows }: Recipe,
  key: Key,
): readonly RowSplit[] {
  const order = permutation(fold(key, "validation"), n);
  const held = Math.round(validationFraction * n);
  if (held === 0 || n > foldedRows || n < 2 * folds) return [splitAt(order, 0, held)];
  return Array.from({ length: folds }, (_, f) =>
    splitAt(order, Math.round((f * n) / folds), Math.round(((f + 1) * n) / folds)),
  );
}

function splitAt(order: Uint32Array, start: number, end: number): RowSplit {
  const trainingRows = new Uint32Array(order.length - (end - start));
  trainingRows.set(order.subarray(0, start));
  trainingRows.set(order.subarray(end), start);
  return { validationRows: order.slice(start, end).sort(), trainingRows: trainingRows.sort() };
}
