export {
  type ClassEffects,
  type ClassesOptions,
  type ClassesResult,
  type Coupling,
  couplings,
  rateClasses,
} from "./contrast.ts";
export { rate } from "./rate.ts";
export type { Group, ImportanceScores, RateOptions, RateResult } from "./result.ts";
export { type Variant, variants } from "./variant.ts";
