import type { EffectSizes, Matrix } from "@ratewise/core";
import { effectSizes, logisticNoiseVariance } from "@ratewise/core/effects";
import { type Network, outputLayer } from "@ratewise/core/network";

/** Covariances of the inputs with a network's output, as a Gaussian, from its last hidden layer; by default of a logit. */
export function outputEffects(
  network: Network,
  X: Parameters<typeof effectSizes>[0],
  hidden: Matrix,
  noiseVariance: number = logisticNoiseVariance,
): EffectSizes {
  const { mean, variance } = outputLayer(network, 0);
  return effectSizes(X, hidden, { mean, covariance: variance }, { noiseVariance });
}
