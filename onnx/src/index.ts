export { type ActivationOptions, type Activations, activations } from "./activations.ts";
export { besideOf, type NetworkFiles } from "./beside.ts";
export type { Detected, DetectOptions, LastLayer, NetworkLink } from "./detect.ts";
export { type ExplainNetworkOptions, explainNetwork } from "./explain.ts";
export type { ExternalFiles, ReadBeside } from "./external.ts";
export type { InputLayout } from "./input-layout.ts";
export {
  type Attribute,
  type ExternalPlace,
  elementName,
  type GraphNode,
  type ListedNumbers,
  type OnnxModel,
  type TensorRecord,
  type ValueInfo,
} from "./model.ts";
export { type OnnxNetwork, type OpenOptions, openModel, openNetwork } from "./network.ts";
export { knownOperators } from "./operators/index.ts";
export { readOnnx } from "./read-onnx.ts";
export type { Observed } from "./response.ts";
export { type NetworkSaliencyOptions, networkSaliency } from "./saliency.ts";
export { type StreamedActivations, streamActivations } from "./stream-activations.ts";
