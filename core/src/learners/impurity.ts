import type { TreeEnsemble } from "./tree.ts";

/**
 * Mean decrease in impurity: the share of each column in what all splits gained on the training rows (Breiman 2001).
 * Sums to 1, or is 0 throughout where no tree has a split. Columns with many values are favoured over
 * those with few, and noise gets some; permutation importance and TreeSHAP do not share the first fault.
 */
export function impurityImportance({ columns, trees }: TreeEnsemble): Float64Array {
  const gains = new Float64Array(columns);
  let total = 0;
  for (const { feature, gain } of trees)
    for (let node = 0; node < feature.length; node++) {
      if (feature[node] < 0) continue;
      gains[feature[node]] += gain[node];
      total += gain[node];
    }
  return total > 0 ? gains.map((gain) => gain / total) : gains;
}
