/**
 * The formulas that go by the name of RATE. Each has δ_j, and RATE_j ∝ μ_j²δ_j:
 *
 * - `noise`           Λ_jj − 1/Ω_jj of A Aᵀ + D, D the noise given: full rank whatever p and l
 * - `exact`           the same; an error when Ω is singular. The paper's equation taken literally
 * - `nugget`          as `exact` on Ω + εI
 * - `pseudo-inverse`  (A Aᵀ)⁺_jj when p exceeds the rank, else as `exact` on A Aᵀ; noise is ignored
 * - `r-2020`          λ₋jᵀΛ₋jλ₋j: an inverse is missing
 * - `published`       Ω_jj − 1/Λ_jj at full rank, else Ω_jj: covariance in the place of precision. Not unit-free
 */
export type Variant = (typeof variants)[number];

/** The names of the variants of RATE; `Variant` has their formulas. */
export const variants = [
  "noise",
  "exact",
  "nugget",
  "pseudo-inverse",
  "r-2020",
  "published",
] as const;
