import { fold, type Key, matrix, type RunOptions } from "@ratewise/core";
import { fitForest, fitGroupLasso, impurityImportance } from "@ratewise/core/learners";
import type { Rows } from "@ratewise/core/network";
import type { Gene } from "./genes.ts";

/** Scores of genes by two models trained to predict what the network predicts. */
export interface GeneMimics {
  /** ‖v_g‖ as shares. */
  readonly groupLasso: Float64Array;
  /** Decrease in impurity by the gene's SNPs, as shares. */
  readonly groupForest: Float64Array;
}

export interface GeneMimicOptions extends RunOptions {
  readonly key: Key;
  readonly trees: number;
}

export const MIMIC_SETTINGS = {
  /** λ of the group lasso over the least that leaves nothing. */
  lambdaRatio: 0.2,
  /** Of the forest: share of the SNPs that a split may choose from, mice that a leaf has at least. */
  maxFeatures: 0.1,
  minLeaf: 5,
} as const;

export async function geneMimics(
  X: Rows,
  predicted: Float64Array,
  genes: readonly Gene[],
  { key, trees, ...run }: GeneMimicOptions,
): Promise<GeneMimics> {
  const used = [...new Set(genes.flatMap(({ members }) => members))].sort((a, b) => a - b);
  const place = new Map(used.map((column, k) => [column, k]));
  const inGenes = matrix(X.rows, used.length);
  for (let i = 0; i < X.rows; i++)
    used.forEach((column, k) => {
      inGenes.data[i * used.length + k] = X.data[i * X.cols + column];
    });
  const groups = genes.map(({ members }) => members.map((column) => place.get(column)!));
  const { lambdaRatio, maxFeatures, minLeaf } = MIMIC_SETTINGS;
  const task = { kind: "regression" } as const;
  const lasso = await fitGroupLasso(inGenes, predicted, {
    ...{ ...run, groups, lambdaRatio },
    key: fold(key, "lasso"),
  });
  const forest = await fitForest(inGenes, predicted, {
    ...{ ...run, task, trees, maxFeatures, minLeaf },
    key: fold(key, "forest"),
  });
  const impurity = impurityImportance(forest);
  return {
    groupLasso: shares(lasso.groupNorms),
    groupForest: shares(
      Float64Array.from(groups, (members) => members.reduce((sum, k) => sum + impurity[k], 0)),
    ),
  };
}

function shares(scores: Float64Array): Float64Array {
  const whole = scores.reduce((sum, score) => sum + score, 0);
  return whole > 0 ? scores.map((score) => score / whole) : scores;
}
