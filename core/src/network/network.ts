import { exp } from "../elementary/index.ts";
import { RatewiseError } from "../errors.ts";
import type { Architecture } from "./architecture.ts";
import { layoutOf } from "./layout.ts";

/**
 * A trained network: plain data. The flat parameters are laid out as `layoutOf(architecture)` says;
 * f is in the units of the response.
 */
export interface Network {
  readonly kind: "network";
  readonly architecture: Architecture;
  readonly parameters: Float32Array;
}

/** The Gaussian output layer of one output: f = hᵀw + bias, w ~ N(mean, diag(variance)). */
export interface OutputLayer {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly bias: number;
  /** τ² of the identity link, null for classes. */
  readonly noiseVariance: number | null;
}

/** The output layer of a class of a softmax, or the only one. */
export function outputLayer(network: Network, output = 0): OutputLayer {
  const layout = layoutOf(network.architecture);
  const { hidden: l, outputs } = layout;
  if (!(Number.isInteger(output) && output >= 0 && output < outputs))
    throw new RatewiseError("domain", {
      in: "outputLayer",
      what: `needs an output from 0 to ${outputs - 1}, got ${output}`,
    });
  const theta = network.parameters;
  const slice = (start: number) =>
    Float64Array.from(theta.subarray(start + output * l, start + (output + 1) * l));
  return {
    mean: slice(layout.mean),
    variance: slice(layout.logSd).map((logSd) => exp(2 * logSd)),
    bias: theta[layout.bias + output],
    noiseVariance: layout.logNoise < 0 ? null : exp(theta[layout.logNoise]),
  };
}

/** Units of the hidden layers; none where the network is linear. */
export function layersOf({ architecture }: Network): readonly number[] {
  const weighed = architecture.layers.filter(
    (layer) => "units" in layer && layer.activation !== "identity",
  );
  return weighed.flatMap((layer) => ("units" in layer ? layer.units : []));
}
