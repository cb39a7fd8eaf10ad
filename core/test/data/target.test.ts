import { describe, expect, test } from "vitest";
import { targetFromColumn } from "../../src/data/index.ts";
import { spokenTo } from "../../src/diagnostic.ts";
import { flagText } from "../../src/words/flag-text.ts";

const numbers = (...values: number[]) => ({
  kind: "number" as const,
  name: "y",
  values: Float64Array.from(values),
});
const texts = (...values: (string | null)[]) => {
  const levels = [...new Set(values.filter((v) => v !== null))];
  const codes = Int32Array.from(values, (v) => (v === null ? -1 : levels.indexOf(v)));
  return { kind: "category" as const, name: "y", levels, codes };
};
/** A column with each value as often as is said: [value, rows]. */
const met = (...counts: readonly (readonly [number, number])[]) =>
  numbers(...counts.flatMap(([value, rows]) => Array<number>(rows).fill(value)));
const read = (column: ReturnType<typeof numbers>) => {
  const { target, diagnostics } = targetFromColumn(column);
  return [target.task, ...diagnostics.map(({ code }) => code)];
};
const CLASSES = ["classification", "target-taken-as-classes"];
const NUMBERS = ["regression", "target-taken-as-numbers"];

describe("a target of numbers", () => {
  test("with two values is classes, whatever the two are", () => {
    const { target } = targetFromColumn(numbers(2, 0, 2, Number.NaN));
    expect(target).toMatchObject({
      task: "classification",
      classes: ["0", "2"],
      labels: Int32Array.of(1, 0, 1, -1),
    });
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [-1, 1],
      [0.5, 7],
    ])
      expect(read(met([a, 90], [b, 10]))).toEqual(CLASSES);
  });

  test("that run without a gap from 0 or 1 is classes if there are three, or they are about evenly met", () => {
    expect(read(met([0, 50], [1, 50], [2, 50]))).toEqual(CLASSES);
    expect(read(met([1, 150], [2, 35], [3, 30]))).toEqual(CLASSES);
    expect(read(met(...Array.from({ length: 10 }, (_, v) => [v, 174 + v] as const)))).toEqual(
      CLASSES,
    );
    expect(read(met([1, 20], [2, 10], [3, 15], [4, 12]))).toEqual(CLASSES);
  });

  test("with a gap, another beginning, a thin end or many values is numbers", () => {
    // Affairs, cylinders, ratings, children, months.
    expect(read(met([0, 451], [1, 34], [2, 17], [3, 19], [7, 42], [12, 38]))).toEqual(NUMBERS);
    expect(read(met([4, 11], [6, 11], [8, 11]))).toEqual(NUMBERS);
    expect(read(met([1, 10], [2, 20], [3, 50], [4, 40], [5, 21]))).toEqual(NUMBERS);
    expect(read(met([0, 30], [1, 30], [2, 30], [3, 14]))).toEqual(NUMBERS);
    expect(read(met(...Array.from({ length: 12 }, (_, v) => [v + 1, 9] as const)))).toEqual(
      NUMBERS,
    );
    expect(read(numbers(1.5, 2, 3))).toEqual(["regression"]);
    expect(read(numbers(...Array.from({ length: 40 }, (_, i) => i)))).toEqual(["regression"]);
  });

  test("says which was assumed, of which values, and how to change it, unless it was told", () => {
    const counts = met([0, 9], [1, 5], [3, 2], [7, 1]);
    const { diagnostics } = targetFromColumn(counts);
    expect(diagnostics).toMatchObject([{ code: "target-taken-as-numbers", values: 4 }]);
    expect(spokenTo(diagnostics, flagText)[0].message).toBe(
      'The target "y" has only 4 different whole numbers (0, 1, 3, 7). They are read as numbers, such as counts. Use --task classification to read them as classes.',
    );
    expect(targetFromColumn(met([1, 2], [2, 3])).diagnostics[0].message).toContain(
      '2 different values (1, 2), so they are read as classes. Use task: "regression" to',
    );
    const told = targetFromColumn(counts, "classification");
    expect(told.target).toMatchObject({ classes: ["0", "1", "3", "7"] });
    expect(told.diagnostics).toEqual([]);
    expect(targetFromColumn(met([0, 2], [1, 2]), "regression")).toMatchObject({
      target: { task: "regression" },
      diagnostics: [],
    });
  });
});

test("texts are classes in dictionary order, numbers written as text by value", () => {
  expect(targetFromColumn(texts("no", "yes", null, "maybe")).target).toMatchObject({
    classes: ["maybe", "no", "yes"],
    labels: Int32Array.of(1, 2, -1, 0),
  });
  expect(targetFromColumn(texts("10", "9")).target).toMatchObject({
    classes: ["9", "10"],
  });
});

test("hundreds of classes are allowed, not so many that most rows are one of their own", () => {
  const many = (classes: number, rows: number) =>
    texts(...Array.from({ length: rows }, (_, i) => `c${i % classes}`));
  const { target } = targetFromColumn(many(400, 2000));
  expect(target.task === "classification" && target.classes.length).toBe(400);
  expect(() => targetFromColumn(many(1001, 5000))).toThrow("1001 different values in 5000 rows");
  expect(() => targetFromColumn(many(60, 100))).toThrow("too many for classes (at most 1000");
  const amounts = numbers(...Array.from({ length: 90 }, (_, i) => i));
  expect(() => targetFromColumn(amounts, "classification")).toThrow('task: "regression"');
});

test("constant, all missing and text for a regression are errors in plain words", () => {
  expect(() => targetFromColumn(numbers(1, 1))).toThrow('"y" is "1" in every row');
  expect(() => targetFromColumn(texts("a", "a"))).toThrow('"y" is "a" in every row');
  expect(() => targetFromColumn(numbers(Number.NaN))).toThrow("missing in every row");
  expect(() => targetFromColumn(texts("a", "b"), "regression")).toThrow("is text");
});
