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
  forestLearner,
  predictForest,
} from "./forest.ts";
export { impurityImportance } from "./impurity.ts";
export type { Learner, LearnerRun, LearnerTask } from "./learner.ts";
export { type SparseMatrix, sparseMatrix } from "./sparse-matrix.ts";
export type { TreeInput } from "./table-rows.ts";
export type { Tree, TreeEnsemble } from "./tree.ts";
