export {
  type Engine,
  engine,
  engineNames,
  useEngine,
  useThreads,
  withEngine,
} from "./compute/index.ts";
export { type Column, type Table, table } from "./data/index.ts";
export type { Diagnostic } from "./diagnostic.ts";
export {
  type Block,
  type EffectSizes,
  effectsFromCovariance,
  effectsFromDraws,
  effectsFromFactor,
  effectsFromFunctionDraws,
  type FactorOptions,
  type NameOptions,
  type NoiseOptions,
  type ProjectOptions,
} from "./effects/index.ts";
export { type ErrorCode, type ErrorParts, RatewiseError } from "./errors.ts";
export {
  type Compared,
  type CompareMethod,
  type CompareOptions,
  compare,
  compareMethods,
  type Explained,
  type ExplainedVariable,
  type ExplainHiddenOptions,
  type ExplainOptions,
  explain,
  explainHidden,
  type Model,
  type ModelPrediction,
  predictTable,
  type RankAgainOptions,
  type RankedAnswer,
  type RankedOptions,
  type RankingBasis,
  rankAgain,
  ranked,
  readModel,
  type ScoreRow,
  type TrainedNetworkDocument,
  writeModel,
} from "./explain/index.ts";
export { fromRows, type Matrix, matrix } from "./linalg/index.ts";
export { closeWorkers, type Executor, useExecutor } from "./parallel/index.ts";
export { type Kernel, kernelKinds } from "./posterior/index.ts";
export { fold, type Key, keyFromSeed, normals, uniforms } from "./random/index.ts";
export {
  type ClassEffects,
  type ClassesOptions,
  type ClassesResult,
  type RateOptions,
  type RateResult,
  rate,
  rateClasses,
  variants,
} from "./rate/index.ts";
export type { Progress, RunOptions } from "./run.ts";
export { type RankStability, rankStability, type StabilityOptions } from "./select/index.ts";
export { type SimulateOptions, type Simulation, simulate } from "./simulate/index.ts";
export { version } from "./version.ts";
export type { OptionText, Words } from "./words/index.ts";
