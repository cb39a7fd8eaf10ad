export {
  type BootstrapInterval,
  type BootstrapOptions,
  bootstrap,
  median,
  quantile,
} from "./bootstrap.ts";
export { areaUnderCurve } from "./curve-area.ts";
export { averageRanks, spearman } from "./ranks.ts";
export { areaUnderRoc } from "./roc.ts";
export { accuracy, rSquared } from "./scores.ts";
export {
  type ShuffleCurve,
  type ShuffledVariable,
  type ShuffleTest,
  type ShuffleTestOptions,
  shuffleTest,
} from "./shuffle-test.ts";
