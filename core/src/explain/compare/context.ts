import type { Diagnostic } from "../../diagnostic.ts";
import type { SearchResult } from "../../learners/index.ts";
import type { Matrix } from "../../linalg/index.ts";
import type { Network } from "../../network/index.ts";
import type { Key } from "../../random/index.ts";
import type { RunOptions } from "../../run.ts";
import type { Prepared } from "../prepare/prepared.ts";

/** Rows as the learners take them, with what the network predicts there: n×1 means or n×classes probabilities. */
export interface ComparedRows {
  readonly X: Matrix;
  readonly y: Float64Array;
  readonly predictions: Matrix;
}

/** All that a method may look at. */
export interface CompareContext extends Pick<Prepared, "columnNames" | "variables" | "groups"> {
  readonly prepared: Prepared;
  readonly networks: readonly Network[];
  readonly train: ComparedRows;
  readonly test: ComparedRows;
  /** The network's predictions of other rows like the test rows. */
  readonly predict: (X: Matrix) => Matrix;
  readonly search: { readonly candidates: number; readonly folds: number } | null;
  readonly repeats: number;
  readonly key: Key;
  readonly workers?: number;
  readonly run: RunOptions;
}

export interface MethodScores {
  readonly variables: Float64Array;
  readonly groups: Float64Array;
  readonly standardErrors?: { readonly variables: Float64Array; readonly groups: Float64Array };
  readonly mimicScore?: number;
  readonly search?: SearchResult;
  readonly diagnostics?: readonly Diagnostic[];
}
