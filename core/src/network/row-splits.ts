import { foldsOfGroups, type RowStructure, splitByStructure } from "../data/row-structure.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import type { Recipe } from "./recipe.ts";

/** Rows to learn from and rows held back to judge by, each in increasing order. */
export interface RowSplit {
  readonly trainingRows: Uint32Array;
  readonly validationRows: Uint32Array;
}

/**
 * One split of n rows; or with few of them several, in which each row is held back once. Rows that belong together stay together; of rows
 * in time the latest are held back, once. Where all are of one group or one time, chance decides.
 */
export function rowSplits(
  n: number,
  plan: Recipe,
  key: Key,
  structure: RowStructure | null = null,
): readonly RowSplit[] {
  const { validationFraction, folds, foldedRows } = plan;
  const held = Math.round(validationFraction * n);
  const structured = held > 0 && structure ? structuredSplits(structure, plan, key) : null;
  if (structured) return structured;
  const order = permutation(fold(key, "validation"), n);
  if (held === 0 || n > foldedRows || n < 2 * folds) return [splitAt(order, 0, held)];
  return Array.from({ length: folds }, (_, f) =>
    splitAt(order, Math.round((f * n) / folds), Math.round(((f + 1) * n) / folds)),
  );
}

function structuredSplits(
  structure: RowStructure,
  { validationFraction, folds, foldedRows }: Recipe,
  key: Key,
): readonly RowSplit[] | null {
  const own = fold(key, "validation");
  const { kind, values } = structure;
  const n = values.length;
  if (kind === "groups" && n <= foldedRows && n >= 2 * folds) {
    const parts = foldsOfGroups(own, values, folds);
    if (parts) return parts.map((part) => splitOff(n, part));
  }
  const split = splitByStructure(own, structure, validationFraction);
  return split && [{ trainingRows: split.train, validationRows: split.test }];
}

function splitOff(n: number, validationRows: Uint32Array): RowSplit {
  const held = new Set(validationRows);
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  return { trainingRows: all.filter((row) => !held.has(row)), validationRows };
}

function splitAt(order: Uint32Array, start: number, end: number): RowSplit {
  const trainingRows = new Uint32Array(order.length - (end - start));
  trainingRows.set(order.subarray(0, start));
  trainingRows.set(order.subarray(end), start);
  return { validationRows: order.slice(start, end).sort(), trainingRows: trainingRows.sort() };
}
