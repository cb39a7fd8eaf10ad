import type { Exclusion, LearningTask } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { RecipeName } from "../../network/index.ts";
import type { LastLayerRefit } from "../../posterior/index.ts";
import type { Calibration } from "../answer/calibration.ts";
import type { HeldOutPredictions } from "../answer/held-out-predictions.ts";
import type { Importance } from "../answer/importance-rows.ts";
import type { EffectShape } from "../answer/shape-of-effects.ts";
import type { AboutModel } from "../fit/fitted-model.ts";
import type { HeldOut } from "../fit/held-out.ts";
import type { ModelScores } from "../fit/model-scores.ts";
import type { SplitRecord } from "../prepare/choose-rows.ts";
import type { RunRecord, schemaVersion } from "./result.ts";

/** What every explanation holds, of a model trained here or elsewhere. */
export interface Explanation extends RunRecord, Importance {
  readonly kind: "explain";
  readonly schema: typeof schemaVersion;
  readonly task: LearningTask;
  readonly effect: "covariance";
  readonly posteriorRank: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly excluded: readonly Exclusion[];
  readonly version: string;
}

/** What `ratewise explain` writes as result.json. */
export interface ExplainDocument extends Explanation {
  readonly target: string;
  /** null for a Gaussian process, which is not trained. */
  readonly recipe: RecipeName | null;
  readonly model: AboutModel & {
    readonly heldOut: HeldOut;
    /** With folds all rows are in both: each network is trained without a part of them, and tested on it. */
    readonly rows: { readonly train: number; readonly test: number };
    /** How rows were held out. Results of 0.1 have none, and are of kind "fraction". */
    readonly split: SplitRecord;
  };
  /** How good the model is on the held-out rows. Results of 0.1 have none. */
  readonly scores: ModelScores;
  /** How honest the model is about its uncertainty, on the held-out rows. */
  readonly calibration: Calibration;
  readonly predictions: HeldOutPredictions;
  /** Of the first variables by direct importance and by RATE. */
  readonly shapes: readonly EffectShape[];
}

/** What `ratewise explain --model net.onnx` writes as result.json: as for a table, with null for what only training can tell. */
export interface TrainedNetworkDocument extends Explanation {
  readonly target: string | null;
  readonly recipe: null;
  /** Of the network as it is, on the rows given; null without a response. */
  readonly scores: ModelScores | null;
  readonly calibration: null;
  readonly predictions: null;
  readonly shapes: readonly [];
  readonly model: {
    readonly kind: "onnx";
    readonly posterior: "laplace";
    readonly kernel: null;
    readonly inputs: number;
    /** The width of the last hidden layer; the others are the network's own affair. */
    readonly layers: readonly [number];
    readonly ensemble: 1;
    readonly penalty: readonly [];
    readonly epochs: readonly [];
    /** Which rows the network was trained on is not known. */
    readonly heldOut: null;
    /** How well the network as it is predicts the response on the rows given; null without one. */
    readonly score: HeldOut | null;
    readonly refit: Pick<
      LastLayerRefit,
      "around" | "priorPrecision" | "priorFrom" | "noiseVariance" | "bias"
    >;
    readonly rows: { readonly train: number; readonly test: 0 };
    readonly [about: string]: unknown;
  };
}
