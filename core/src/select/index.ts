export { type Combination, type CombinedSelection, combinationNames } from "./combine-draws.ts";
export type { KnockoffMethod } from "./dense-construction.ts";
export {
  type Adjustment,
  adjustments,
  adjustPValues,
  type Discoveries,
  discoveries,
} from "./false-discovery.ts";
export {
  drawGaussianKnockoffs,
  fitGaussianKnockoffs,
  type GaussianKnockoffOptions,
  type GaussianKnockoffs,
} from "./gaussian-knockoffs.ts";
export type { GenotypeOptions } from "./genotype-knockoffs.ts";
export { type FilterResult, knockoffFilter, knockoffStatistics } from "./knockoff-filter.ts";
export {
  beside,
  type CopiesModel,
  copiesKinds,
  type KnockoffOptions,
  type KnockoffSelection,
  selectByKnockoffs,
} from "./knockoffs.ts";
export { compareImportance, type MovedOptions, type Movement } from "./moved.ts";
export type { Partition } from "./partition.ts";
export {
  type PermutationOptions,
  type PermutationSelection,
  type RefitOptions,
  selectByPermutation,
} from "./permutation-null.ts";
export type { Strata } from "./permute-rows.ts";
export { type QuadraticScore, selectByQuadraticNull } from "./quadratic-null.ts";
export { columnScore, type Score, type ScoreRun } from "./score.ts";
export {
  bootstrapScores,
  type RankStability,
  type RowBootstrapOptions,
  rankStability,
  type StabilityOptions,
} from "./stability.ts";
