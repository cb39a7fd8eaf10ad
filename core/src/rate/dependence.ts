import { log1p } from "../elementary/index.ts";
/**
 * How variables depend on all the others in a Gaussian of full rank with covariance Ω and Λ = Ω⁻¹.
 * Every quantity of RATE is a function of ε, the eigenvalues of Λ_gΩ_g − I (one variable:
 * ε_j = Λ_jjΩ_jj − 1 = R²/(1 − R²), with R its multiple correlation with the rest). Carrying ε
 * instead of Λ_gΩ_g keeps the digits of weak dependence, and ε ≥ 0 makes every KLD non-negative.
 */
export interface Dependence {
  /** ε_j of every variable. */
  readonly excess: Float64Array;
  /** Ω_jj. */
  readonly variance: Float64Array;
  readonly group: (members: readonly number[]) => GroupDependence;
}

/** A group in the basis of the eigenvectors of Ω_g^½Λ_gΩ_g^½ − I, directions with ε = 0 left out. */
export interface GroupDependence {
  readonly excess: Float64Array;
  /** Coordinates of Ω_g^(−½)μ_g: KLD mean term = ½ Σ ε_i m_i². */
  readonly mean: Float64Array;
  /** Coordinates of Ω_g^½μ_g: ½ μ_gᵀ(Ω_g − Λ_g⁻¹)μ_g = ½ Σ ε_i/(1+ε_i) m_i². */
  readonly scaledMean: Float64Array;
}

/** ε − log(1+ε) ≥ 0. Below 1e-4 its series: the difference would keep no digit at 1e-8. */
export function excessMinusLog(excess: number): number {
  if (excess > 1e-4) return excess - log1p(excess);
  return excess * excess * (1 / 2 - excess * (1 / 3 - excess * (1 / 4 - excess / 5)));
}

/**
 * Eigenvalues of a matrix that is positive semidefinite by construction: those that rounding pushed
 * below zero are zero. One further below is no rounding, and is not hidden: null.
 */
export function nonNegative(values: Float64Array): Float64Array | null {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (values.some((value) => value < -1e-8 * largest)) return null;
  return values.map((value) => Math.max(0, value));
}
