import { type EffectSizes, type Matrix, rate } from "@ratewise/core";
import { effectSizes, logisticNoiseVariance } from "@ratewise/core/effects";
import type { SparseMatrix } from "@ratewise/core/learners";
import { type Network, outputLayer } from "@ratewise/core/network";
import { type Ranking, rankingOf } from "../ranking.ts";

/** Covariances of the words with the network's logit, as a Gaussian: one pass over the stored counts, X stays sparse. */
export function wordEffects(network: Network, X: SparseMatrix, hidden: Matrix): EffectSizes {
  const { mean, variance } = outputLayer(network, 0);
  return effectSizes(
    X,
    hidden,
    { mean, covariance: variance },
    { noiseVariance: logisticNoiseVariance },
  );
}

/** RATE of the words, and the mean of each effect, whose sign is its direction. */
export function rateWords(effects: EffectSizes): Ranking & { readonly mean: Float64Array } {
  return { ...rankingOf(rate(effects).variables.rate), mean: effects.mean };
}
