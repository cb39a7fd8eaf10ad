import type { SelectionFields, StabilityFields } from "../selection/choice.ts";
import type { ScoreRow } from "./scores.ts";

/** Does the model use the variable? A share of what all of them are used. */
export interface DirectShare {
  readonly rate: number;
  readonly rank: number;
}

export interface ExplainedVariable extends ScoreRow, SelectionFields, StabilityFields {
  /** μ of the covariance with the prediction, in standard deviations of the column; null for a category. */
  readonly mean: number | null;
  readonly sd: number | null;
  readonly direct: DirectShare | null;
  /** The variable whose association this one repeats. */
  readonly standInFor: string | null;
}

export interface ExplainedGroup extends ScoreRow, SelectionFields {
  readonly size: number;
  readonly direct: DirectShare | null;
}

/** The scores by RATE of one class of three or more. */
export interface ExplainedClass {
  readonly class: string;
  readonly variables: readonly ScoreRow[];
}

/** The scores by RATE of the difference of two classes' logits. */
export interface ExplainedContrast {
  readonly between: readonly [string, string];
  readonly variables: readonly ScoreRow[];
}
