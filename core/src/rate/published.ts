import { type Matrix, transposeMultiplyVector } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import type { Dependence } from "./dependence.ts";
import { meanTermScorer, type Scorer } from "./scorer.ts";

/**
 * The paper's Python code, which passes the covariance where the formula has the precision:
 * Δ_g = Ω*ᵀΩ₋g⁻¹Ω* = Ω_g − Λ_g⁻¹ at full rank. Not unit-free: a variable in other units gets another score.
 */
export function publishedScorer(dependence: Dependence, mean: Float64Array): Scorer {
  return meanTermScorer(mean.length, (members) => {
    if (members.length === 1) return publishedKld(dependence, mean, members[0]);
    const { excess, scaledMean } = dependence.group(members);
    let sum = 0;
    for (let i = 0; i < excess.length; i++)
      sum += (0.5 * scaledMean[i] ** 2 * excess[i]) / (1 + excess[i]);
    return sum;
  });
}

/** ½ μ_j²(Ω_jj − 1/Λ_jj) = ½ μ_j² Ω_jj ε_j/(1+ε_j). */
export function publishedKld(
  { excess, variance }: Dependence,
  mean: Float64Array,
  j: number,
): number {
  return (0.5 * mean[j] * mean[j] * variance[j] * excess[j]) / (1 + excess[j]);
}

/** The same code when p exceeds the rank: least squares fits exactly, so Δ_g = Ω_g and ½ μ_gᵀΔ_gμ_g = ½‖A_gᵀμ_g‖². */
export function publishedLowRankScorer(factor: Matrix, mean: Float64Array): Scorer {
  return meanTermScorer(mean.length, (members) => {
    const projected = transposeMultiplyVector(
      selectRows(factor, members),
      Float64Array.from(members, (j) => mean[j]),
    );
    return projected.reduce((sum, value) => sum + 0.5 * value * value, 0);
  });
}
