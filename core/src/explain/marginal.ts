import type { Design } from "../data/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type GaussianWeights,
  logisticNoiseVariance,
  type Projected,
  projectCovariance,
  projectedEffects,
  residualNoiseVariance,
  softmaxNoiseVariance,
} from "../effects/index.ts";
import type { Network } from "../network/index.ts";
import { type Group, type RateResult, rate } from "../rate/index.ts";
import { ensembleHidden, ensembleWeights } from "./ensemble.ts";

/** τ² of the rows used: the mean squared residual, or the variance of the link's own noise. */
export function noiseVarianceOf(
  networks: readonly Network[],
  y: Float64Array,
  f: Float64Array,
): number {
  const { link } = networks[0].architecture;
  if (link === "identity") return residualNoiseVariance(y, f);
  return link === "logistic" ? logisticNoiseVariance : softmaxNoiseVariance;
}

export interface MarginalOptions {
  readonly columnNames: readonly string[];
  /** Columns of each variable, then those of each group asked for. */
  readonly groups: readonly Group[];
}

/** RATE of the covariance effects for every output of an ensemble. */
export interface Marginal {
  /** f at the posterior mean, n×outputs. */
  readonly fitted: Float64Array;
  readonly noiseVariance: number;
  /** One a class of a softmax, otherwise one. Columns in `variables`, variables and groups in `groups`. */
  readonly results: readonly RateResult[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The paper's effect sizes and their centrality: covariances of each column of X with the network's
 * function, on the rows given. One projection serves every class.
 */
export function marginalImportance(
  networks: readonly Network[],
  X: Design,
  y: Float64Array,
  { columnNames, groups }: MarginalOptions,
): Marginal {
  const { hidden, mean } = ensembleHidden(networks, X);
  const noiseVariance = noiseVarianceOf(networks, y, mean.data);
  const projected: Projected = projectCovariance(X, hidden, columnNames);
  const results = Array.from({ length: mean.cols }, (_, output) => {
    const weights: GaussianWeights = ensembleWeights(networks, output);
    return rate(projectedEffects(projected, weights, { noiseVariance }), { groups });
  });
  return { fitted: mean.data, noiseVariance, results, diagnostics: results[0].diagnostics };
}
