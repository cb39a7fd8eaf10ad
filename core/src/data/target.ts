import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { RatewiseError } from "../errors.ts";
import { clause, mention, say } from "../words/words.ts";
import { lookLikeCodes } from "./codes.ts";
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

/** Of a column of numbers: different values up to which they may be classes. */
const MOST_CLASSES = 1000;
/** Classes that need no proof of being met more than once. */
const FEW_CLASSES = 10;
/** Whole numbers with at most so many different values are worth a word when they are read as numbers. */
const FEW_WHOLE = 20;

/**
 * The response from its column. Text → classification; numbers that look like codes of classes → classification; other
 * numbers → regression; `task` overrides. What few whole numbers were taken for is said.
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
    return { target: classesFrom(name, column.levels, column.codes, false), diagnostics: [] };
  }
  const counts = countValues(column.values, MOST_CLASSES + 1);
  const distinct = [...counts.keys()].sort((a, b) => a - b);
  if (distinct.length < 2) throw constantTarget(name, `${distinct[0]}`);
  const guessed = lookLikeCodes(counts) ? "classification" : "regression";
  const diagnostics = task === undefined ? whatWasAssumed(name, distinct, guessed) : [];
  if ((task ?? guessed) === "regression")
    return { target: { task: "regression", name, values: column.values }, diagnostics };
  const index = new Map(distinct.map((value, code) => [value, code]));
  if (distinct.length > MOST_CLASSES)
    throw tooManyClasses(name, `over ${MOST_CLASSES}`, rows, true);
  const labels = Int32Array.from(column.values, (value) => index.get(value) ?? -1);
  return { target: classesFrom(name, distinct.map(String), labels, true), diagnostics };
}

/** What the numbers were read as, where they are few and whole, and the option that says otherwise. */
function whatWasAssumed(
  name: string,
  distinct: readonly number[],
  task: LearningTask,
): Diagnostic[] {
  const values = distinct.length;
  if (task === "classification")
    return [
      diagnostic(
        "target-taken-as-classes",
        say`The target "${name}" has only ${values} different values (${listed(distinct)}), so they are read as classes.${clause` Use ${mention("task", "regression")} to predict numbers.`}`,
        { values },
      ),
    ];
  if (values > FEW_WHOLE || !distinct.every((value) => Number.isInteger(value))) return [];
  return [
    diagnostic(
      "target-taken-as-numbers",
      say`The target "${name}" has only ${values} different whole numbers (${listed(distinct)}). They are read as numbers, such as counts.${clause` Use ${mention("task", "classification")} to read them as classes.`}`,
      { values },
    ),
  ];
}

function listed(values: readonly number[]): string {
  return values.length <= 6
    ? values.join(", ")
    : `${values.slice(0, 3).join(", ")}, … ${values[values.length - 1]}`;
}

/** Classes in a stable order: numbers by value, texts as a dictionary would, unused levels left out. */
function classesFrom(
  name: string,
  levels: readonly string[],
  codes: Int32Array,
  numbers: boolean,
): Target {
  const used = new Set(codes);
  const order = [...levels.keys()]
    .filter((code) => used.has(code))
    .sort((a, b) => compareLevels(levels[a], levels[b]));
  if (order.length < 2) throw constantTarget(name, levels[order[0]]);
  const present = codes.reduce((count, code) => count + (code < 0 ? 0 : 1), 0);
  if (order.length > MOST_CLASSES || (order.length > FEW_CLASSES && order.length > present / 2))
    throw tooManyClasses(name, `${order.length}`, present, numbers);
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

function tooManyClasses(
  name: string,
  found: string,
  rows: number,
  numbers: boolean,
): RatewiseError {
  return new RatewiseError("domain", {
    what: `the target "${name}" has ${found} different values in ${rows} rows, too many for classes (at most ${MOST_CLASSES}, and half as many as rows)`,
    advice: numbers
      ? say`use ${mention("task", "regression")}`
      : "join rare ones, or leave their rows out",
    ...(numbers && { option: "task" }),
    name,
  });
}

/** How often each value is met, missing ones left out; gives up after `most` different ones. */
function countValues(values: Float64Array, most: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size >= most) break;
  }
  return counts;
}
