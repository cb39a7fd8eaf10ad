import { RatewiseError, shapeError } from "../errors.ts";
import type { Key } from "../random/index.ts";
import { philoxInto } from "../random/philox.ts";

/** Labels of rows that may change places with each other only: families, litters, batches. */
export type Strata = ArrayLike<number | string>;

/** The rows of each stratum; one of all rows without strata. */
export function strataRows(where: string, n: number, strata: Strata | undefined): Uint32Array[] {
  if (!strata) return [Uint32Array.from({ length: n }, (_, i) => i)];
  if (strata.length !== n) throw shapeError(where, `${n} strata, one per row`, `${strata.length}`);
  const rows = new Map<number | string, number[]>();
  for (let i = 0; i < n; i++) {
    const own = rows.get(strata[i]);
    if (own) own.push(i);
    else rows.set(strata[i], [i]);
  }
  if (rows.size === n && n > 1)
    throw new RatewiseError("domain", {
      in: where,
      what: `each of the ${n} rows is a stratum (a family) of its own, so nothing can be permuted`,
      option: "strata",
      advice: "give labels that rows share, or none",
    });
  return [...rows.values()].map((members) => Uint32Array.from(members));
}

/**
 * A random order of all rows in which each stays in its stratum (Fisher–Yates). One word of 32 bits a swap, four swaps a block of Philox: shuffling, not multiplying, is what
 * tens of thousands of permutations cost. The chance of any order is off by less than n²/2³² of itself.
 */
export function permuteWithin(key: Key, strata: readonly Uint32Array[]): Uint32Array {
  const whole = strata.length === 1;
  const order = new Uint32Array(strata.reduce((sum, rows) => sum + rows.length, 0));
  const words = new Uint32Array(4);
  let block = 0;
  let used = 4;
  for (const rows of strata) {
    const shuffled = rows.slice();
    for (let i = shuffled.length - 1; i > 0; i--) {
      if (used === 4) {
        philoxInto(words, block++, 0, 0, 0, key.k0, key.k1);
        used = 0;
      }
      const j = Math.floor((words[used++] / 2 ** 32) * (i + 1));
      const kept = shuffled[i];
      shuffled[i] = shuffled[j];
      shuffled[j] = kept;
    }
    if (whole) return shuffled;
    for (let i = 0; i < rows.length; i++) order[rows[i]] = shuffled[i];
  }
  return order;
}
