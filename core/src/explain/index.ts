export type { ModelForm, Tried } from "../network/tried.ts";
export type { Calibration, IntervalCoverage, ReliabilityBin } from "./answer/calibration.ts";
export type { CurveShape } from "./answer/curve-shape.ts";
export type { HeldOutPredictions } from "./answer/held-out-predictions.ts";
export { modelNoun } from "./answer/model-words.ts";
export { type RankAgainOptions, type RankingBasis, rankAgain } from "./answer/rank-again.ts";
export {
  attributeTableRows,
  type RowAttribution,
  type RowAttributionOptions,
} from "./answer/row-attributions.ts";
export type {
  DirectShare,
  ExplainedClass,
  ExplainedContrast,
  ExplainedGroup,
  ExplainedVariable,
} from "./answer/rows.ts";
export type { ScoreRow } from "./answer/scores.ts";
export type { EffectCurve, EffectShape } from "./answer/shape-of-effects.ts";
export {
  type Compared,
  type CompareOptions,
  compare,
  compareExplained,
} from "./compare/compare.ts";
export type {
  CompareDocument,
  ComparedCurve,
  ComparedMethod,
  ComparedRow,
  ComparedSearch,
} from "./compare/document.ts";
export {
  type CompareMethod,
  compareMethods,
  formerMethods,
  type MethodEntry,
  methodTable,
  methodTitle,
} from "./compare/methods.ts";
export { upgradeComparison } from "./compare/upgrade.ts";
export type { ExplainDocument, TrainedNetworkDocument } from "./document/explain-document.ts";
export { rankDocument, rankDocumentText } from "./document/rank-document.ts";
export {
  type GroupRow,
  type RankDocument,
  type RunRecord,
  schemaVersion,
  type VariableRow,
} from "./document/result.ts";
export { safeJson } from "./document/safe-json.ts";
export { type Explained, explain } from "./explain.ts";
export { type ExplainHiddenOptions, explainHidden } from "./explain-hidden.ts";
export { attributeColumns } from "./fit/attribute-columns.ts";
export type { TaskCache } from "./fit/cached-tasks.ts";
export {
  type ColumnBlocksOptions,
  covariancePiece,
  effectsOfColumnBlocks,
  effectsOfPieces,
} from "./fit/column-blocks.ts";
export type { Direct, GradientForm } from "./fit/direct-from-blocks.ts";
export { type EnsembleHidden, ensembleHidden, ensembleWeights } from "./fit/ensemble.ts";
export type { ExplainedKernel } from "./fit/fitted-model.ts";
export { groupWeights, linearUnits } from "./fit/group-weights.ts";
export type { HeldOut } from "./fit/held-out.ts";
export { type HiddenUnitOptions, rateHiddenUnits } from "./fit/hidden-units.ts";
export {
  likeliestClasses,
  type Model,
  type ModelParts,
  type ModelPrediction,
  predictTable,
  readModel,
  writeModel,
} from "./fit/model.ts";
export {
  type ClassScores,
  hasLearnt,
  type ModelScores,
  type NumberScores,
} from "./fit/model-scores.ts";
export { type PosteriorName, posteriorNames } from "./fit/refit-output.ts";
export { logarithmOf, readSaliencyModel, type SaliencyModel } from "./fit/saliency-model.ts";
export { scoreTable } from "./fit/score-table.ts";
export { sizesToTry } from "./fit/sizes.ts";
export { columnsInTableUnits } from "./fit/table-units.ts";
export type { ExplainOptions } from "./options.ts";
export {
  estimatePower,
  type MeanInterval,
  type PowerDocument,
  type PowerOptions,
  type PowerRepeat,
} from "./power/power.ts";
export type { SplitRecord } from "./prepare/choose-rows.ts";
export { columnNames } from "./prepare/column-names.ts";
export { type MissingPolicy, missingPolicies, modelKinds } from "./prepare/prepare.ts";
export { type RankedAnswer, type RankedOptions, ranked, rankings } from "./ranked.ts";
export { type SelectOptions, selectionMethods } from "./selection/choice.ts";
export type { SelectionOptions } from "./selection/fields.ts";
export {
  type OutputPermutationOptions,
  selectByOutputPermutation,
} from "./selection/permutation.ts";
export { type NetworkScoreOptions, networkScore } from "./selection/score.ts";
