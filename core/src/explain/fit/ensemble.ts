import type { GaussianWeights } from "../../effects/index.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import { forward, type Network, outputLayer, type Rows } from "../../network/index.ts";

/** The last hidden layer of an ensemble's average on some rows, and f at the posterior mean. */
export interface EnsembleHidden {
  /** [H₁ … H_K]/K, n×Kl: the average network is linear in all members' output weights at once. */
  readonly hidden: Matrix;
  /** E f of each output, n×outputs. */
  readonly mean: Matrix;
}

/** [H₁ … H_K]/K and the mean output of K networks at the rows of X: together they are one network with a wide last layer. */
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
  return stackWeights(networks.map((network) => weightsOf(network, output)));
}

/** The Gaussian output weights of an ensemble's average, whatever posterior they come from. */
export interface EnsemblePosterior {
  readonly weights: (output: number) => GaussianWeights;
  /** Of logit a − logit b of a softmax. */
  readonly contrast: (a: number, b: number) => GaussianWeights;
}

/** As training left them: mean-field, so two classes are independent and their variances add. */
export function variationalPosterior(networks: readonly Network[]): EnsemblePosterior {
  const difference = (network: Network, a: number, b: number): GaussianWeights => {
    const [first, second] = [outputLayer(network, a), outputLayer(network, b)];
    return {
      mean: first.mean.map((value, k) => value - second.mean[k]),
      covariance: first.variance.map((value, k) => value + second.variance[k]),
    };
  };
  return {
    weights: (output) => ensembleWeights(networks, output),
    contrast: (a, b) => stackWeights(networks.map((network) => difference(network, a, b))),
  };
}

/** Independent weights one after the other; a covariance that is full makes the whole block-diagonal. */
export function stackWeights(members: readonly GaussianWeights[]): GaussianWeights {
  const mean = Float64Array.from(members.flatMap((member) => [...member.mean]));
  if (members.every(({ covariance }) => covariance instanceof Float64Array))
    return {
      mean,
      covariance: Float64Array.from(
        members.flatMap(({ covariance }) => [...(covariance as Float64Array)]),
      ),
    };
  const covariance = matrix(mean.length, mean.length);
  let first = 0;
  for (const member of members) {
    const l = member.mean.length;
    for (let i = 0; i < l; i++)
      for (let j = 0; j < l; j++)
        covariance.data[(first + i) * mean.length + first + j] = entry(member.covariance, i, j, l);
    first += l;
  }
  return { mean, covariance };
}

function entry(covariance: Float64Array | Matrix, i: number, j: number, l: number): number {
  if (!(covariance instanceof Float64Array)) return covariance.data[i * l + j];
  return i === j ? covariance[i] : 0;
}

function weightsOf(network: Network, output: number): GaussianWeights {
  const { mean, variance } = outputLayer(network, output);
  return { mean, covariance: variance };
}
