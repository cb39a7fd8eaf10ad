export { type SparseMatrix, sparseMatrix } from "../linalg/sparse-matrix.ts";
export {
  type Boosting,
  type BoostingOptions,
  type BoostingSettings,
  boostingLearner,
  fitBoosting,
  predictBoosting,
} from "./boosting.ts";
export type { EarlyStopping } from "./boosting-rounds.ts";
export {
  type Forest,
  type ForestOptions,
  type ForestSettings,
  fitForest,
  predictForest,
} from "./forest.ts";
export {
  type GroupLassoOptions,
  type GroupLassoPath,
  type GroupLassoPathOptions,
  groupLassoPath,
} from "./group-lasso.ts";
export {
  fitGroupLasso,
  type GroupLassoFitOptions,
  type GroupLassoModel,
  type GroupLassoSettings,
} from "./group-lasso-learner.ts";
export type { LassoSolution } from "./group-lasso-path.ts";
export { impurityImportance } from "./impurity.ts";
export type { Learner, LearnerRun, LearnerTask } from "./learner.ts";
export { fitLinear } from "./linear.ts";
export { type LinearModel, predictLinearModel } from "./linear-model.ts";
export { fitMimic, type Mimic, type MimicOptions, type MimicRows } from "./mimic.ts";
export { type Candidate, type SearchOptions, type SearchResult, searchSettings } from "./search.ts";
export { foldOfRows } from "./search-folds.ts";
export { type LearnerSetup, learnerFrom, type SearchMethod } from "./search-methods.ts";
export type { TreeInput } from "./table-rows.ts";
export type { Tree, TreeEnsemble } from "./tree.ts";
