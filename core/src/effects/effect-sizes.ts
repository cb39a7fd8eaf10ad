import type { Matrix } from "../linalg/matrix.ts";

/**
 * Effect sizes of p variables as a Gaussian: β̃ ~ N(mean, A Aᵀ + diag(noise)).
 * The covariance is kept as its factor A (p×l) and is never formed.
 */
export interface EffectSizes {
  readonly names: readonly string[];
  /** μ, one value per variable. */
  readonly mean: Float64Array;
  /** A with Ω = A Aᵀ, p×l. */
  readonly factor: Matrix;
  /** Diagonal of D in Ω_D = A Aᵀ + D (mathematics: sampling variance of a new response); null for none. */
  readonly noise: Float64Array | null;
}
