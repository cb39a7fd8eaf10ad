/** The scores of one set of variables. */
export interface Score {
  readonly kld: number;
  readonly kldExact: number | null;
  readonly mutualInformation: number | null;
}

/** The scores of all variables, one by one. */
export interface VariableScores {
  readonly kld: Float64Array;
  readonly kldExact: Float64Array | null;
  readonly mutualInformation: Float64Array | null;
}

/** One variant at work on one posterior. Members are distinct and in range. */
export interface Scorer {
  /** Whether the variant has an exact divergence and a mutual information. */
  readonly hasExact: boolean;
  readonly variables: () => VariableScores;
  readonly group: (members: readonly number[]) => Score;
}

/** A variant that has a mean term ½ μ_gᵀΔ_gμ_g and nothing more. */
export function meanTermScorer(p: number, kld: (members: readonly number[]) => number): Scorer {
  return {
    hasExact: false,
    variables: () => ({
      kld: Float64Array.from({ length: p }, (_, j) => kld([j])),
      kldExact: null,
      mutualInformation: null,
    }),
    group: (members) => ({ kld: kld(members), kldExact: null, mutualInformation: null }),
  };
}
