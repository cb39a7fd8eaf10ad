import { type Matrix, matrix } from "@ratewise/core";
import type { SparseMatrix } from "@ratewise/core/learners";
import { forward, type Network, networkAfter, predict, type Rows } from "@ratewise/core/network";
import type { SparseColumns } from "./sparse-rows.ts";

/** A network of dense layers split after its first sums: those are sparse products, the rest is small. */
export interface SparseNetwork {
  readonly units: number;
  /** W, words×units. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  /** From the activations of the first layer on. */
  readonly rest: Network;
}

/** The parameters of a first dense layer stand at the front: W row-major, then the biases. */
export function sparseNetwork(network: Network): SparseNetwork {
  const { inputs, layers } = network.architecture;
  const [first] = layers;
  if (first?.kind !== "dense" || first.activation !== "relu")
    throw new Error("sparseNetwork: needs a dense ReLU layer first");
  const { units } = first;
  return {
    units,
    weights: network.parameters.slice(0, inputs * units),
    bias: network.parameters.slice(inputs * units, (inputs + 1) * units),
    rest: networkAfter(network, 0),
  };
}

/** XW + b, n×units. O(stored values·units). */
export function firstSums(network: SparseNetwork, X: SparseMatrix): Matrix {
  const { units, weights, bias } = network;
  const out = matrix(X.rows, units);
  for (let i = 0; i < X.rows; i++) {
    const row = out.data.subarray(i * units, (i + 1) * units);
    row.set(bias);
    for (let e = X.starts[i]; e < X.starts[i + 1]; e++)
      addScaled(row, 0, weights, X.columns[e] * units, units, X.values[e]);
  }
  return out;
}

/**
 * Moves the entries of one column to other rows, `places[k]` the new row of its k-th: the sums as if the column had been shuffled, for
 * O(entries·units).
 */
export function moveColumnInPlace(
  sums: Matrix,
  network: SparseNetwork,
  X: SparseColumns,
  column: number,
  places: Uint32Array,
): void {
  const { units, weights } = network;
  const from = X.starts[column];
  for (let k = 0; k < places.length; k++) {
    const value = X.values[from + k];
    addScaled(sums.data, X.rows[from + k] * units, weights, column * units, units, -value);
    addScaled(sums.data, places[k] * units, weights, column * units, units, value);
  }
}

/** The last hidden layer and the logit, from the first sums. */
export function afterSums(
  { rest }: SparseNetwork,
  sums: Matrix,
): { hidden: Matrix; logit: Float64Array } {
  const { hidden, mean } = forward(rest, rectified(sums));
  return { hidden, logit: mean.data };
}

/** The probability of the second class, averaged over the output weights. */
export function probabilitiesAfter({ rest }: SparseNetwork, sums: Matrix): Float64Array {
  const { probabilities } = predict(rest, rectified(sums));
  return Float64Array.from({ length: sums.rows }, (_, i) => probabilities!.data[2 * i + 1]);
}

function rectified({ data, rows, cols }: Matrix): Rows {
  const out = new Float32Array(data.length);
  for (let e = 0; e < out.length; e++) out[e] = Math.max(data[e], 0);
  return { data: out, rows, cols };
}

function addScaled(
  out: Float64Array,
  at: number,
  weights: Float32Array,
  from: number,
  units: number,
  scale: number,
): void {
  for (let k = 0; k < units; k++) out[at + k] += scale * weights[from + k];
}
