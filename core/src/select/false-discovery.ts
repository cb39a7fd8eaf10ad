import { RatewiseError, refuseUnlisted } from "../errors.ts";

/**
 * How p-values become q-values. `benjamini-hochberg` controls the false discovery rate for independent or
 * positively dependent p-values; `benjamini-yekutieli` for any, at the price of a factor Σ 1/i.
 */
export const adjustments = ["benjamini-hochberg", "benjamini-yekutieli"] as const;
export type Adjustment = (typeof adjustments)[number];

/**
 * q-values: the smallest rate at which a hypothesis is rejected, q_(i) = min_{k ≥ i} c·m·p_(k)/k, at most 1,
 * with c = 1 (Benjamini and Hochberg 1995) or Σ_{i≤m} 1/i (Benjamini and Yekutieli 2001). O(m log m).
 */
export function adjustPValues(
  pValues: ArrayLike<number>,
  adjustment: Adjustment = "benjamini-hochberg",
): Float64Array {
  refuseUnlisted("adjustPValues", "adjustment", adjustments, adjustment);
  const m = pValues.length;
  let factor = m;
  if (adjustment === "benjamini-yekutieli") {
    let harmonic = 0;
    for (let i = 1; i <= m; i++) harmonic += 1 / i;
    factor = m * harmonic;
  }
  for (let i = 0; i < m; i++)
    if (!(pValues[i] >= 0 && pValues[i] <= 1))
      throw new RatewiseError("domain", {
        in: "adjustPValues",
        what: `needs p-values from 0 to 1, got ${pValues[i]} at ${i}`,
      });
  const order = Uint32Array.from({ length: m }, (_, i) => i).sort(
    (a, b) => pValues[a] - pValues[b],
  );
  const q = new Float64Array(m);
  let least = 1;
  for (let i = m - 1; i >= 0; i--) {
    least = Math.min(least, (factor * pValues[order[i]]) / (i + 1));
    q[order[i]] = least;
  }
  return q;
}

/** The share of false ones among the selected (0 when none is) and of the true ones that were selected. */
export interface Discoveries {
  readonly falseDiscoveryProportion: number;
  readonly power: number;
}

/** A selection held against the truth; power is NaN where nothing is true. */
export function discoveries(
  selected: ArrayLike<number | boolean>,
  truth: ArrayLike<number | boolean>,
): Discoveries {
  let [found, right, all] = [0, 0, 0];
  for (let j = 0; j < truth.length; j++) {
    if (truth[j]) all++;
    if (!selected[j]) continue;
    found++;
    if (truth[j]) right++;
  }
  return { falseDiscoveryProportion: (found - right) / Math.max(1, found), power: right / all };
}
