import type { SelectionFields, StabilityFields } from "../selection/choice.ts";
import type { ScoreRow } from "./scores.ts";

/** Does the model use the variable? A share of what all of them are used. */
export interface DirectShare {
  /** The share, from 0 to 1; the shares of all variables add up to 1. The name is that of the share by RATE, so that both read alike. */
  readonly rate: number;
  /** 1 is best. */
  readonly rank: number;
}

export interface ExplainedVariable extends ScoreRow, SelectionFields, StabilityFields {
  /** μ of the covariance with the prediction, in standard deviations of the column; null for a category. */
  readonly mean: number | null;
  /** The standard deviation of that effect; null for a category. */
  readonly sd: number | null;
  /** How much the network uses the variable; null where derivatives are missing. */
  readonly direct: DirectShare | null;
  /** The variable that this one only moves with: high in RATE, low in direct importance. Null if it stands in for none. */
  readonly standInFor: string | null;
}

export interface ExplainedGroup extends ScoreRow, SelectionFields {
  /** The number of its members. */
  readonly size: number;
  /** How much the network uses the members together; null where derivatives are missing. */
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
