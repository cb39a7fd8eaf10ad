import { expect, test } from "vitest";
import { calibrationOf } from "../../../src/explain/answer/calibration.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../../src/random/index.ts";

const regression = (mean: number[], sd: number[], y: number[]) =>
  calibrationOf(
    {
      y: Float64Array.from(y),
      prediction: { mean: Float64Array.from(mean), sd: Float64Array.from(sd), probabilities: null },
    },
    null,
  );
const ofClasses = (probabilities: Float64Array, y: Float64Array, classes: string[]) =>
  calibrationOf({ y, prediction: { mean: null, sd: null, probabilities } }, classes);

test("an interval covers what lies within its quantile of the standard deviation", () => {
  // Distances in standard deviations: 0.5, 1, 1.5, 1.8, 3; the quantiles are 0.674, 1.282, 1.645, 1.960.
  const { intervals, probabilities, confusion } = regression(
    [0, 0, 0, 10, 0],
    [1, 2, 1, 0.5, 1],
    [0.5, -2, 1.5, 10.9, 3],
  );
  expect(intervals).toMatchObject([
    { level: 0.5, covered: 1 / 5 },
    { level: 0.8, covered: 2 / 5 },
    { level: 0.9, covered: 3 / 5 },
    { level: 0.95, covered: 4 / 5 },
  ]);
  expect([probabilities, confusion]).toEqual([null, null]);
  // Wilson's 95% interval of 3 of 5.
  const [low, high] = intervals![2].between;
  expect(low).toBeCloseTo(0.2307, 4);
  expect(high).toBeCloseTo(0.8824, 4);
});

test("the interval of a share that is nothing or all ends there", () => {
  const none = regression([0, 0], [1, 1], [9, 9]).intervals![0];
  expect(none).toMatchObject({ covered: 0, between: [0, expect.closeTo(0.6576, 4)] });
  const all = regression([0, 0], [1, 1], [0, 0]).intervals![0];
  expect(all).toMatchObject({ covered: 1, between: [expect.closeTo(0.3424, 4), 1] });
});

test("a model that knows its noise covers each level, within four standard errors", () => {
  const n = 20_000;
  const next = normals(fold(keyFromSeed(1), "noise"));
  const sd = Array.from({ length: n }, (_, i) => 1 + (i % 7));
  const { intervals } = regression(
    new Array(n).fill(0),
    sd,
    sd.map((s) => s * next()),
  );
  for (const { level, covered } of intervals!)
    expect(Math.abs(covered - level)).toBeLessThan(4 * Math.sqrt((level * (1 - level)) / n));
});

test("two classes: probabilities of the second one against how often it came", () => {
  const of = [0.05, 0.05, 0.95, 1, 0.95, 0.55];
  const { probabilities, confusion, intervals } = ofClasses(
    Float64Array.from(of.flatMap((p) => [1 - p, p])),
    Float64Array.of(0, 1, 1, 1, 0, 0),
    ["no", "yes"],
  );
  expect(intervals).toBeNull();
  expect(probabilities!.class).toBe("yes");
  const full = probabilities!.bins.filter(({ count }) => count > 0);
  expect(full.map(({ from, count, observed }) => [from, count, observed])).toEqual([
    [0, 2, 0.5],
    [0.5, 1, 0],
    [0.9, 3, 2 / 3],
  ]);
  expect(full[2].predicted).toBeCloseTo(2.9 / 3, 12);
  // (2·|0.5 − 0.05| + 1·|0 − 0.55| + 3·|2/3 − 2.9/3|)/6
  expect(probabilities!.error).toBeCloseTo((0.9 + 0.55 + 0.9) / 6, 12);
  // One row of probability 1 of "no" (1 − 1 = 0), and "no" came in one of probability 0.05: nothing is certain and wrong.
  expect(probabilities!.test).toMatchObject({ degrees: 1, pValue: expect.closeTo(0.0003, 3) });
  expect(confusion).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test("several classes: the probability of the likeliest", () => {
  const uniform = uniforms(keyFromSeed(3));
  const n = 6000;
  const given: number[] = [];
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const top = 0.4 + 0.6 * uniform();
    given.push((1 - top) / 2, top, (1 - top) / 2);
    const u = uniform();
    y[i] = u < top ? 1 : u < top + (1 - top) / 2 ? 0 : 2;
  }
  const { probabilities, confusion } = ofClasses(Float64Array.from(given), y, ["a", "b", "c"]);
  expect(probabilities!.class).toBeNull();
  expect(probabilities!.bins.slice(0, 4).every(({ count }) => count === 0)).toBe(true);
  expect(probabilities!.error).toBeLessThan(0.03);
  expect(probabilities!.test.pValue).toBeGreaterThan(0.01);
  expect(confusion!.map((row) => [row[0], row[2]])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(confusion!.flat().reduce((sum, count) => sum + count, 0)).toBe(n);
});

test("with weights, shares are of weight, and an interval is as wide as rows that tell as much", () => {
  const given = { mean: new Float64Array(4), sd: new Float64Array(4).fill(1), probabilities: null };
  const y = Float64Array.of(0, 0, 9, 9);
  const weights = Float64Array.of(3, 1, 1, 1);
  const [half] = calibrationOf({ y, weights, prediction: given }, null).intervals!;
  expect(half.covered).toBeCloseTo(4 / 6, 14);
  // (Σw)²/Σw² = 36/12 = 3 rows, 2 of them inside: Wilson's interval.
  const z = 1.95996398454005;
  const spread = z * Math.sqrt((2 * 1) / 3 + (z * z) / 4);
  expect(half.between[0]).toBeCloseTo((2 + (z * z) / 2 - spread) / (3 + z * z), 12);
  expect(half.between[1]).toBeCloseTo((2 + (z * z) / 2 + spread) / (3 + z * z), 12);
  const { probabilities, confusion } = calibrationOf(
    {
      y: Float64Array.of(0, 1, 0, 1),
      weights,
      prediction: {
        mean: null,
        sd: null,
        probabilities: Float64Array.of(0.9, 0.1, 0.9, 0.1, 0.8, 0.2, 0.2, 0.8),
      },
    },
    ["no", "yes"],
  );
  // Of yes: 0.1 twice, weights 3 and 1, the second came; 0.2, which did not; 0.8, which did.
  const [, low, next_] = probabilities!.bins;
  expect([low.count, next_.count]).toEqual([2, 1]);
  expect(low.observed).toBeCloseTo(1 / 4, 14);
  expect(probabilities!.error).toBeCloseTo((4 * (1 / 4 - 0.1) + 0.2 + 0.2) / 6, 12);
  // Rows, not weights.
  expect(confusion).toEqual([
    [2, 0],
    [1, 1],
  ]);
});
