import type { Diagnostic } from "../../diagnostic.ts";
import type { ModelForm, Tried } from "../../network/tried.ts";
import type { Kernel } from "../../posterior/index.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { ColumnRates } from "./column-rates.ts";
import type { Direct } from "./direct-from-blocks.ts";
import type { ExplainedExpansion } from "./expansions.ts";
import type { HeldOut } from "./held-out.ts";
import type { ModelParts } from "./model.ts";
import type { ModelScores } from "./model-scores.ts";
import type { PosteriorName } from "./refit-output.ts";
import type { ExplainedScale } from "./target-scale.ts";
import type { Unseen } from "./unseen.ts";

/** What a model says of the columns, wherever it was trained. */
export interface Fitted {
  readonly rate: ColumnRates;
  /** Null where there are no derivatives. */
  readonly direct: Direct | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a model that was trained here hands to the explanation. */
export interface FittedModel extends Fitted {
  readonly direct: Direct;
  readonly parts: ModelParts;
  /** The table as the model takes it: with further columns where some were expanded. */
  readonly prepared: Prepared;
  readonly unseen: Unseen;
  readonly heldOut: HeldOut;
  readonly scores: ModelScores;
  /** How the model came about, for the document. */
  readonly about: AboutModel;
  /** Rows it was fitted to. */
  readonly rows: number;
}

/** A Gaussian process's kernel with the hyper-parameters that were found, in units of the encoded columns. */
export interface ExplainedKernel {
  readonly kind: Kernel["kind"];
  readonly signalVariance: number;
  readonly lengthScale: number | null;
  readonly noiseVariance: number;
}

export interface AboutModel {
  readonly kind: "network" | "gp";
  /** Where the uncertainty comes from. */
  readonly posterior: PosteriorName | "gp";
  /** null for a network. */
  readonly kernel: ExplainedKernel | null;
  /** Columns that the model takes: one per number, one per level of a category. */
  readonly inputs: number;
  /** Units of each hidden layer. */
  readonly layers: readonly number[];
  /** Whether it is linear, a network or both: of the first member; null for a process. */
  readonly form: ModelForm | null;
  /** The models tried in turn by the first member, with what held-back rows said of them. */
  readonly tried: readonly Tried[];
  /** The same in one line; null where nothing was compared. */
  readonly choice: string | null;
  /** Whether the model learned the target as it is or its logarithm. */
  readonly targetScale: ExplainedScale;
  /** Variables with rough effects, which the model follows value by value or bend by bend. */
  readonly expansions: readonly ExplainedExpansion[];
  readonly ensemble: number;
  /** λ of the input penalty that validation chose, one per member. */
  readonly penalty: readonly number[];
  /** Epochs trained in all, one per member. */
  readonly epochs: readonly number[];
}
