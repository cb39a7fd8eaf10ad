import { fold, type Key, permutation } from "../random/index.ts";
import type { Split } from "./split.ts";

/** What ties rows together: those of one number are one group, or those near each other in time are alike. */
export type RowStructure =
  | { readonly kind: "groups"; readonly values: Int32Array }
  | { readonly kind: "time"; readonly values: Float64Array };

/** The structure of some of the rows, in the order given. */
export function structureOfRows(structure: RowStructure, rows: Uint32Array): RowStructure {
  return structure.kind === "time"
    ? { kind: "time", values: Float64Array.from(rows, (row) => structure.values[row]) }
    : { kind: "groups", values: Int32Array.from(rows, (row) => structure.values[row]) };
}

/**
 * Whole groups, drawn at random, or the latest rows in `test`: as near to n·testFraction rows as whole groups, or all rows of one time,
 * allow. Null where there is one group or one time, which cannot be split.
 */
export function splitByStructure(
  key: Key,
  { kind, values }: RowStructure,
  testFraction: number,
): Split | null {
  const n = values.length;
  const units = rowsOfUnits(values);
  if (units.length < 2) return null;
  const aim = Math.min(n - 1, Math.max(1, Math.round(n * testFraction)));
  const test = kind === "time" ? latest(units, aim) : drawn(key, units, aim);
  const held = new Uint8Array(n);
  for (const row of test) held[row] = 1;
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  return { train: all.filter((i) => held[i] === 0), test: all.filter((i) => held[i] === 1) };
}

/** As many parts of whole groups, of nearly equal size: large groups first, each to the part that has fewest rows. */
export function foldsOfGroups(key: Key, values: Int32Array, folds: number): Uint32Array[] | null {
  const units = rowsOfUnits(values);
  if (units.length < folds) return null;
  const order = permutation(fold(key, "groups"), units.length);
  const large = Array.from(order, (at) => units[at]).sort((a, b) => b.length - a.length);
  const parts: number[][] = Array.from({ length: folds }, () => []);
  for (const rows of large)
    addAll(
      parts.reduce((fewest, part) => (part.length < fewest.length ? part : fewest)),
      rows,
    );
  return parts.map((part) => Uint32Array.from(part).sort());
}

/** Rows that have the same value, by increasing value. */
function rowsOfUnits(values: ArrayLike<number>): number[][] {
  const units = new Map<number, number[]>();
  for (let i = 0; i < values.length; i++) {
    const rows = units.get(values[i]);
    if (rows) rows.push(i);
    else units.set(values[i], [i]);
  }
  return [...units].sort(([a], [b]) => a - b).map(([, rows]) => rows);
}

/** The last times whose rows together come nearest to `aim`, at least one and not all; where two do, the fewer. */
function latest(units: readonly number[][], aim: number): number[] {
  let from = units.length - 1;
  let size = units[from].length;
  let best = { from, off: Math.abs(size - aim) };
  while (--from > 0) {
    size += units[from].length;
    const off = Math.abs(size - aim);
    if (off < best.off) best = { from, off };
  }
  return units.slice(best.from).flat();
}

/** Groups in random order, each taken if it brings the rows nearer to `aim`; the smallest one where none does. */
function drawn(key: Key, units: readonly number[][], aim: number): number[] {
  const test: number[] = [];
  let left = units.length;
  for (const at of permutation(fold(key, "groups"), units.length)) {
    const size = test.length + units[at].length;
    if (left === 1 || Math.abs(size - aim) >= Math.abs(test.length - aim)) continue;
    addAll(test, units[at]);
    left--;
  }
  if (test.length > 0) return test;
  return units.reduce((smallest, rows) => (rows.length < smallest.length ? rows : smallest));
}

/** One by one: a group may have more rows than a call takes arguments. */
function addAll(to: number[], rows: readonly number[]): void {
  for (const row of rows) to.push(row);
}
