import { RatewiseError, refuseUnlisted } from "../errors.ts";
import { type FilterResult, knockoffFilter, requireRate } from "./knockoff-filter.ts";

/** How several draws of copies become one selection. */
export const combinationNames = ["e-values", "frequency"] as const;
export type Combination = (typeof combinationNames)[number];

export interface CombinedSelection {
  readonly selected: boolean[];
  /**
   * The smallest rate at which each is selected; null for `frequency`, which has none. Of several draws: by their e-values, which were made for the
   * rate asked for, so another rate may have others.
   */
  readonly qValues: Float64Array | null;
  /** Share of the draws in which the filter selected each. */
  readonly frequency: Float64Array;
  /** Mean e-value of each; null for `frequency`. */
  readonly eValues: Float64Array | null;
}

/**
 * One selection from the statistics of several draws of copies.
 *
 * `e-values` (Ren and Barber 2024): e_j = p·1[W_j ≥ T]/(1 + #{W ≤ −T}) of every draw, with T for half the
 * rate asked for, averaged over draws, and the e-BH procedure (Wang and Ramdas 2022): the k largest with
 * e_(k) ≥ p/(k·fdr). Controls the false discovery rate, however the draws depend on each other.
 * `frequency`: selected in more than half of the draws at the rate asked for. Steadier than one draw and often more
 * powerful than e-values, but nothing is proven about its false discovery rate.
 *
 * One draw goes through the filter itself, whose bound is the sharper.
 */
export function combineDraws(
  draws: readonly ArrayLike<number>[],
  fdr: number,
  combination: Combination = "e-values",
): CombinedSelection {
  requireRate("combineDraws", fdr);
  refuseUnlisted("combineDraws", "combination", combinationNames, combination);
  if (draws.length === 0)
    throw new RatewiseError("shape", {
      in: "combineDraws",
      what: "needs at least one draw, got none",
    });
  const p = draws[0].length;
  const results = draws.map((W) => knockoffFilter(W, fdr));
  const frequency = new Float64Array(p);
  for (const { selected } of results)
    selected.forEach((chosen, j) => {
      if (chosen) frequency[j] += 1 / draws.length;
    });
  if (draws.length === 1)
    return { selected: results[0].selected, qValues: results[0].qValues, frequency, eValues: null };
  if (combination === "frequency")
    return {
      selected: Array.from(frequency, (share) => share > 0.5),
      qValues: null,
      frequency,
      eValues: null,
    };
  const eValues = new Float64Array(p);
  for (const W of draws) {
    const e = eValuesOf(W, knockoffFilter(W, fdr / 2));
    for (let j = 0; j < p; j++) eValues[j] += e[j] / draws.length;
  }
  const qValues = eProcedure(eValues);
  return { selected: Array.from(qValues, (q) => q <= fdr), qValues, frequency, eValues };
}

function eValuesOf(W: ArrayLike<number>, { threshold, selected }: FilterResult): Float64Array {
  let negative = 0;
  for (let j = 0; j < W.length; j++) if (W[j] <= -threshold) negative++;
  return Float64Array.from(selected, (chosen) => (chosen ? W.length / (1 + negative) : 0));
}

/** The smallest rate at which e-BH rejects: min_{k ≥ i} p/(k·e_(k)), at most 1. */
function eProcedure(e: Float64Array): Float64Array {
  const p = e.length;
  const order = Uint32Array.from({ length: p }, (_, j) => j).sort((a, b) => e[b] - e[a]);
  const q = new Float64Array(p);
  let least = 1;
  for (let i = p - 1; i >= 0; i--) {
    const value = e[order[i]];
    if (value > 0) least = Math.min(least, p / ((i + 1) * value));
    q[order[i]] = least;
  }
  return q;
}
