import { describe, expect, test } from "vitest";
import { marginalTStatistic } from "../../src/importance/index.ts";
import { marginalCorrelation } from "../../src/importance/marginal.ts";
import { fromRows } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { expectClose } from "../support/close.ts";

// Columns: a line, its mirror image with an error, a constant, something else.
const X = fromRows([
  [1, -1, 5, 0],
  [2, -2, 5, 3],
  [3, -3, 5, 1],
  [4, -4, 5, 0],
  [5, -6, 5, 2],
  [6, -5, 5, 1],
]);
const y = Float64Array.of(2, 4, 6, 8, 10, 12);
const labels = Float64Array.of(0, 0, 0, 1, 1, 1);

describe("marginalCorrelation", () => {
  test("is |r|: 1 on a line, 0 for a constant", () => {
    const scores = marginalCorrelation(X, y);
    // scipy.stats.pearsonr of columns 1 and 3 with y.
    expectClose(scores, [1, 0.9428571428571428, 0, 0.04572299568592122], {
      rtol: 1e-10,
      atol: 1e-15,
    });
  });

  test("classes: the largest with the indicator of a class", () => {
    const three = Float64Array.of(0, 0, 1, 1, 2, 2);
    const scores = marginalCorrelation(X, three, 3);
    const indicators = [0, 1, 2].map((c) => three.map((label) => (label === c ? 1 : 0)));
    const each = indicators.map((target) => marginalCorrelation(X, target));
    expect([...scores]).toEqual([0, 1, 2, 3].map((j) => Math.max(...each.map((s) => s[j]))));
  });
});

describe("marginalTStatistic", () => {
  test("is the t of the slope for numbers", () => {
    const scores = marginalTStatistic(X, y);
    // Slope over standard error of scipy.stats.linregress.
    expectClose([scores[1], scores[3]], [5.659453309702798, 0.09154172965460303], { rtol: 1e-10 });
    expect(scores[2]).toBe(0);
    expect(scores[0]).toBeGreaterThan(1e7);
    expect(scores[0]).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  test("is Welch's for two classes", () => {
    const scores = marginalTStatistic(X, labels, 2);
    // scipy.stats.ttest_ind(…, equal_var=False): 3/√(1/3 + 1/3), and −3/√(1/3 + 1/3).
    expectClose(scores.subarray(0, 2), [3 / Math.sqrt(2 / 3), 3 / Math.sqrt(2 / 3)], {
      rtol: 1e-12,
    });
    expectClose([scores[3]], [0.3162277660168379], { rtol: 1e-12 });
  });
});

test("permuting columns permutes the scores exactly; what cannot be scored is refused", () => {
  const order = [3, 1, 0, 2];
  for (const score of [marginalCorrelation, marginalTStatistic]) {
    const own = score(X, y);
    expect([...score(selectColumns(X, order), y)]).toEqual(order.map((j) => own[j]));
    expect(() =>
      score(
        X,
        y.map(() => Number.NaN),
      ),
    ).toThrow("finite targets, got NaN in row 0");
    expect(() => score(X, labels.fill(1), 2)).toThrow("at least 2 classes");
    expect(() => score(X, y.subarray(1))).toThrow("one target per row (6), got 5");
    labels.set([0, 0, 0, 1, 1, 1]);
  }
});
