export {
  type BootstrapInterval,
  type BootstrapOptions,
  bootstrap,
  median,
  quantile,
} from "./bootstrap.ts";
export { type CalibrationTest, calibrationTest } from "./calibration-test.ts";
export { chiSquareTail } from "./chi-square.ts";
export {
  areaUnderRocOfClasses,
  balancedAccuracy,
  confusionCounts,
  f1Score,
  logLosses,
} from "./class-scores.ts";
export { areaUnderCurve } from "./curve-area.ts";
export { averageRanks, spearman } from "./ranks.ts";
export { areaUnderRoc } from "./roc.ts";
export { accuracy, meanAbsoluteError, rootMeanSquaredError, rSquared } from "./scores.ts";
export {
  type ShuffleCurve,
  type ShuffledVariable,
  type ShuffleTest,
  type ShuffleTestOptions,
  shuffleTest,
} from "./shuffle-test.ts";
export { influenceOnRSquared, standardErrorOfMean } from "./standard-error.ts";
