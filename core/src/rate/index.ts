export { rate } from "./rate.ts";
export type { Group, ImportanceScores, RateOptions, RateResult } from "./result.ts";
export { type Variant, variants } from "./variant.ts";
