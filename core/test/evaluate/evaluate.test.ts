import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accuracy,
  areaUnderRoc,
  averageRanks,
  bootstrap,
  median,
  quantile,
  rSquared,
  spearman,
} from "../../src/evaluate/index.ts";
import { stableOrder } from "../../src/evaluate/order.ts";
import { spearmanOfOrders } from "../../src/evaluate/ranks.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

describe("scores by what rows count", () => {
  const [y, predicted] = [
    [1, 2, 4, 9],
    [2, 2, 3, 5],
  ];

  test("are sums of weights: R² about the weighted mean, and the share of weight that is right", () => {
    // Σw = 8, ȳ = (3 + 2 + 8 + 18)/8 = 31/8; residual 3 + 0 + 2 + 32.
    const weights = [3, 1, 2, 2];
    const mean = 31 / 8;
    const total = y.reduce((sum, value, i) => sum + weights[i] * (value - mean) ** 2, 0);
    expect(rSquared(predicted, y, weights)).toBeCloseTo(1 - 37 / total, 14);
    expect(accuracy([0, 1, 1, 0], [0, 1, 0, 1], weights)).toBeCloseTo(4 / 8, 14);
    expect(() => rSquared(predicted, y, [1, 2])).toThrow("one weight per row (4)");
  });

  test("of whole weights are those of rows repeated, and of equal ones those without", () => {
    const weights = [2, 1, 0, 3];
    const again = weights.flatMap((count, i) => new Array<number>(count).fill(i));
    const at = (values: readonly number[]) => again.map((i) => values[i]);
    expect(rSquared(predicted, y, weights)).toBeCloseTo(rSquared(at(predicted), at(y)), 14);
    const [named, labels] = [
      [0, 1, 1, 2],
      [0, 1, 2, 2],
    ];
    expect(accuracy(named, labels, weights)).toBeCloseTo(accuracy(at(named), at(labels)), 14);
    expect(rSquared(predicted, y, [1, 1, 1, 1])).toBe(rSquared(predicted, y));
  });
});

describe("ranks", () => {
  test("ties share the average of the ranks they span", () => {
    expect([...averageRanks([10, 30, 10, 20, 10])]).toEqual([2, 5, 2, 4, 2]);
    expect([...averageRanks([3, Number.NaN, 1])]).toEqual([2, 0, 1]);
  });

  test("spearman sees any increasing map as 1 and a decreasing one as −1", () => {
    const x = [0.3, -2, 5, 1.1];
    expect(spearman(x, x.map(Math.exp))).toBeCloseTo(1, 14);
    expect(
      spearman(
        x,
        x.map((v) => -v),
      ),
    ).toBeCloseTo(-1, 14);
  });

  test("spearman with ties matches Pearson's correlation of the average ranks by hand", () => {
    // deviations (−1, −1, ½, 1½) and (−½, −1½, 1½, ½)
    expectClose([spearman([1, 1, 2, 3], [5, 4, 9, 7])], [3.5 / Math.sqrt(4.5 * 5)]);
    expectClose([spearman([1, 2, 2, 4], [4, 3, 3, 0])], [-1]);
    expect(spearman([1, 2, 2, 4], [0, 0, 0, 0])).toBeNaN();
  });

  test("spearman of orders is that of their values", () => {
    const draw = normals(keyFromSeed(1));
    const [a, b] = [1, 2].map((scale) =>
      Float64Array.from({ length: 50 }, () => Math.round(scale * draw())),
    );
    expect(spearmanOfOrders(stableOrder(a), stableOrder(b))).toBe(spearman(a, b));
    expect(spearman(a, b)).not.toBe(0);
  });
});

describe("roc", () => {
  const labelled = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(0, 1)), {
    minLength: 2,
    maxLength: 40,
  });

  test("the area is the share of pairs in order, a tie counting one half", () => {
    fc.assert(
      fc.property(labelled, (pairs) => {
        const scores = pairs.map(([s]) => s);
        const labels = pairs.map(([, l]) => l);
        const positives = scores.filter((_, i) => labels[i] === 1);
        const negatives = scores.filter((_, i) => labels[i] === 0);
        fc.pre(positives.length > 0 && negatives.length > 0);
        let wins = 0;
        for (const a of positives) for (const b of negatives) wins += a > b ? 1 : a === b ? 0.5 : 0;
        expectClose([areaUnderRoc(scores, labels)], [wins / positives.length / negatives.length], {
          atol: 1e-12,
        });
      }),
      { seed: 1 },
    );
  });

  test("one class alone is refused", () => {
    expect(() => areaUnderRoc([1, 2], [1, 1])).toThrow("needs both labels");
    expect(() => areaUnderRoc([1, Number.NaN], [1, 0])).toThrow("NaN");
  });
});

describe("bootstrap", () => {
  test("quantiles interpolate between order statistics", () => {
    expect(quantile([3, 1, 2], 0.25)).toBe(1.5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  test("the interval of a mean has the width that theory gives", () => {
    const next = normals(keyFromSeed(5));
    const values = Float64Array.from({ length: 400 }, next);
    const mean = (v: Float64Array) => v.reduce((s, x) => s + x, 0) / v.length;
    const { estimate, lower, upper, draws } = bootstrap(values, mean, { key: keyFromSeed(6) });
    const sd = Math.sqrt(mean(values.map((x) => (x - estimate) ** 2)) / values.length);
    expect(draws.length).toBe(2000);
    expectClose([upper - estimate, estimate - lower], [1.96 * sd, 1.96 * sd], { rtol: 0.1 });
  });

  test("the same key gives the same draws", () => {
    const run = (seed: number) => bootstrap([1, 2, 5, 9], median, { key: keyFromSeed(seed) });
    expect(run(1)).toEqual(run(1));
    expect(run(1).draws).not.toEqual(run(2).draws);
  });
});

describe("scores", () => {
  test("R² is 1 without error, 0 for the mean, negative for worse", () => {
    expect(rSquared([1, 2, 3], [1, 2, 3])).toBe(1);
    expect(rSquared([2, 2, 2], [1, 2, 3])).toBe(0);
    expectClose([rSquared([3, 2, 1], [1, 2, 3])], [-3]);
  });

  test("accuracy counts hits", () => {
    expect(accuracy([0, 1, 2, 1], [0, 1, 1, 1])).toBe(0.75);
  });

  test("log-loss is the mean −log probability of the true class", () => {});
});
