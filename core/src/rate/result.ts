import type { Diagnostic } from "../diagnostic.ts";
import type { Variant } from "./variant.ts";

/** A named set of variables, by column index; a member named twice counts once. */
export interface Group {
  readonly name: string;
  readonly members: readonly number[];
}

export interface RateOptions {
  /** Which formula (see Variant). Default: `noise` when noise is given, `exact` when Ω has full rank. */
  readonly variant?: Variant;
  /** ε > 0 in Ω + εI, in squared units of the effects. Only for `nugget`, which it implies. */
  readonly nugget?: number;
  /** Sets of variables to score as one; they may overlap. Default: none. */
  readonly groups?: readonly Group[];
  /** Variables to condition on always; each score is then that of {j} and these together. Default: none. */
  readonly nullify?: readonly number[];
  /** Shares of `groups` from KLD over group size; `kld` itself is never divided. Default: false. */
  readonly divideByGroupSize?: boolean;
}

/** One entry per variable or group, in input order. A nullified one has NaN everywhere and rank 0. */
export interface ImportanceScores {
  /** kld as a share of the total: sums to 1, or is 0 everywhere when all kld are. */
  readonly rate: Float64Array;
  /** The mean term ½ μ_gᵀΔ_gμ_g, in nats. */
  readonly kld: Float64Array;
  /** The whole Kullback–Leibler divergence, in nats; null where the variant has none. */
  readonly kldExact: Float64Array | null;
  /** Mutual information with all other variables, in nats; null where the variant has none. */
  readonly mutualInformation: Float64Array | null;
  /** 1 is best; ties by input order. */
  readonly rank: Uint32Array;
}

export interface RateResult {
  readonly variant: Variant;
  readonly variables: ImportanceScores & {
    readonly names: readonly string[];
    /** μ_j. */
    readonly mean: Float64Array;
    /** √Ω_jj, noise included, nugget not. */
    readonly sd: Float64Array;
  };
  readonly groups:
    | (ImportanceScores & { readonly names: readonly string[]; readonly sizes: Uint32Array })
    | null;
  /** Σ RATE·log(p·RATE), 0 for equal shares, log p for one variable alone; null when all kld are 0. */
  readonly delta: number | null;
  /** Effective sample size 100/(1 + delta), in percent. */
  readonly ess: number | null;
  /** Numerical rank of A Aᵀ. */
  readonly posteriorRank: number;
  readonly diagnostics: readonly Diagnostic[];
}
