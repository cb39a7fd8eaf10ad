import { expect, test } from "vitest";
import { centralQuantile, correctedInterval } from "../../src/tables/corrected-interval.ts";

test("central quantiles are those of Student's distribution", () => {
  expect(centralQuantile(1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 9); // Cauchy
  expect(centralQuantile(2)).toBeCloseTo(0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)), 9);
  // Printed tables of t at 0.975.
  expect(centralQuantile(3)).toBeCloseTo(3.182446, 6);
  expect(centralQuantile(4)).toBeCloseTo(2.776445, 6);
  expect(centralQuantile(19)).toBeCloseTo(2.093024, 6);
  expect(centralQuantile(30)).toBeCloseTo(2.042272, 6);
});

test("an interval is as wide as the shared rows make it", () => {
  const { mean, half } = correctedInterval([0, 0.2], { train: 70, test: 30 });
  expect(mean).toBeCloseTo(0.1, 12);
  expect(half).toBeCloseTo(Math.tan(0.475 * Math.PI) * Math.sqrt((1 / 2 + 30 / 70) * 0.02), 9);
  const twenty = Array.from({ length: 20 }, (_, k) => (k % 2 === 0 ? 0.01 : 0.03));
  const wide = correctedInterval(twenty, { train: 70, test: 30 });
  expect(wide.mean).toBeCloseTo(0.02, 12);
  expect(wide.half).toBeCloseTo(2.093024 * Math.sqrt((1 / 20 + 3 / 7) * (0.002 / 19)), 7);
});

test("equal differences leave no doubt, a single one has no interval", () => {
  expect(correctedInterval([0.3, 0.3, 0.3], { train: 2, test: 1 }).half).toBeCloseTo(0, 12);
  expect(correctedInterval([-0.4], { train: 2, test: 1 })).toEqual({
    mean: -0.4,
    half: Number.NaN,
  });
});
