export { openFile, realPath } from "#host";
export {
  type ByteSource,
  bytesInMemory,
  type OpenBytes,
  type ScratchBytes,
} from "../host/byte-source.ts";
export { type BedSourceOptions, bedSource } from "./bed-source.ts";
export {
  type BlockLayout,
  type BlockRoom,
  type BlockSource,
  type BlockSpan,
  blockRoom,
  type ColumnBlock,
  finiteRows,
} from "./block-source.ts";
export { bytesOfBlob } from "./bytes.ts";
export { cellNames } from "./cell-names.ts";
export type { ColumnScales } from "./column-scales.ts";
export { projectedEffectsInPlace } from "./effects-in-place.ts";
export type { StreamFitOptions } from "./fit-settings.ts";
export type { StreamHeldOut } from "./held-out.ts";
export type { KeptBlocks } from "./kept-blocks.ts";
export type { KeptEpochs, TrainingState } from "./kept-epochs.ts";
export type { MeanTerm } from "./mean-term-null.ts";
export { npySource } from "./npy-source.ts";
export { directions, type PlanOptions, planStream, precisions, type StreamPlan } from "./plan.ts";
export { rowSubset } from "./row-subset.ts";
export { type StreamFit, streamFit } from "./stream-fit.ts";
export { type StreamNull, type StreamNullInput, streamNull } from "./stream-null.ts";
export { type StreamOptions, streamProjection } from "./stream-projection.ts";
export type { StreamedProjection } from "./streamed-projection.ts";
export type { StreamEpoch } from "./training-standing.ts";
