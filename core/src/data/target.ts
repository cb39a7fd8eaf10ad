import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { RatewiseError } from "../errors.ts";
import { clause, mention, say } from "../words/words.ts";
import { type Column, missingCount } from "./table.ts";

export const taskNames = ["regression", "classification"] as const;
export type LearningTask = (typeof taskNames)[number];

/** What is to be predicted: numbers, or class indexes with −1 where the response is missing. */
export type Target =
  | { readonly task: "regression"; readonly name: string; readonly values: Float64Array }
  | {
      readonly task: "classification";
      readonly name: string;
      readonly classes: readonly string[];
      readonly labels: Int32Array;
    };

/** Integers with at most this many distinct values are taken for class labels. */
const MOST_INTEGER_CLASSES = 10;
const MOST_CLASSES = 1000;

/**
 * The response from its column. Text → classification; numbers with at most 10 distinct integer
 * values → classification with a note; other numbers → regression; `task` overrides.
 */
export function targetFromColumn(
  column: Column,
  task?: LearningTask,
): { readonly target: Target; readonly diagnostics: readonly Diagnostic[] } {
  const { name } = column;
  const rows = column.kind === "number" ? column.values.length : column.codes.length;
  if (missingCount(column) === rows)
    throw new RatewiseError("domain", {
      what: `the target "${name}" is missing in every row`,
      name,
    });
  if (column.kind === "category") {
    if (task === "regression")
      throw new RatewiseError("domain", {
        what: `the target "${name}" is text (${column.levels.slice(0, 3).join(", ")}…) and cannot be a number to predict`,
        advice: say`use ${mention("task", "classification")}`,
        option: "task",
        name,
      });
    return { target: classesFrom(name, column.levels, column.codes), diagnostics: [] };
  }
  const distinct = distinctValues(column.values, MOST_CLASSES + 1);
  if (distinct.length < 2) throw constantTarget(name, `${distinct[0]}`);
  const fewIntegers =
    distinct.length <= MOST_INTEGER_CLASSES && distinct.every((value) => Number.isInteger(value));
  if (task === "regression" || (task === undefined && !fewIntegers))
    return { target: { task: "regression", name, values: column.values }, diagnostics: [] };
  if (distinct.length > MOST_CLASSES)
    throw new RatewiseError("domain", {
      what: `the target "${name}" has over ${MOST_CLASSES} distinct values, too many for classes`,
      advice: say`use ${mention("task", "regression")}`,
      option: "task",
      name,
    });
  if (distinct.length > 10 && distinct.length > rows / 2)
    throw new RatewiseError("domain", {
      what: `the target "${name}" has ${distinct.length} different values in ${rows} rows, too many for classes`,
      advice: say`use ${mention("task", "regression")}`,
      option: "task",
      name,
    });
  const index = new Map(distinct.map((value, code) => [value, code]));
  const labels = Int32Array.from(column.values, (value) => index.get(value) ?? -1);
  const note = diagnostic(
    "target-taken-as-classes",
    say`The target "${name}" has only ${distinct.length} different whole numbers, so they are read as classes.${clause` Use ${mention("task", "regression")} to predict numbers.`}`,
  );
  return {
    target: classesFrom(name, distinct.map(String), labels),
    diagnostics: task === undefined ? [note] : [],
  };
}

/** Classes in a stable order: numbers by value, texts as a dictionary would, unused levels left out. */
function classesFrom(name: string, levels: readonly string[], codes: Int32Array): Target {
  const used = new Set(codes);
  const order = [...levels.keys()]
    .filter((code) => used.has(code))
    .sort((a, b) => compareLevels(levels[a], levels[b]));
  if (order.length < 2) throw constantTarget(name, levels[order[0]]);
  if (order.length > MOST_CLASSES)
    throw new RatewiseError("domain", {
      what: `the target "${name}" has ${order.length} different texts, too many for classes (at most ${MOST_CLASSES})`,
      name,
    });
  const position = new Int32Array(levels.length).fill(-1);
  order.forEach((code, at) => {
    position[code] = at;
  });
  return {
    task: "classification",
    name,
    classes: order.map((code) => levels[code]),
    labels: codes.map((code) => (code < 0 ? -1 : position[code])),
  };
}

function compareLevels(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}

function constantTarget(name: string, value: string): RatewiseError {
  return new RatewiseError("domain", {
    what: `the target "${name}" is "${value}" in every row`,
    advice: "there is nothing to explain",
    name,
  });
}

/** Distinct values in increasing order, missing ones left out; gives up after `most`. */
function distinctValues(values: Float64Array, most: number): number[] {
  const seen = new Set<number>();
  for (const value of values) {
    if (!Number.isNaN(value)) seen.add(value);
    if (seen.size >= most) break;
  }
  return [...seen].sort((a, b) => a - b);
}
