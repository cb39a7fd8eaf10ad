export {
  accumulatedProjection,
  type CovarianceAccumulator,
  type FinishOptions,
  finishAccumulator,
  mergeAccumulators,
} from "./accumulator.ts";
export type { Block } from "./block.ts";
export {
  addColumns,
  type ColumnAccumulator,
  type ColumnAccumulatorOptions,
  columnAccumulator,
} from "./column-accumulator.ts";
export { projectCovariance } from "./covariance.ts";
export { effectsFromDraws, effectsFromFunctionDraws } from "./draws.ts";
export type { EffectSizes } from "./effect-sizes.ts";
export { effectsFromCovariance, type NameOptions } from "./from-covariance.ts";
export { effectsFromFactor, type FactorOptions } from "./from-factor.ts";
export type { GaussianWeights } from "./gaussian-weights.ts";
export { type GradientOptions, type GradientScores, gradientScores } from "./gradient.ts";
export { gradientScoresBeside } from "./gradient-beside.ts";
export {
  addJacobian,
  type GradientMoments,
  gradientMoments,
  type JacobianBlock,
} from "./gradient-moments.ts";
export {
  logisticNoiseVariance,
  residualNoiseVariance,
  softmaxContrastNoiseVariance,
  softmaxNoiseVariance,
} from "./noise-variance.ts";
export { effectSizes, type Projection, type ProjectOptions, project } from "./project.ts";
export { type NoiseOptions, type Piece, type Projected, projectedEffects } from "./projected.ts";
export {
  addRows,
  type RowAccumulator,
  type RowAccumulatorOptions,
  rowAccumulator,
} from "./row-accumulator.ts";
export type { Span } from "./spans.ts";
