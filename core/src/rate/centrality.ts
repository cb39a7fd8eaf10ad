import { log1p } from "../elementary/index.ts";
import { type Dependence, excessMinusLog } from "./dependence.ts";
import type { Score, Scorer } from "./scorer.ts";

/**
 * RATE as the paper defines it (`noise`, `exact`, `nugget`), from the dependence of each group on the rest:
 *
 *     mean term = ½ μ_gᵀ(Λ_g − Ω_g⁻¹)μ_g              = ½ Σ ε_i m_i²
 *     exact     = mean term + ½[tr Λ_gΩ_g − |g| − log|Λ_gΩ_g|] = mean term + ½ Σ (ε_i − log(1+ε_i))
 *     mutual information = ½ log|Λ_gΩ_g|               = ½ Σ log(1+ε_i)
 */
export function centralityScorer(dependence: Dependence, mean: Float64Array): Scorer {
  const { excess, variance } = dependence;
  const single = (j: number): number => (0.5 * mean[j] * mean[j] * excess[j]) / variance[j];
  return {
    hasExact: true,
    variables: () => {
      const kld = new Float64Array(excess.length);
      const kldExact = new Float64Array(excess.length);
      const mutualInformation = new Float64Array(excess.length);
      for (let j = 0; j < excess.length; j++) {
        kld[j] = single(j);
        kldExact[j] = kld[j] + 0.5 * excessMinusLog(excess[j]);
        mutualInformation[j] = 0.5 * log1p(excess[j]);
      }
      return { kld, kldExact, mutualInformation };
    },
    group: (members) => {
      if (members.length === 1)
        return score(excess.subarray(members[0], members[0] + 1), single(members[0]));
      const shared = dependence.group(members);
      let kld = 0;
      for (let i = 0; i < shared.excess.length; i++)
        kld += 0.5 * shared.excess[i] * shared.mean[i] ** 2;
      return score(shared.excess, kld);
    },
  };
}

function score(excess: Float64Array, kld: number): Score {
  let spread = 0;
  let information = 0;
  for (const e of excess) {
    spread += 0.5 * excessMinusLog(e);
    information += 0.5 * log1p(e);
  }
  return { kld, kldExact: kld + spread, mutualInformation: information };
}
