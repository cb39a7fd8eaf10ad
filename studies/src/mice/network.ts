import { fold, type Key, type RunOptions } from "@ratewise/core";
import { splitRows } from "@ratewise/core/data";
import { fit, type Network, predict, type Recipe, type Rows } from "@ratewise/core/network";
import { permutation } from "@ratewise/core/random";
import { networkAlone } from "../network-alone.ts";
import { genotypeRows, type Scales, scalesOf } from "./genotype-rows.ts";
import type { Mice } from "./read-mice.ts";

/** Mice that have the trait, and its residuals. */
export interface TraitRows {
  readonly rows: Uint32Array;
  readonly y: Float64Array;
}

/** Mice that have the trait; with a key, each with that of another. */
export function traitRows(values: Float64Array, shuffle: Key | null): TraitRows {
  const rows = Uint32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const order = shuffle ? permutation(shuffle, rows.length) : rows.map((_, i) => i);
  return { rows, y: Float64Array.from(order, (i) => values[rows[i]]) };
}

export const HIDDEN: readonly number[] = [32, 16];

/** Steps of 10⁻³ on ten thousand correlated columns would throw the first layer's sums; a fifth of that does not. */
const CHANGES: Partial<Recipe> = { learningRate: 2e-4, penalties: [1, 2], patience: 6 };

export async function trainOnGenotypes(
  X: Rows,
  y: Float64Array,
  key: Key,
  epochs: number,
  run: RunOptions,
): Promise<Network> {
  const { network } = await fit(X, y, {
    ...run,
    key,
    architecture: {
      inputs: X.cols,
      layers: HIDDEN.map((units) => ({
        kind: "dense" as const,
        units,
        activation: "relu" as const,
      })),
      link: "identity",
    },
    recipe: "standard",
    changes: { ...networkAlone, ...CHANGES, epochs },
  });
  return network;
}

/** Mice to learn from and a fifth to predict. */
export interface MiceSplit {
  readonly seen: Uint32Array;
  readonly unseen: Uint32Array;
  /** The trait of those seen, and of the others. */
  readonly target: Float64Array;
  readonly measured: Float64Array;
  /** Of those seen. */
  readonly scales: Scales;
}

/** The split that a key stands for: the same for everything that learns. */
export function splitMice(mice: Mice, { rows, y }: TraitRows, key: Key): MiceSplit {
  const { train, test } = splitRows(fold(key, "split"), rows.length, 0.2);
  const [seen, unseen] = [train, test].map((part) => Uint32Array.from(part, (i) => rows[i]));
  const [target, measured] = [train, test].map((part) => Float64Array.from(part, (i) => y[i]));
  return { seen, unseen, target, measured, scales: scalesOf(mice, seen) };
}

/** Correlation of predicted and measured trait in a fifth of the mice that training did not see. */
export async function heldOutCorrelation(
  mice: Mice,
  of: TraitRows,
  key: Key,
  epochs: number,
  run: RunOptions,
): Promise<number> {
  const { seen, unseen, target, measured, scales } = splitMice(mice, of, key);
  const X = genotypeRows(mice, seen, scales);
  const network = await trainOnGenotypes(X, target, fold(key, "network"), epochs, run);
  const { mean } = predict(network, genotypeRows(mice, unseen, scales));
  return correlation(mean.data, measured);
}

/** Pearson's; 0 where one side is constant, as a network without inputs is. */
export function correlation(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  const [meanA, meanB] = [a, b].map((values) => values.reduce((sum, value) => sum + value, 0) / n);
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    ab += (a[i] - meanA) * (b[i] - meanB);
    aa += (a[i] - meanA) ** 2;
    bb += (b[i] - meanB) ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
