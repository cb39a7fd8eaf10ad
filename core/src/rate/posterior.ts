import type { EffectSizes } from "../effects/effect-sizes.ts";
import type { Dependence } from "./dependence.ts";
import { countAbove, factorRank } from "./factor-rank.ts";
import { type FullRank, invertFullRank } from "./full-rank.ts";
import { fullRankDependence } from "./full-rank-dependence.ts";
import { decompose, type LowRank } from "./low-rank.ts";
import { lowRankDependence } from "./low-rank-dependence.ts";
import { whiten } from "./whitened.ts";

/** Ω = A Aᵀ + diag(d), decomposed on its smaller side: p×p when p ≤ l, l×l else, or found singular. */
export type Posterior =
  | { readonly kind: "full-rank"; readonly full: FullRank }
  | { readonly kind: "low-rank"; readonly low: LowRank }
  | { readonly kind: "singular" };

export function decomposePosterior(
  { factor, names }: EffectSizes,
  norms: Float64Array,
  diagonal: Float64Array | null,
): Posterior {
  if (factor.rows <= factor.cols) {
    const full = invertFullRank(factor, diagonal);
    return full ? { kind: "full-rank", full } : { kind: "singular" };
  }
  if (!diagonal) return { kind: "singular" };
  return { kind: "low-rank", low: decompose(whiten(factor, norms, diagonal, names)) };
}

/** Null when Ω is singular: then Λ does not exist and the divergences are infinite. */
export function dependenceOf(posterior: Posterior, mean: Float64Array): Dependence | null {
  switch (posterior.kind) {
    case "full-rank":
      return fullRankDependence(posterior.full, mean);
    case "low-rank":
      return lowRankDependence(posterior.low, mean);
    case "singular":
      return null;
    default:
      return posterior satisfies never;
  }
}

/**
 * Rank of A Aᵀ alone, read off the decomposition where that tells it: a full set of large eigenvalues of UᵀU
 * proves A to have full column rank, a lack of them may only be the doing of one variable with little noise.
 */
export function posteriorRank(
  { factor }: EffectSizes,
  diagonal: Float64Array | null,
  posterior: Posterior,
): number {
  const { rows: p, cols: l } = factor;
  if (posterior.kind === "full-rank" && !diagonal) return p;
  if (posterior.kind === "low-rank") {
    const { values } = posterior.low.eigen;
    if (countAbove(values, Math.max(p, l) * Number.EPSILON) === l) return l;
  }
  return factorRank(factor);
}
