export { mixtureGaussian } from "./ensemble.ts";
export { functionVariances } from "./function-variance.ts";
export {
  fitGaussianProcess,
  type GaussianProcess,
  type GaussianProcessOptions,
} from "./gaussian-process.ts";
export { type Kernel, kernelKinds, kernelMatrix } from "./kernel.ts";
export {
  type GivenWeights,
  type LaplaceOptions,
  type LaplacePosterior,
  laplace,
  laplaceContrast,
} from "./laplace.ts";
export {
  type BiasTreatment,
  biasTreatments,
  type LastLayerRefit,
  type PosteriorPlace,
  posteriorPlaces,
  type RefitLastLayerOptions,
  refitLastLayer,
} from "./last-layer.ts";
export {
  bayesianLinearRegression,
  type LinearRegression,
  type LinearRegressionOptions,
} from "./linear-regression.ts";
export type { LowRankGaussian } from "./low-rank-gaussian.ts";
export type { OutputOptions } from "./output-problem.ts";
export type { OutputLink, OutputWeights } from "./output-weights.ts";
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
