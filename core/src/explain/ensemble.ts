import type { GaussianWeights } from "../effects/index.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { forward, type Network, outputLayer, type Rows } from "../network/index.ts";

/** The last hidden layer of an ensemble's average on some rows, and f at the posterior mean. */
export interface EnsembleHidden {
  /** [H₁ … H_K]/K, n×Kl: the average network is linear in all members' output weights at once. */
  readonly hidden: Matrix;
  /** E f of each output, n×outputs. */
  readonly mean: Matrix;
}

export function ensembleHidden(networks: readonly Network[], X: Rows): EnsembleHidden {
  const K = networks.length;
  const members = networks.map((network) => forward(network, X));
  const { rows, cols: outputs } = members[0].mean;
  const widths = members.map((member) => member.hidden.cols);
  const width = widths.reduce((sum, l) => sum + l, 0);
  const hidden = matrix(rows, width);
  const mean = matrix(rows, outputs);
  let first = 0;
  members.forEach((member, k) => {
    for (let i = 0; i < rows; i++)
      for (let h = 0; h < widths[k]; h++)
        hidden.data[i * width + first + h] = member.hidden.data[i * widths[k] + h] / K;
    for (let e = 0; e < mean.data.length; e++) mean.data[e] += member.mean.data[e] / K;
    first += widths[k];
  });
  return { hidden, mean };
}

/** The output weights of all members together: independent, so their variances stand side by side. */
export function ensembleWeights(networks: readonly Network[], output: number): GaussianWeights {
  const layers = networks.map((network) => outputLayer(network, output));
  return {
    mean: Float64Array.from(layers.flatMap((layer) => [...layer.mean])),
    covariance: Float64Array.from(layers.flatMap((layer) => [...layer.variance])),
  };
}
