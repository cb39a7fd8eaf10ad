export { averageGaussian, mixtureGaussian } from "./ensemble.ts";
export { functionVariances } from "./function-variance.ts";
export {
  fitGaussianProcess,
  type GaussianProcess,
  type GaussianProcessOptions,
  MOST_PROCESS_ROWS,
} from "./gaussian-process.ts";
export { type Kernel, kernelKinds, kernelMatrix } from "./kernel.ts";
export {
  type GivenWeights,
  type LaplaceOptions,
  type LaplacePosterior,
  laplace,
  laplaceContrast,
  MOST_JOINT_WEIGHTS,
} from "./laplace.ts";
export { type LastLayerRefit, type RefitLastLayerOptions, refitLastLayer } from "./last-layer.ts";
export {
  bayesianLinearRegression,
  type LinearRegression,
  type LinearRegressionOptions,
} from "./linear-regression.ts";
export type { LowRankGaussian } from "./low-rank-gaussian.ts";
export { type MarginalLikelihood, marginalLikelihood } from "./marginal-likelihood.ts";
export type { OutputOptions } from "./output-problem.ts";
export type { OutputLink, OutputWeights } from "./output-weights.ts";
export { evidencePrecision } from "./prior-precision.ts";
export { processGradients } from "./process-gradient.ts";
export { type ProcessWeights, predictProcess, processWeights } from "./process-posterior.ts";
export {
  type SwagOptions,
  type SwagPosterior,
  type SwagStructure,
  swag,
  swagContrast,
} from "./swag.ts";
export { type SampledWeights, weightsFromDraws } from "./weights-from-draws.ts";
