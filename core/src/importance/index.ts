export { marginalCorrelation, marginalTStatistic } from "./marginal.ts";
export { meanAbsolute } from "./mean-absolute.ts";
export {
  type ColumnGroup,
  type PermutationImportance,
  type PermutationImportanceOptions,
  permutationImportance,
} from "./permutation.ts";
export { type TreeShap, treeShap } from "./tree-shap.ts";
