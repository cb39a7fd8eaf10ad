export { type ExternalFiles, type ReadBeside, readExternal } from "./external.ts";
export type {
  Attribute,
  ExternalPlace,
  GraphNode,
  ListedNumbers,
  OnnxModel,
  TensorRecord,
  ValueInfo,
} from "./model.ts";
export { readModel } from "./read-model.ts";
