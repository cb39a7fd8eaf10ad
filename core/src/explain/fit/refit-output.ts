import type { Design } from "../../data/design.ts";
import { log } from "../../elementary/index.ts";
import { forward, type Network, outputLayer, type Recipe } from "../../network/index.ts";
import { layoutOf } from "../../network/layout.ts";
import type { RowWeights } from "../../network/row-weights.ts";
import {
  type LaplacePosterior,
  laplace,
  laplaceContrast,
  type OutputWeights,
  type SwagPosterior,
  swag,
  swagContrast,
} from "../../posterior/index.ts";
import { fold, type Key } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";

/** Where the distribution of the output weights comes from: training, or a refit of the last layer. */
export const posteriorNames = ["variational", "laplace", "swag"] as const;
export type PosteriorName = (typeof posteriorNames)[number];

export interface RefitOptions extends RunOptions {
  readonly posterior: Exclude<PosteriorName, "variational">;
  readonly recipe: Pick<Recipe, "priorVariance">;
  readonly key: Key;
  /** What each row counts, of mean 1; null for the same. */
  readonly weights?: RowWeights;
}

/** A network whose output layer was fitted anew, and the weights it then has. */
export interface RefittedOutput {
  /** With the new means and variances in its parameters, for whatever needs no covariances. */
  readonly network: Network;
  /** One per class of a softmax, otherwise one. */
  readonly outputs: readonly OutputWeights[];
  readonly contrast: (a: number, b: number) => OutputWeights;
  readonly diagnostics: LaplacePosterior["diagnostics"];
}

/**
 * The last layer of a trained network again, on all rows given, its hidden layers, bias and noise variance
 * held fixed. The prior is the one of training, whose responses had variance 1.
 */
export async function refitOutput(
  network: Network,
  X: Design,
  y: Float64Array,
  { posterior, recipe, key, weights = null, signal, onProgress }: RefitOptions,
): Promise<RefittedOutput> {
  const { link, classes } = network.architecture;
  const { hidden } = forward(network, X);
  const outputs = link === "softmax" ? classes! : 1;
  const layers = Array.from({ length: outputs }, (_, c) => outputLayer(network, c));
  const { noiseVariance } = layers[0];
  const options = {
    link,
    ...(link === "softmax" && { classes: outputs }),
    priorVariance: recipe.priorVariance * (link === "identity" ? varianceOf(y, weights) : 1),
    ...(noiseVariance !== null && { noiseVariance }),
    bias: Float64Array.from(layers, (layer) => layer.bias),
    ...(weights && { weights }),
  };
  switch (posterior) {
    case "laplace": {
      const fitted: LaplacePosterior = laplace(hidden, y, options);
      const contrast = (a: number, b: number) =>
        laplaceContrast(fitted, hidden, a, b, weights ?? undefined);
      return { ...fitted, network: withOutputs(network, fitted.outputs), contrast };
    }
    case "swag": {
      const run = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
      const settings = { ...options, ...run, key: fold(key, "swag") };
      const fitted: SwagPosterior = await swag(hidden, y, settings);
      const contrast = (a: number, b: number) => swagContrast(fitted, a, b);
      const refitted = withOutputs(network, fitted.outputs);
      return { ...fitted, network: refitted, contrast, diagnostics: [] };
    }
  }
  return posterior satisfies never;
}

/** The network with these means, biases and variances in its output layer. */
function withOutputs(network: Network, outputs: readonly OutputWeights[]): Network {
  const layout = layoutOf(network.architecture);
  const { hidden: l } = layout;
  const parameters = network.parameters.slice();
  outputs.forEach(({ mean, covariance, bias }, c) => {
    parameters.set(mean, layout.mean + c * l);
    parameters[layout.bias + c] = bias;
    for (let k = 0; k < l; k++) {
      const variance =
        covariance instanceof Float64Array ? covariance[k] : covariance.data[k * (l + 1)];
      parameters[layout.logSd + c * l + k] = 0.5 * log(Math.max(variance, Number.MIN_VALUE));
    }
  });
  return { ...network, parameters };
}

function varianceOf(y: Float64Array, weights: RowWeights): number {
  const weight = (i: number) => (weights ? weights[i] : 1);
  const mean = y.reduce((sum, value, i) => sum + (weight(i) * value) / y.length, 0);
  const squares = y.reduce((sum, value, i) => sum + weight(i) * (value - mean) ** 2, 0);
  return squares > 0 ? squares / Math.max(1, y.length - 1) : 1;
}
