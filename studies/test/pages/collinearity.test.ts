import { expect, test } from "vitest";
import { mean } from "../../src/mean-with-error.ts";
import { handText, lookUp, recordOf } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

const record = recordOf("collinearity");
const { ours } = lookUp(record);
const { cells, examples } = record.numbers as {
  cells: { ols: number[] }[][];
  examples: { rankingEqual: number; functionDifference: number };
};

test("the answer has the numbers of the record", () => {
  const near = cells[1].map(({ ols }) => ols[0]);
  const middle = mean(near);
  const sd = Math.sqrt(near.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (near.length - 1));
  expectNumbers(handText("collinearity", "Answer"), [
    ...[2, -2, 0.999, middle, sd, ...ours("spread")],
    ...[...ours("covariance of x₁, ρ = 0.999"), 0],
    ...[2, examples.rankingEqual, ...ours("Spearman of covariance and t, columns of two")],
    ...[1, 4.3, examples.functionDifference, ...ours("difference of effects")],
    ...[4.5, 10, ...ours("RATE of the largest effect"), 1],
  ]);
  // Both find the effects where columns are uncorrelated.
  expect(ours("least squares of x₁")[0]).toBeCloseTo(2, 1);
  expect(ours("least squares of x₂")[0]).toBeCloseTo(-2, 1);
  expect(ours("covariance of x₁, ρ = 0")[0]).toBeCloseTo(2, 1);
});
