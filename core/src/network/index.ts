export type { Rows } from "../linalg/rows.ts";
export { type Activation, activationNames } from "./activation.ts";
export {
  type Architecture,
  type Connectivity,
  connect,
  type DenseSpec,
  type DropoutSpec,
  type LayerSpec,
  type Link,
  linkNames,
  type MaskedDenseSpec,
} from "./architecture.ts";
export { type FitOptions, type FitResult, fit } from "./fit.ts";
export { type ForwardResult, forward } from "./forward.ts";
export type { ImageShape } from "./image.ts";
export { activations, networkAfter } from "./inner.ts";
export { type JacobianRows, jacobianBlocks } from "./jacobian.ts";
export { kernelOutputs } from "./kernel-outputs.ts";
export { type LogScale, type TargetScaleName, targetScales } from "./log-scale.ts";
export { type Network, type OutputLayer, outputLayer } from "./network.ts";
export type { EpochRecord } from "./path.ts";
export { type Prediction, predict } from "./predict.ts";
export { type PaperNetwork, type PaperNetworkOptions, paperArchitecture } from "./presets.ts";
export { type Recipe, type RecipeName, recipeNames } from "./recipe.ts";
export { saliency } from "./saliency.ts";
export {
  type NetworkParameters,
  type SaliencyMethod,
  type SaliencyOptions,
  saliencyBaselines,
  saliencyMethods,
} from "./saliency-plan.ts";
export { type SaliencyOf, saliencyTargets } from "./saliency-target.ts";
