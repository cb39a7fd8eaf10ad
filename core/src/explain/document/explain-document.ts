import type { Exclusion, LearningTask } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { RecipeName } from "../../network/index.ts";
import type { Kernel } from "../../posterior/index.ts";
import type { Calibration } from "../answer/calibration.ts";
import type { HeldOutPredictions } from "../answer/held-out-predictions.ts";
import type { EffectShape } from "../answer/shape-of-effects.ts";
import type { HeldOut } from "../fit/held-out.ts";
import type { PosteriorName } from "../fit/refit-output.ts";
import type { RunRecord, ScoreRow, schemaVersion } from "./result.ts";

/** The share of the gradient RATE: does the network use the variable? */
export interface DirectShare {
  readonly rate: number;
  readonly rank: number;
}

/** How far a variable or group may be called a finding; null where it was not asked. */
export interface SelectionFields {
  readonly selected: boolean | null;
  readonly pValue: number | null;
  readonly qValue: number | null;
}

export interface ExplainedVariable extends ScoreRow, SelectionFields {
  /** μ of the covariance with the prediction, in standard deviations of the column; null for a category. */
  readonly mean: number | null;
  readonly sd: number | null;
  readonly direct: DirectShare | null;
  /** The variable whose association this one repeats. */
  readonly standInFor: string | null;
  readonly topK: number | null;
  readonly rankInterval: readonly [number, number] | null;
}

export interface ExplainedGroup extends ScoreRow, SelectionFields {
  readonly size: number;
  readonly direct: DirectShare | null;
}

/** The marginal scores of one class of three or more. */
export interface ExplainedClass {
  readonly class: string;
  readonly variables: readonly ScoreRow[];
}

/** The marginal scores of the difference of two classes' logits. */
export interface ExplainedContrast {
  readonly between: readonly [string, string];
  readonly variables: readonly ScoreRow[];
}

/** A Gaussian process's kernel with the hyper-parameters that were found, in units of the encoded columns. */
export interface ExplainedKernel {
  readonly kind: Kernel["kind"];
  readonly signalVariance: number;
  readonly lengthScale: number | null;
  readonly noiseVariance: number;
}

/** What `ratewise explain` writes as result.json. */
export interface ExplainDocument extends RunRecord {
  readonly kind: "explain";
  readonly schema: typeof schemaVersion;
  readonly task: LearningTask;
  readonly target: string;
  /** null for a Gaussian process, which is not trained. */
  readonly recipe: RecipeName | null;
  readonly effect: "covariance";
  readonly model: {
    readonly kind: "network" | "gp";
    /** Where the uncertainty comes from. */
    readonly posterior: PosteriorName | "gp";
    /** null for a network. */
    readonly kernel: ExplainedKernel | null;
    /** Columns that the model takes: one a number, one a level of a category. */
    readonly inputs: number;
    /** Units of each hidden layer. */
    readonly layers: readonly number[];
    readonly ensemble: number;
    /** λ of the input penalty that validation chose, one a member. */
    readonly penalty: readonly number[];
    /** Epochs trained in all, one a member. */
    readonly epochs: readonly number[];
    readonly heldOut: HeldOut;
    readonly rows: { readonly train: number; readonly test: number };
  };
  /** How honest the model is about its uncertainty, on the held-out rows. */
  readonly calibration: Calibration;
  readonly predictions: HeldOutPredictions;
  readonly variables: readonly ExplainedVariable[];
  /** Of the first variables by direct importance and by RATE. */
  readonly shapes: readonly EffectShape[];
  readonly groups: readonly ExplainedGroup[];
  readonly classes: readonly ExplainedClass[] | null;
  /** Every pair of up to 10 classes of three or more. */
  readonly contrasts: readonly ExplainedContrast[] | null;
  readonly delta: number | null;
  readonly ess: number | null;
  readonly posteriorRank: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly excluded: readonly Exclusion[];
  readonly version: string;
}
