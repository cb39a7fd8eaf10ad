import { shapeError } from "../errors.ts";
import { type Key, permutation, uniformInteger, uniforms } from "../random/index.ts";

/** Labels of rows that may change places with each other only: families, litters, batches. */
export type Strata = ArrayLike<number | string>;

/** The rows of each stratum; one of all rows without strata. */
export function strataRows(where: string, n: number, strata: Strata | undefined): Uint32Array[] {
  if (!strata) return [Uint32Array.from({ length: n }, (_, i) => i)];
  if (strata.length !== n) throw shapeError(where, `${n} strata, one a row`, `${strata.length}`);
  const rows = new Map<number | string, number[]>();
  for (let i = 0; i < n; i++) {
    const own = rows.get(strata[i]);
    if (own) own.push(i);
    else rows.set(strata[i], [i]);
  }
  return [...rows.values()].map((members) => Uint32Array.from(members));
}

/** A random order of all rows in which each stays in its stratum. */
export function permuteWithin(key: Key, strata: readonly Uint32Array[]): Uint32Array {
  if (strata.length === 1) return permutation(key, strata[0].length);
  const n = strata.reduce((sum, rows) => sum + rows.length, 0);
  const order = new Uint32Array(n);
  const next = uniforms(key);
  for (const rows of strata) {
    const shuffled = rows.slice();
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = uniformInteger(next, i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    rows.forEach((row, i) => {
      order[row] = shuffled[i];
    });
  }
  return order;
}
