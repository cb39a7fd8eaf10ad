import type { Design } from "../../data/design.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import {
  type EffectSizes,
  type GaussianWeights,
  logisticNoiseVariance,
  projectCovariance,
  projectedEffects,
  residualNoiseVariance,
  softmaxContrastNoiseVariance,
  softmaxNoiseVariance,
} from "../../effects/index.ts";
import type { Matrix } from "../../linalg/index.ts";
import type { Network, Rows } from "../../network/index.ts";
import { type Group, type RateResult, rate } from "../../rate/index.ts";
import { type EnsemblePosterior, ensembleHidden, variationalPosterior } from "./ensemble.ts";

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

export interface NetworkRateOptions {
  readonly columnNames: readonly string[];
  /** Columns of each variable, then those of each group asked for. */
  readonly groups: readonly Group[];
  /** Of the output weights; default the networks' own. */
  readonly posterior?: EnsemblePosterior;
  /** Pairs of classes of a softmax to contrast; default none. */
  readonly contrasts?: readonly (readonly [number, number])[];
}

/** RATE of the covariance effects for every output of a model. */
export interface ColumnRates {
  /** f at the posterior mean, n×outputs. */
  readonly fitted: Float64Array;
  readonly noiseVariance: number;
  /** The effect sizes of the columns that each of `results` comes from. */
  readonly effects: readonly EffectSizes[];
  /** One per class of a softmax, otherwise one. Columns in `variables`, variables and groups in `groups`. */
  readonly results: readonly RateResult[];
  /** Of logit a − logit b, in the order asked for. */
  readonly contrasts: readonly {
    readonly between: readonly [number, number];
    readonly result: RateResult;
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The paper's effect sizes and their centrality: covariances of each column of X with the network's
 * function, on the rows given. One projection serves every class.
 */
export function rateOfNetworks(
  networks: readonly Network[],
  X: Design,
  y: Float64Array,
  {
    columnNames,
    groups,
    posterior = variationalPosterior(networks),
    contrasts = [],
  }: NetworkRateOptions,
): ColumnRates {
  const { hidden, mean } = ensembleHidden(networks, X);
  const noiseVariance = noiseVarianceOf(networks, y, mean.data);
  return rateOfHidden(X, hidden, {
    columnNames,
    groups,
    noiseVariance,
    fitted: mean.data,
    weights: Array.from({ length: mean.cols }, (_, output) => posterior.weights(output)),
    contrasts,
    contrast: posterior.contrast,
  });
}

/** A model that is linear in its last hidden layer, and what is known of the weights of that. */
export interface HiddenFit extends Pick<NetworkRateOptions, "columnNames" | "groups"> {
  /** f at the posterior mean, n×outputs. */
  readonly fitted: Float64Array;
  readonly noiseVariance: number;
  /** One per output. */
  readonly weights: readonly GaussianWeights[];
  readonly contrasts?: readonly (readonly [number, number])[];
  /** The weights of logit a − logit b. */
  readonly contrast?: EnsemblePosterior["contrast"];
}

/** The same for any model, from its last hidden layer on the rows of X. */
export function rateOfHidden(
  X: Rows,
  hidden: Matrix,
  { columnNames, groups, fitted, noiseVariance, weights, contrasts = [], contrast }: HiddenFit,
): ColumnRates {
  const projected = projectCovariance(X, hidden, columnNames);
  const effectsOf = (of: GaussianWeights, tau2: number): EffectSizes =>
    projectedEffects(projected, of, { noiseVariance: tau2 });
  const effects = weights.map((of) => effectsOf(of, noiseVariance));
  const results = effects.map((sizes) => rate(sizes, { groups }));
  return {
    fitted,
    noiseVariance,
    effects,
    results,
    contrasts: contrasts.map(([a, b]) => ({
      between: [a, b],
      result: rate(effectsOf(contrast!(a, b), softmaxContrastNoiseVariance), { groups }),
    })),
    diagnostics: results[0].diagnostics,
  };
}
