import { RatewiseError } from "../errors.ts";
import { type Key, permutation } from "../random/index.ts";
import type { LearnerTask } from "./learner.ts";

/**
 * For each row the fold, 0 … folds − 1, that tests it: sizes differ by one at most, and classes are dealt out evenly. Every
 * part that is trained on holds every class.
 */
export function foldOfRows(
  key: Key,
  y: Float64Array,
  task: LearnerTask,
  folds: number,
): Uint32Array {
  const n = y.length;
  if (!(Number.isInteger(folds) && folds >= 2))
    throw new RatewiseError("domain", {
      in: "foldOfRows",
      what: `needs at least 2 folds, got ${folds}`,
      option: "folds",
    });
  if (n < folds)
    throw new RatewiseError("domain", {
      in: "foldOfRows",
      what: `needs at least as many rows as folds, got ${n} rows and ${folds} folds`,
      option: "folds",
      advice: "ask for fewer folds",
      rows: n,
      folds,
    });
  const order = permutation(key, n);
  if (task.kind === "classification") {
    const counts = new Uint32Array(task.classes);
    for (const label of y) counts[label]++;
    const rare = counts.indexOf(1);
    if (rare >= 0)
      throw new RatewiseError("domain", {
        in: "foldOfRows",
        what: `needs at least 2 rows of every class, got 1 of class ${rare}`,
        advice: "leave that row out",
        class: rare,
      });
    order.sort((a, b) => y[a] - y[b]); // stable: the random order stays within a class
  }
  const fold = new Uint32Array(n);
  order.forEach((row, at) => {
    fold[row] = at % folds;
  });
  return fold;
}

/** Rows outside and inside a fold. */
export function rowsOfFold(
  folds: Uint32Array,
  fold: number,
): { train: Uint32Array; test: Uint32Array } {
  const rows = Uint32Array.from(folds.keys());
  return {
    train: rows.filter((row) => folds[row] !== fold),
    test: rows.filter((row) => folds[row] === fold),
  };
}

/** y at the given rows. */
export function valuesAt(y: Float64Array, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => y[row]);
}
