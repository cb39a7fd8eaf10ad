import type { Baseline } from "./baseline.ts";
import type { TraitResult } from "./trait.ts";
import type { TraitPlan } from "./trait-plan.ts";

/** Everything about a trait: what is asked, what the networks gave, and the linear model beside them. */
export interface TraitAnswer {
  readonly plan: TraitPlan;
  readonly result: TraitResult;
  readonly linear: Baseline;
}
