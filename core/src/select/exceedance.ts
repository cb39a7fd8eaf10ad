import { log, log1p } from "../elementary/index.ts";
import { fold, type Key, uniforms } from "../random/index.ts";
import { type Adjustment, adjustPValues } from "./false-discovery.ts";

/** How often the null scores reached the observed ones. Mutable: it counts. */
export interface ExceedanceCount {
  readonly observed: Float64Array;
  readonly above: Float64Array;
  readonly equal: Float64Array;
  permutations: number;
}

export function countExceedances(observed: Float64Array): ExceedanceCount {
  const zeros = (): Float64Array => new Float64Array(observed.length);
  return { observed, above: zeros(), equal: zeros(), permutations: 0 };
}

/** What differs by no more than this share is a tie: the same responses, in a product with others or alone, round differently. */
const ROUNDING = 1e-9;

/** Adds the scores of one permutation. */
export function addNull(count: ExceedanceCount, scores: ArrayLike<number>): void {
  count.permutations++;
  for (let u = 0; u < count.observed.length; u++) {
    const observed = count.observed[u];
    if (Math.abs(scores[u] - observed) <= ROUNDING * Math.abs(observed)) count.equal[u]++;
    else if (scores[u] > observed) count.above[u]++;
  }
}

/**
 * p_u = (1 + #{null ≥ observed})/(1 + B): valid for any B. With a key, ties are split at random, (#{null > observed} + v(1 + #ties))/(1 + B)
 * with v uniform, and p is exactly uniform under the null.
 */
export function permutationPValues(
  { above, equal, permutations: B }: ExceedanceCount,
  randomiseTies?: Key,
): Float64Array {
  if (!randomiseTies) return above.map((count, u) => (1 + count + equal[u]) / (1 + B));
  const next = uniforms(fold(randomiseTies, "ties"));
  return above.map((count, u) => (count + next() * (1 + equal[u])) / (1 + B));
}

/** Chance that a decision taken early differs from that of endlessly many permutations. */
const RISK = 1e-3;

/**
 * Whether more permutations could change what is selected. The limit of each p-value lies, at all times at once, in
 * {θ : (b+1)·C(b, c)·θᶜ(1−θ)^(b−c) > RISK/m} (Robbins 1970, Lai 1976); all are decided when the adjusted
 * upper ends select what the adjusted lower ends do (Gandy and Hahn 2014). O(m log m).
 */
export function allDecided(count: ExceedanceCount, fdr: number, adjustment: Adjustment): boolean {
  const { above, equal, permutations: b } = count;
  const m = above.length;
  const low = new Float64Array(m);
  const high = new Float64Array(m);
  const known = new Map<number, readonly [number, number]>();
  for (let u = 0; u < m; u++) {
    const c = above[u] + equal[u];
    const interval = known.get(c) ?? limits(b, c, RISK / m);
    known.set(c, interval);
    [low[u], high[u]] = interval;
  }
  const surely = adjustPValues(high, adjustment);
  return adjustPValues(low, adjustment).every((q, u) => q > fdr === surely[u] > fdr);
}

function limits(b: number, c: number, risk: number): readonly [number, number] {
  let constant = log(b + 1) - log(risk);
  for (let i = 1; i <= Math.min(c, b - c); i++) constant += log((b + 1 - i) / i);
  const inside = (theta: number): boolean =>
    constant + (c > 0 ? c * log(theta) : 0) + (b > c ? (b - c) * log1p(-theta) : 0) > 0;
  const peak = c / b;
  const edge = (from: number, to: number): number => {
    let [inner, outer] = [from, to];
    for (let turn = 0; turn < 50; turn++) {
      const middle = (inner + outer) / 2;
      if (inside(middle)) inner = middle;
      else outer = middle;
    }
    return outer;
  };
  return [c === 0 ? 0 : edge(peak, 0), c === b ? 1 : edge(peak, 1)];
}
