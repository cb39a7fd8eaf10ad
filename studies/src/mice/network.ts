import {
  fit,
  fold,
  type Key,
  type Network,
  predict,
  type Recipe,
  type Rows,
  type RunOptions,
  splitRows,
} from "@ratewise/core";
import { genotypeRows, scalesOf } from "./genotype-rows.ts";
import type { Mice } from "./read-mice.ts";

/** Mice that have the trait, and its residuals. */
export interface TraitRows {
  readonly rows: Uint32Array;
  readonly y: Float64Array;
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
    changes: { ...CHANGES, epochs },
  });
  return network;
}

/** Correlation of predicted and measured trait in a fifth of the mice that training did not see. */
export async function heldOutCorrelation(
  mice: Mice,
  { rows, y }: TraitRows,
  key: Key,
  epochs: number,
  run: RunOptions,
): Promise<number> {
  const { train, test } = splitRows(fold(key, "split"), rows.length, 0.2);
  const [seen, unseen] = [train, test].map((part) => Uint32Array.from(part, (i) => rows[i]));
  const scales = scalesOf(mice, seen);
  const target = Float64Array.from(train, (i) => y[i]);
  const network = await trainOnGenotypes(
    genotypeRows(mice, seen, scales),
    target,
    fold(key, "network"),
    epochs,
    run,
  );
  const { mean } = predict(network, genotypeRows(mice, unseen, scales));
  return correlation(
    mean.data,
    Float64Array.from(test, (i) => y[i]),
  );
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
