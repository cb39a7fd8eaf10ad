import type { Column } from "@ratewise/core";
import { expect, test } from "vitest";
import { scoresOf } from "../../src/tables/scores.ts";

const numbers = (...values: number[]): Column => ({
  ...{ kind: "number", name: "y", values: Float64Array.from(values) },
});
const classes = (levels: string[], ...codes: number[]): Column => ({
  ...{ kind: "category", name: "y", levels, codes: Int32Array.from(codes) },
});
const likely = (...probabilities: number[]) => ({
  ...{ mean: null, sd: null, probabilities: Float64Array.from(probabilities) },
});

test("numbers are judged by R², beside the mean of the rows predicted", () => {
  const mean = Float64Array.of(1, 2, 6);
  const scores = scoresOf({ mean, sd: null, probabilities: null }, null, numbers(1, 3, 5));
  expect(scores.score).toBeCloseTo(1 - 2 / 8, 12);
  expect(scores.logLoss).toBeNull();
});

test("classes are judged by how many are right and by the probability of what came", () => {
  const column = classes(["b", "a"], 1, 0, 1); // levels in another order than the model's classes
  const { score, logLoss } = scoresOf(likely(0.9, 0.1, 0.4, 0.6, 0.2, 0.8), ["a", "b"], column);
  expect(score).toBeCloseTo(2 / 3, 12);
  expect(logLoss).toBeCloseTo(-(Math.log(0.9) + Math.log(0.6) + Math.log(0.2)) / 3, 12);
});

test("classes written as numbers are found by their names", () => {
  const { score, logLoss } = scoresOf(likely(0.3, 0.7, 0.6, 0.4), ["0", "1"], numbers(1, 1));
  expect(score).toBe(0.5);
  expect(logLoss).toBeCloseTo(-(Math.log(0.7) + Math.log(0.4)) / 2, 12);
});

test("a class that the model has never seen is wrong and costs as much as 1e-6, as does one it excluded", () => {
  const column = classes(["a", "c", "b"], 0, 1, 2);
  const { score, logLoss } = scoresOf(likely(1, 0, 1, 0, 1, 0), ["a", "b"], column);
  expect(score).toBeCloseTo(1 / 3, 12);
  expect(logLoss).toBeCloseTo((2 * -Math.log(1e-6)) / 3, 12);
});

test("numbers predicted for a column of text are an error", () => {
  const mean = Float64Array.of(1);
  const run = () => scoresOf({ mean, sd: null, probabilities: null }, null, classes(["a"], 0));
  expect(run).toThrow('"y" has to hold numbers');
});
