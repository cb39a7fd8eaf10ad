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
  diagonal: Float64Array | null,
): Posterior {
  if (factor.rows <= factor.cols) {
    const full = invertFullRank(factor, diagonal);
    return full ? { kind: "full-rank", full } : { kind: "singular" };
  }
  if (!diagonal) return { kind: "singular" };
  return { kind: "low-rank", low: decompose(whiten(factor, diagonal, names)) };
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

/** Rank of A Aᵀ alone, read off the decomposition where that tells it. */
export function posteriorRank(
  { factor }: EffectSizes,
  diagonal: Float64Array | null,
  posterior: Posterior,
): number {
  if (posterior.kind === "low-rank")
    return countAbove(
      posterior.low.eigen.values,
      Math.max(factor.rows, factor.cols) * Number.EPSILON,
    );
  return posterior.kind === "full-rank" && !diagonal ? factor.rows : factorRank(factor);
}
