import type { EffectShape } from "@ratewise/core/explain";
import { expect, test } from "vitest";
import { shapeFigure } from "../src/index.ts";

const ofNumbers = (values: readonly number[]): EffectShape => ({
  name: "sex",
  kind: "number",
  values,
  curves: [{ class: null, mean: values, low: values, high: values, shape: "rises" }],
  rows: 5,
});

test("two numbers are two points without a curve between them, three are a curve", () => {
  const two = shapeFigure(ofNumbers([1, 2]), "y");
  expect(two).not.toContain('class="line"');
  expect(two.match(/<circle /g)).toHaveLength(2);
  expect(shapeFigure(ofNumbers([1, 2, 3]), "y")).toContain('class="line"');
});

test("values of the prediction can be read off a grid", () => {
  expect(shapeFigure(ofNumbers([1, 2, 3]), "y")).toContain("y-grid");
  expect(shapeFigure(ofNumbers([1, 2]), "y")).toContain("x-grid");
});
