import type { Design } from "../../data/design.ts";
import type { Encoding, Exclusion, LearningTask, Table } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { LogScale, Rows } from "../../network/index.ts";
import type { Group } from "../../rate/index.ts";
import type { ChosenRows } from "./choose-rows.ts";

/** Columns of a group asked for, and how many variables they belong to. */
export interface AskedGroup extends Group {
  readonly size: number;
}

/** What is asked of a model, whether it is trained here or was elsewhere: all that a ranking needs to know of its data. */
export interface Asked {
  readonly task: LearningTask;
  /** Null for a network whose response was not given. */
  readonly target: string | null;
  /** Class names in order of their index; null for a regression. */
  readonly classes: readonly string[] | null;
  /** The rows that effects are taken over. */
  readonly train: { readonly X: Rows };
  readonly columnNames: readonly string[];
  /** Columns of each variable. */
  readonly variables: readonly Group[];
  /** For each variable 1 where its column grows with it, −1 where it falls, 0 for texts, which have no order. */
  readonly directions: readonly number[];
  readonly groups: readonly AskedGroup[];
  readonly excluded: readonly Exclusion[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Inputs and responses of some rows. */
interface PreparedRows {
  readonly X: Design;
  /** Numbers, or class indexes. */
  readonly y: Float64Array;
  /** What each row counts; null where all count the same. */
  readonly weights: Float64Array | null;
}

/** A table made ready for a model. */
export interface Prepared extends Asked, Pick<ChosenRows, "split" | "structure" | "folds"> {
  readonly target: string;
  readonly encoding: Encoding;
  readonly train: PreparedRows;
  readonly test: PreparedRows;
  /** The table, with the rows of the test table after its own. */
  readonly source: Table;
  /** Its first row that is one of the test table; 0 without one. */
  readonly firstTest: number;
  /** Where networks learn the target's logarithm; default the target as it is. Responses are in its own unit either way. */
  readonly targetScale?: LogScale;
  /** Rows of the table in each part; with folds all are in the first. */
  readonly rows: { readonly train: Uint32Array; readonly test: Uint32Array };
  /** What the rows of each class count beside a column's weights, which is in `weights` already; null where classes count the same. */
  readonly classWeights: Float64Array | null;
}
