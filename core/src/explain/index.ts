export { architectureDiagram } from "./architecture-diagram.ts";
export type { TaskCache } from "./cached-tasks.ts";
export type { Calibration, IntervalCoverage, ReliabilityBin } from "./calibration.ts";
export {
  type ColumnBlocksOptions,
  covariancePiece,
  effectsOfColumnBlocks,
  effectsOfPieces,
} from "./column-blocks.ts";
export { columnNames } from "./column-names.ts";
export { type Compared, type CompareOptions, compare, compareExplained } from "./compare.ts";
export type {
  CompareDocument,
  ComparedCurve,
  ComparedMethod,
  ComparedRow,
  ComparedSearch,
} from "./compare-document.ts";
export { type CompareMethod, compareMethods } from "./compare-methods.ts";
export type { CurveShape } from "./curve-shape.ts";
export type { DiagramLayer, DiagramOptions, DiagramSource } from "./diagram-columns.ts";
export type { Direct, GradientForm } from "./direct-from-blocks.ts";
export { type EnsembleHidden, ensembleHidden, ensembleWeights } from "./ensemble.ts";
export { type Explained, type ExplainOptions, explain } from "./explain.ts";
export type {
  DirectShare,
  ExplainDocument,
  ExplainedClass,
  ExplainedContrast,
  ExplainedGroup,
  ExplainedKernel,
  ExplainedVariable,
} from "./explain-document.ts";
export {
  type ExplainHiddenOptions,
  explainHidden,
  type TrainedNetworkDocument,
} from "./explain-hidden.ts";
export type { HeldOut } from "./held-out.ts";
export type { HeldOutPredictions } from "./held-out-predictions.ts";
export { type HiddenUnitOptions, rateHiddenUnits } from "./hidden-units.ts";
export {
  likeliestClasses,
  type Model,
  type ModelParts,
  type ModelPrediction,
  predictTable,
  readModel,
  writeModel,
} from "./model.ts";
export type { MissingPolicy } from "./prepare.ts";
export { type RankAgainOptions, type RankingBasis, rankAgain } from "./rank-again.ts";
export { rankDocument, rankDocumentText, variableRow } from "./rank-document.ts";
export type { PosteriorName } from "./refit-output.ts";
export {
  type GroupRow,
  type RankDocument,
  type RunRecord,
  type ScoreRow,
  schemaVersion,
  type VariableRow,
} from "./result.ts";
export {
  attributeTableRows,
  type RowAttribution,
  type RowAttributionOptions,
} from "./row-attributions.ts";
export { safeJson } from "./safe-json.ts";
export { readSaliencyModel, type SaliencyModel } from "./saliency-model.ts";
export type { SelectOptions } from "./selection-choice.ts";
export type { SelectionOptions } from "./selection-fields.ts";
export { outputLayerScore } from "./selection-output-null.ts";
export {
  type OutputPermutationOptions,
  selectByOutputPermutation,
} from "./selection-permutation.ts";
export {
  estimatePower,
  type MeanInterval,
  type PowerDocument,
  type PowerOptions,
  type PowerRepeat,
} from "./selection-power.ts";
export { type NetworkScoreOptions, networkScore } from "./selection-score.ts";
export { drawImportance, rankingStability, type StabilityInput } from "./selection-stability.ts";
export type { EffectCurve, EffectShape } from "./shape-of-effects.ts";
export { columnsInTableUnits } from "./table-units.ts";
