import { expect, test } from "vitest";
import { coverage } from "../src/calibration/coverage.ts";
import { modelHolds } from "../src/calibration/model-holds.ts";
import { coverageTable, summariseCoverage } from "../src/calibration/summary.ts";

test("coverage counts what lies within 1.645 standard deviations", () => {
  const mean = Float64Array.of(0, 0, 0, 0);
  const variance = Float64Array.of(1, 1, 4, 4);
  expect(coverage(mean, variance, Float64Array.of(1.64, -1.65, 3.28, -3.3))).toBe(0.5);
});

test("where the model holds, intervals hold the truth about as often as they say", async () => {
  const rows = [...(await modelHolds(101)), ...(await modelHolds(102))];
  expect(await modelHolds(101)).toEqual(rows.slice(0, rows.length / 2));
  const average = rows.reduce((sum, row) => sum + row.coverage / rows.length, 0);
  // Two data sets: each coverage scatters by about a tenth.
  expect(average).toBeGreaterThan(0.78);
  expect(average).toBeLessThan(0.98);
  expect(new Set(rows.map(({ posterior }) => posterior)).size).toBe(10);
});

test("a summary has the mean over seeds and its standard error", () => {
  const row = (seed: number, share: number) =>
    ({ setting: "model holds", posterior: "p", of: "f", seed, coverage: share }) as const;
  const [summary] = summariseCoverage([row(1, 0.8), row(2, 1)]);
  expect(summary).toMatchObject({ seeds: 2, mean: 0.9 });
  expect(summary.standardError).toBeCloseTo(0.1, 12);
  expect(coverageTable([summary]).rows[0].slice(3)).toEqual(["90.0% ± 10.0", 2]);
});
