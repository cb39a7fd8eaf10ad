import { RatewiseError, shapeError } from "../errors.ts";
import { isSparse } from "../linalg/sparse-matrix.ts";
import type { LearnerTask } from "./learner.ts";
import type { TreeInput } from "./table-rows.ts";

/** Says what is wrong with rows, target and names, in the name of the function `where`. */
export function checkTrainingData(
  where: string,
  X: TreeInput,
  y: Float64Array,
  task: LearnerTask,
  names?: readonly string[],
): void {
  if (X.rows === 0 || X.cols === 0)
    throw shapeError(where, "at least one row and one column", `${X.rows}×${X.cols}`);
  if (y.length !== X.rows)
    throw shapeError(where, `a target for each of ${X.rows} rows`, `${y.length}`);
  checkValues(where, X);
  checkTarget(where, y, task);
  if (!names) return;
  if (names.length !== X.cols)
    throw shapeError(where, `a name for each of ${X.cols} columns`, `${names.length}`);
  const twice = names.find((name, j) => names.indexOf(name) !== j && new Set(names).size < X.cols);
  if (twice !== undefined)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs different names, got "${twice}" twice`,
      name: twice,
    });
}

function checkValues(where: string, X: TreeInput): void {
  const values = isSparse(X) ? X.values : X.data;
  let at = 0;
  while (at < values.length && Math.abs(values[at]) !== Infinity) at++;
  if (at < values.length)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs numbers, or NaN where one is missing, got ${values[at]}`,
      advice: "clip infinite values or mark them missing",
      position: at,
    });
}

function checkTarget(where: string, y: Float64Array, task: LearnerTask): void {
  if (task?.kind !== "regression" && task?.kind !== "classification")
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a task, { kind: "regression" } or { kind: "classification", classes }, got ${JSON.stringify(task)}`,
    });
  const bad = (needed: string, row: number): RatewiseError =>
    new RatewiseError("domain", {
      in: where,
      what: `needs ${needed}, got ${y[row]} in row ${row}`,
      row,
    });
  if (task.kind === "regression") {
    const row = y.findIndex((value) => !Number.isFinite(value));
    if (row >= 0) throw bad("a finite target; leave out rows without one", row);
    return;
  }
  const { classes } = task;
  if (!(Number.isInteger(classes) && classes >= 2))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs at least 2 classes, got ${classes}`,
      advice: "there is nothing to tell apart",
      classes,
    });
  const row = y.findIndex((value) => !(Number.isInteger(value) && value >= 0 && value < classes));
  if (row >= 0) throw bad(`class indices from 0 to ${classes - 1}`, row);
  if (y.every((value) => value === y[0]))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs rows of at least 2 classes, got only class ${y[0]}`,
      class: y[0],
    });
}
