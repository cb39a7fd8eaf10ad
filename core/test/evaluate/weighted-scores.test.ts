import { describe, expect, test } from "vitest";
import {
  areaUnderRocOfClasses,
  balancedAccuracy,
  calibrationTest,
  confusionCounts,
  f1Score,
  influenceOnRSquared,
  logLosses,
  meanAbsoluteError,
  rootMeanSquaredError,
  rSquared,
  standardErrorOfMean,
} from "../../src/evaluate/index.ts";
import { meanOf, weightedMean } from "../../src/linalg/moments.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const n = 40;
const uniform = uniforms(keyFromSeed(21));
/** Whole weights: each row stands for as many copies. */
const weights = Float64Array.from({ length: n }, () => 1 + Math.floor(4 * uniform()));
const copies = Array.from(weights).flatMap((count, i) => new Array<number>(count).fill(i));
const copied = (values: ArrayLike<number>, width = 1) =>
  copies.flatMap((i) => Array.from({ length: width }, (_, c) => values[i * width + c]));
const y = Float64Array.from({ length: n }, () => 3 * uniform());
const predicted = y.map((value) => value + uniform() - 0.3);
const labels = Float64Array.from({ length: n }, () => Math.floor(3 * uniform()));
const named = labels.map((label) => (uniform() < 0.6 ? label : Math.floor(3 * uniform())));
// In tenths, so that some tie.
const P = Array.from(labels).flatMap((label) => {
  const own = 2 + Math.floor(6 * uniform());
  const next = Math.floor((10 - own) / 2);
  const row = [0, 0, 0];
  row[label] = own / 10;
  row[(label + 1) % 3] = next / 10;
  row[(label + 2) % 3] = (10 - own - next) / 10;
  return row;
});

describe("scores by weights are those of rows copied so many times", () => {
  test("errors, R² and its influences", () => {
    const [manyPredicted, many] = [copied(predicted), copied(y)];
    expectClose(
      [meanAbsoluteError(predicted, y, weights), rootMeanSquaredError(predicted, y, weights)],
      [meanAbsoluteError(manyPredicted, many), rootMeanSquaredError(manyPredicted, many)],
    );
    expect(meanAbsoluteError(predicted, y, weights)).not.toBe(meanAbsoluteError(predicted, y));
    const influence = influenceOnRSquared(predicted, y, weights);
    expectClose(copied(influence), [...influenceOnRSquared(manyPredicted, many)]);
    expect(Math.abs(weightedMean(influence, weights))).toBeLessThan(1e-14);
    expect(rSquared(predicted, y, weights)).not.toBe(rSquared(predicted, y));
  });

  test("areas, confusion and what follows from it", () => {
    const [manyP, many] = [copied(P, 3), copied(labels)];
    expectClose(
      [areaUnderRocOfClasses(P, labels, weights)!],
      [areaUnderRocOfClasses(manyP, many)!],
    );
    expect(areaUnderRocOfClasses(P, labels, weights)).not.toBe(areaUnderRocOfClasses(P, labels));
    expectClose(
      [areaUnderRocOfClasses(P, labels, new Float64Array(n).fill(0.3))!],
      [areaUnderRocOfClasses(P, labels)!],
    );
    const counts = confusionCounts(named, labels, 3, weights);
    const manyCounts = confusionCounts(copied(named), many, 3);
    expect([...counts]).toEqual([...manyCounts]);
    expectClose(
      [balancedAccuracy(counts), f1Score(counts), weightedMean(logLosses(P, labels), weights)],
      [balancedAccuracy(manyCounts), f1Score(manyCounts), meanOf(logLosses(manyP, many))],
    );
    expect(() => areaUnderRocOfClasses(P, labels, [1])).toThrow("one weight per score (40)");
  });

  test("but copies of a row are no further rows: its standard error is that of groups", () => {
    const many = standardErrorOfMean(copied(y), copies);
    expectClose([standardErrorOfMean(y, null, weights)], [many]);
    expect(standardErrorOfMean(copied(y))).toBeLessThan(0.9 * many);
    const groups = Int32Array.from(y, (_, i) => i % 7);
    expectClose(
      [standardErrorOfMean(y, groups, weights)],
      [standardErrorOfMean(copied(y), copied(groups))],
    );
    // Only ratios matter.
    const scaled = weights.map((weight) => 1e-9 * weight);
    expectClose([standardErrorOfMean(y, null, scaled)], [many]);
  });
});

describe("the test of calibration", () => {
  const flat = (p: number, rows: number) =>
    Float64Array.from({ length: 2 * rows }, (_, e) => (e % 2 === 1 ? p : 1 - p));

  test("of one probability for all: (Σw(y − p))² over its variance", () => {
    const p = 0.3;
    const came = Float64Array.from({ length: n }, (_, i) => Number(i % 3 === 0));
    const off = came.reduce((sum, is, i) => sum + weights[i] * (is - p), 0);
    const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
    const found = calibrationTest(flat(p, n), came, { rows: weights, classes: null });
    expect(found.degrees).toBe(1);
    expectClose([found.statistic], [off ** 2 / (p * (1 - p) * squares)], { rtol: 1e-9 });
    // Classes that count 1 and 4: "yes" is p of the weight, so P(yes) = (p/4)/(p/4 + 1 − p).
    const v = [1, 4];
    const own = weights.map((weight, i) => weight * v[came[i]]);
    const chance = p / 4 / (p / 4 + 1 - p);
    const variance = squares * (chance * 16 * (1 - p) ** 2 + (1 - chance) * p ** 2);
    const weighed = own.reduce((sum, weight, i) => sum + weight * (came[i] - p), 0);
    const classes = calibrationTest(flat(p, n), came, { rows: own, classes: v });
    expectClose([classes.statistic], [weighed ** 2 / variance], { rtol: 1e-9 });
  });

  test("with the same weight everywhere is that without", () => {
    const plain = calibrationTest(P, labels);
    for (const weight of [1e-9, 1, 7]) {
      const own = new Float64Array(n).fill(weight);
      for (const classes of [null, [weight, weight, weight]]) {
        const found = calibrationTest(P, labels, { rows: own, classes });
        expect(found.degrees).toBe(plain.degrees);
        expectClose([found.statistic], [plain.statistic], { rtol: 1e-8 });
      }
    }
  });

  test("rejects right probabilities in 5 of 100 tables, by rows and by classes, within four errors", () => {
    const tables = 600;
    const rows = 300;
    const v = [1, 6, 2];
    const rejected = { rows: 0, classes: 0, wrong: 0 };
    for (let t = 0; t < tables; t++) {
      const next = uniforms(fold(keyFromSeed(22), t));
      const own = Float64Array.from({ length: rows }, () => 0.2 + 3 * next() ** 2);
      const right = new Float64Array(3 * rows);
      const weighed = new Float64Array(3 * rows);
      const came = new Float64Array(rows);
      for (let i = 0; i < rows; i++) {
        const raw = [0.3 + next(), 0.1 + 0.4 * next(), 0.2 + next()];
        const sum = raw[0] + raw[1] + raw[2];
        const all = raw.reduce((total, value, c) => total + v[c] * value, 0);
        raw.forEach((value, c) => {
          right[3 * i + c] = value / sum;
          weighed[3 * i + c] = (v[c] * value) / all;
        });
        const u = next();
        came[i] = u < raw[0] / sum ? 0 : u < (raw[0] + raw[1]) / sum ? 1 : 2;
      }
      const both = own.map((weight, i) => weight * v[came[i]]);
      if (calibrationTest(right, came, { rows: own, classes: null }).pValue < 0.05) rejected.rows++;
      if (calibrationTest(weighed, came, { rows: both, classes: v }).pValue < 0.05)
        rejected.classes++;
      // What is right of the rows is wrong of rows that count by their classes.
      if (calibrationTest(right, came, { rows: both, classes: v }).pValue < 0.05) rejected.wrong++;
    }
    const within = 4 * Math.sqrt((0.05 * 0.95) / tables);
    expect(Math.abs(rejected.rows / tables - 0.05)).toBeLessThan(within);
    expect(Math.abs(rejected.classes / tables - 0.05)).toBeLessThan(within);
    expect(rejected.wrong / tables).toBeGreaterThan(0.95);
  });
});
