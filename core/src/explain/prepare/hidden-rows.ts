import type { LearningTask, VariableGroup } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { RatewiseError, shapeError } from "../../errors.ts";
import type { Matrix } from "../../linalg/index.ts";
import type { OutputLink } from "../../posterior/index.ts";
import type { Asked } from "./prepared.ts";

/** Rows for a network that is already trained, in the columns that it takes. */
export interface HiddenRows {
  /** n×p. */
  readonly X: Matrix;
  /** One name per column. */
  readonly names: readonly string[];
  /** Names of the classes; null for numbers. */
  readonly classes: readonly string[] | null;
  /** Numbers or class indexes, and what they are called; null for none. */
  readonly response: { readonly name: string; readonly values: Float64Array } | null;
  /** Groups of columns. */
  readonly groups?: readonly VariableGroup[];
  readonly diagnostics?: readonly Diagnostic[];
}

/** Every column is a variable of its own, and all rows are looked at. */
export function prepareHidden(rows: HiddenRows, link: OutputLink, outputs: number): Asked {
  const { X, names, classes, response, groups = [], diagnostics = [] } = rows;
  const where = "explainHidden";
  if (names.length !== X.cols) throw shapeError(where, `${X.cols} names`, `${names.length}`);
  if (X.cols < 2 || X.rows < 3)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs at least 3 rows and 2 columns, got ${X.rows} and ${X.cols}`,
    });
  const needed = link === "identity" ? 0 : link === "logistic" ? 2 : outputs;
  if ((classes?.length ?? 0) !== needed)
    throw shapeError(where, `names of ${needed} classes`, `${classes?.length ?? 0}`);
  const task: LearningTask = link === "identity" ? "regression" : "classification";
  return {
    task,
    target: response?.name ?? null,
    classes,
    train: { X },
    columnNames: names,
    variables: names.map((name, j) => ({ name, members: [j] })),
    directions: names.map(() => 1),
    groups: groups.map((group) => ({ ...group, size: new Set(group.members).size })),
    excluded: [],
    diagnostics,
  };
}
