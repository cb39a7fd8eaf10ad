import { RatewiseError } from "../errors.ts";
import { type Key, permutation } from "../random/index.ts";

/** Row numbers of a table, each row in exactly one part, increasing within a part. */
export interface Split {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** A random split with round(n·testFraction) test rows, both parts non-empty. */
export function splitRows(key: Key, n: number, testFraction: number): Split {
  if (!(testFraction > 0 && testFraction < 1))
    throw new RatewiseError("domain", {
      in: "splitRows",
      what: `needs a test fraction between 0 and 1, got ${testFraction}`,
    });
  if (n < 2)
    throw new RatewiseError("domain", { in: "splitRows", what: `needs at least 2 rows, got ${n}` });
  const size = Math.min(n - 1, Math.max(1, Math.round(n * testFraction)));
  const order = permutation(key, n);
  return { test: order.slice(0, size).sort(), train: order.slice(size).sort() };
}

/** As many parts of nearly equal size, each row in one of them; where there are classes, each is spread over all parts. */
export function foldRows(
  key: Key,
  n: number,
  folds: number,
  labels: ArrayLike<number> | null = null,
): Uint32Array[] {
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= n))
    throw new RatewiseError("domain", {
      in: "foldRows",
      what: `needs from 2 to ${n} folds of ${n} rows, got ${folds}`,
    });
  const order = Array.from(permutation(key, n));
  // Stable: within a class the order stays random. One row after the other goes to the next part.
  if (labels) order.sort((a, b) => labels[a] - labels[b]);
  const parts: number[][] = Array.from({ length: folds }, () => []);
  for (const [at, row] of order.entries()) parts[at % folds].push(row);
  return parts.map((part) => Uint32Array.from(part).sort());
}

/**
 * The same share of every class in both parts, as far as whole rows allow; a class with a single
 * row goes to `train`. `labels` are class indexes 0 … classes − 1.
 */
export function splitRowsByClass(
  key: Key,
  labels: ArrayLike<number>,
  classes: number,
  testFraction: number,
): Split {
  const n = labels.length;
  const counts = new Float64Array(classes);
  for (let i = 0; i < n; i++) counts[labels[i]]++;
  const toTest = counts.map((count) => (count < 2 ? 0 : Math.round(count * testFraction)));
  const test: number[] = [];
  const train: number[] = [];
  for (const row of permutation(key, n)) {
    if (toTest[labels[row]] > 0) {
      toTest[labels[row]]--;
      test.push(row);
    } else train.push(row);
  }
  if (test.length === 0 || train.length === 0) return splitRows(key, n, testFraction);
  return { test: Uint32Array.from(test).sort(), train: Uint32Array.from(train).sort() };
}
