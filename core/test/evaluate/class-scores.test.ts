import { describe, expect, test } from "vitest";
import {
  areaUnderRocOfClasses,
  balancedAccuracy,
  calibrationTest,
  chiSquareTail,
  confusionCounts,
  f1Score,
  influenceOnRSquared,
  logLosses,
  meanAbsoluteError,
  rootMeanSquaredError,
  rSquared,
  standardErrorOfMean,
} from "../../src/evaluate/index.ts";
import { errorOfMean, meanOf } from "../../src/linalg/moments.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

// Twelve rows of three classes, with ties. scikit-learn 1.9.1 and SciPy made the numbers that stand beside them.
const P = [
  [5, 3, 2],
  [1, 8, 1],
  [2, 2, 6],
  [6, 3, 1],
  [3, 3, 4],
  [1, 1, 8],
  [4, 5, 1],
  [5, 3, 2],
  [2, 6, 2],
  [3, 4, 3],
  [8, 1, 1],
  [2, 3, 5],
].flatMap((row) => row.map((tenths) => tenths / 10));
const y = [0, 1, 2, 1, 2, 2, 0, 0, 1, 2, 0, 1];
const named = [0, 1, 2, 0, 2, 2, 1, 0, 1, 1, 0, 2];
const second = y.map((label) => Number(label === 1));
const ofSecond = y.flatMap((_, i) => [1 - P[3 * i + 1], P[3 * i + 1]]);

describe("scores of classes", () => {
  test("three classes: those of scikit-learn", () => {
    expectClose([meanOf(logLosses(P, y))], [0.710156344943385]);
    expectClose([areaUnderRocOfClasses(P, y)!], [0.875]);
    const counts = confusionCounts(named, y, 3);
    expect([...counts]).toEqual([3, 1, 0, 1, 2, 1, 0, 1, 3]);
    expectClose([balancedAccuracy(counts), f1Score(counts)], [2 / 3, 2 / 3]);
  });

  test("two classes: those of scikit-learn, F1 being that of the second class", () => {
    expectClose([meanOf(logLosses(ofSecond, second))], [0.48748141687533897]);
    expectClose([areaUnderRocOfClasses(ofSecond, second)!], [0.78125]);
    const chosen = second.map((_, i) => Number(ofSecond[2 * i + 1] > 0.35));
    const counts = confusionCounts(chosen, second, 2);
    expectClose([balancedAccuracy(counts), f1Score(counts)], [0.625, 0.5]);
  });

  test("a class that never came is in no mean, and one that never came nor was named has F1 0", () => {
    const counts = confusionCounts([0, 0, 1, 1], [0, 0, 0, 1], 3);
    expectClose([balancedAccuracy(counts)], [(2 / 3 + 1) / 2]);
    expectClose([f1Score(counts)], [(4 / 5 + 2 / 3) / 2]);
    expect(f1Score(confusionCounts([0, 0], [0, 0], 2))).toBe(0);
    expect(areaUnderRocOfClasses([0.5, 0.5, 0.1, 0.9], [1, 1])).toBeNull();
    const two = [0.6, 0.3, 0.1, 0.3, 0.6, 0.1, 0.2, 0.7, 0.1];
    expect(areaUnderRocOfClasses(two, [0, 1, 1])).toBe(1);
  });

  test("what was called impossible costs 52 bits, not infinitely many", () => {
    expectClose([...logLosses([1, 0, 1, 0], [1, 0])], [52 * Math.LN2, 0]);
  });

  test("labels and shapes are checked", () => {
    expect(() => logLosses([0.5, 0.5], [2])).toThrow("needs classes from 0 to 1, got 2");
    expect(() => areaUnderRocOfClasses([0.5, 0.5, 1], [0, 1])).toThrow("of each class");
    expect(() => confusionCounts([0], [0, 1], 2)).toThrow("one class per row (2)");
  });
});

test("errors in the unit of y are those of scikit-learn", () => {
  const [truth, predicted] = [
    [3, -1, 2, 7.5],
    [2.5, 0, 2, 8],
  ];
  expectClose([meanAbsoluteError(predicted, truth)], [0.5]);
  expectClose([rootMeanSquaredError(predicted, truth)], [0.6123724356957945]);
});

test("the tail of chi-square is that of SciPy", () => {
  const cases = [
    [0.5, 1, 0.47950012218695337],
    [3.84, 1, 0.05004352124870519],
    [1e-3, 1, 0.9747728793699604],
    [10, 2, 0.006737946999085468],
    [2, 5, 0.8491450360846096],
    [40, 7, 1.258790387371308e-6],
    [60, 30, 0.0009206823961486636],
    [700, 3, 2.0991308534204487e-151],
  ];
  for (const [value, degrees, tail] of cases)
    expectClose([chiSquareTail(value, degrees)], [tail], { rtol: 1e-11 });
  expect([chiSquareTail(0, 3), chiSquareTail(Number.POSITIVE_INFINITY, 3)]).toEqual([1, 0]);
  expect(() => chiSquareTail(1, 0.5)).toThrow("whole degrees");
});

describe("standard errors", () => {
  test("without groups, or each row its own: s/√n", () => {
    const values = [3, 1, 4, 1, 5];
    expectClose([standardErrorOfMean(values)], [errorOfMean(values)]);
    expectClose([standardErrorOfMean(values, [4, 3, 2, 1, 0])], [errorOfMean(values)]);
  });

  test("groups whose rows are copies count once", () => {
    const values = [3, 1, 4, 1, 5];
    const twice = [...values, ...values];
    const groups = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4];
    expectClose([standardErrorOfMean(twice, groups)], [errorOfMean(values)]);
    expect(standardErrorOfMean(twice)).toBeLessThan(errorOfMean(values));
  });

  test("a row's influence is what R² loses with it, n times over, up to terms of order 1/n", () => {
    const next = normals(keyFromSeed(4));
    const n = 4000;
    const truth = Float64Array.from({ length: n }, next);
    const predicted = truth.map((value) => 0.8 * value + 0.3 * next());
    const whole = rSquared(predicted, truth);
    const influence = influenceOnRSquared(predicted, truth);
    expect(Math.abs(meanOf(influence))).toBeLessThan(1e-14);
    for (const at of [0, 17, 1234]) {
      const without = (values: Float64Array) => values.filter((_, i) => i !== at);
      const lost = whole - rSquared(without(predicted), without(truth));
      expect(Math.abs(n * lost - influence[at])).toBeLessThan(0.02);
    }
  });

  test("95% intervals of R² and of a mean over groups hold the truth in 95 of 100 tables, within four errors", () => {
    const tables = 1000;
    let [held, heldByGroup] = [0, 0];
    // ŷ = 0.8 y + e, e of variance 0.09: R² → 1 − (0.04 + 0.09).
    const truth = 1 - 0.13;
    for (let t = 0; t < tables; t++) {
      const next = normals(fold(keyFromSeed(5), t));
      const of = Float64Array.from({ length: 300 }, next);
      const predicted = of.map((value) => 0.8 * value + 0.3 * next());
      const error = standardErrorOfMean(influenceOnRSquared(predicted, of));
      if (Math.abs(rSquared(predicted, of) - truth) < 1.96 * error) held++;
      const shared = Float64Array.from({ length: 60 }, next);
      const values = of.map((value, i) => value + shared[i % 60]);
      const groups = Int32Array.from(of, (_, i) => i % 60);
      if (Math.abs(meanOf(values)) < 1.96 * standardErrorOfMean(values, groups)) heldByGroup++;
    }
    for (const count of [held, heldByGroup])
      expect(Math.abs(count / tables - 0.95)).toBeLessThan(4 * Math.sqrt((0.05 * 0.95) / tables));
  });
});

describe("the test of calibration", () => {
  test("is the score test of softmax(a + b·log p), computed apart with NumPy", () => {
    const five = <T>(of: readonly T[]): T[] => Array.from({ length: 5 }, () => of).flat();
    const three = calibrationTest(five(P), five(y));
    expectClose([three.statistic, three.pValue], [8.660750014210791, 0.03415858725537886]);
    expect(three.degrees).toBe(3);
    const two = calibrationTest(five(ofSecond), five(second));
    expectClose([two.statistic, two.pValue], [2.007738343297965, 0.36645880258698954]);
    expect(two.degrees).toBe(2);
  });

  /** Share of 1,000 samples rejected at 0.05: outcomes from softmax(η + shift), probabilities from softmax(stretch·η). */
  function rejected(n: number, C: number, rare: number, spread = 1, stretch = 1, shift = 0) {
    let count = 0;
    for (let s = 0; s < 1000; s++) {
      const key = fold(keyFromSeed(7), n, C, s);
      const next = normals(key);
      const uniform = uniforms(fold(key, "outcome"));
      const probabilities = new Float64Array(n * C);
      const came = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const eta = Array.from({ length: C }, (_, c) => (c === 0 ? 0 : spread * next() - rare));
        const softmax = (logits: number[]) => {
          const odds = logits.map(Math.exp);
          const sum = odds.reduce((a, b) => a + b, 0);
          return odds.map((value) => value / sum);
        };
        probabilities.set(softmax(eta.map((value) => stretch * value)), i * C);
        let left = uniform();
        const truth = softmax(eta.map((value, c) => value + (c === 1 ? shift : 0)));
        while (came[i] < C - 1 && left >= truth[came[i]]) left -= truth[came[i]++];
      }
      if (calibrationTest(probabilities, came).pValue < 0.05) count++;
    }
    return count / 1000;
  }

  test("rejects right probabilities in one of twenty samples, few rows or many, classes rare or not", () => {
    // Four standard errors of a share of 1,000, and what chi-square is off with so few rows.
    for (const [n, C, rare, spread] of [
      [60, 2, 0, 1],
      [60, 2, 3, 1],
      [60, 2, 0, 4],
      [300, 2, 3, 1],
      [300, 3, 1, 2],
      [300, 8, 0, 1],
    ])
      expect(Math.abs(rejected(n, C, rare, spread) - 0.05)).toBeLessThan(0.028);
  });

  test("rejects those that are too bold, too timid, or too high", () => {
    expect(rejected(300, 2, 0, 2, 2)).toBeGreaterThan(0.95);
    expect(rejected(300, 2, 0, 2, 0.5)).toBeGreaterThan(0.95);
    // In the middle, where (1 − 2p) is as often positive as negative.
    expect(rejected(300, 2, 0, 1, 1, 0.6)).toBeGreaterThan(0.95);
    expect(rejected(300, 3, 0, 2, 2)).toBeGreaterThan(0.95);
  });

  test("what was certain and did not come is rejected, what came is not", () => {
    expect(calibrationTest([1, 0, 0, 1], [0, 1]).pValue).toBe(1);
    expect(calibrationTest([1, 0, 0, 1], [1, 1]).pValue).toBe(0);
  });
});
