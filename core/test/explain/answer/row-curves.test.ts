import { describe, expect, test } from "vitest";
import { rowCurves } from "../../../src/explain/answer/row-curves.ts";

const chance = (odds: number) => 1 / (1 + Math.exp(-odds));
const odds = (p: number) => Math.log(p / (1 - p));
const values = [-2, -1, 0, 1, 2];
const rows = Array.from({ length: 11 }, (_, i) => i - 5);
/** One entry a value: what every row answers. */
const answers = (of: (row: number, value: number) => number) =>
  values.map((value) => Float64Array.from(rows, (row) => of(row, value)));
const meanOver = (of: (row: number) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0) / rows.length;

describe("numbers", () => {
  test("that add have bands without width, and all their movement in common", () => {
    const { mean, low, high, movement, common } = rowCurves(
      answers((row, value) => 3 * row + value ** 2),
      "number",
    );
    expect(mean).toEqual([4, 1, 0, 1, 4]);
    mean.forEach((height, at) => {
      expect(low[at]).toBeCloseTo(height, 12);
      expect(high[at]).toBeCloseTo(height, 12);
    });
    // The values 4, 1, 0, 1, 4 have the mean 2 and squares of deviations 4, 1, 4, 1, 4.
    expect(movement).toBeCloseTo(Math.sqrt(14 / 5), 12);
    expect(common).toBeCloseTo(1, 12);
  });

  test("whose slope another column decides part about a mean that stays", () => {
    const { mean, low, high, movement, common } = rowCurves(
      answers((row, value) => 100 * row + row * value),
      "number",
    );
    // Of the slopes −5 … 5, those at a tenth and nine tenths of the way are −4 and 4.
    values.forEach((value, at) => {
      expect(mean[at]).toBeCloseTo(0, 12);
      expect(low[at]).toBeCloseTo(-4 * Math.abs(value), 12);
      expect(high[at]).toBeCloseTo(4 * Math.abs(value), 12);
    });
    expect(movement).toBeCloseTo(Math.sqrt(10 * 2), 12); // mean squares of slopes and of values
    expect(common).toBeCloseTo(0, 12);
  });

  test("that do nothing move nowhere", () => {
    const { movement, common } = rowCurves(
      answers((row) => row),
      "number",
    );
    expect([movement, common]).toEqual([0, 1]);
  });
});

describe("probabilities", () => {
  test("whose log-odds add have bands without width, however near they come to one", () => {
    const of = (row: number, value: number) => chance(1.5 * row + 2 * value);
    const { mean, low, high, common } = rowCurves(answers(of), "probability");
    values.forEach((value, at) => {
      expect(mean[at]).toBeCloseTo(
        meanOver((row) => of(row, value)),
        12,
      );
      expect(low[at]).toBeCloseTo(mean[at], 9);
      expect(high[at]).toBeCloseTo(mean[at], 9);
    });
    expect(common).toBeCloseTo(1, 9);
  });

  test("move by log-odds: bands are where slopes put them, between 0 and 1", () => {
    const of = (row: number, value: number) => chance(3 + (1 + row / 5) * value);
    const { mean, low, high } = rowCurves(answers(of), "probability");
    values.forEach((value, at) => {
      // Slopes run from 0 to 2 about 1; those at a tenth and nine tenths are 0.2 and 1.8.
      expect(odds(low[at])).toBeCloseTo(odds(mean[at]) - 0.8 * Math.abs(value), 9);
      expect(odds(high[at])).toBeCloseTo(odds(mean[at]) + 0.8 * Math.abs(value), 9);
    });
    // Moved as they stand, the rows' curves would run above one.
    const asTheyStand = answers(of).map((answer) => {
      const own = rows.map((row) => values.reduce((sum, v) => sum + of(row, v) / values.length, 0));
      const height = mean.reduce((sum, value) => sum + value / mean.length, 0);
      return answer.map((value, i) => value - own[i] + height).toSorted()[9];
    });
    expect(Math.max(...asTheyStand)).toBeGreaterThan(1);
    expect(Math.max(...high)).toBeLessThan(1);
    expect(Math.min(...low)).toBeGreaterThan(0);
  });

  test("of exactly 0 and 1 stay finite", () => {
    const { low, high } = rowCurves(
      answers((row, value) => Number(row + value > 0)),
      "probability",
    );
    for (const bound of [...low, ...high]) {
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(1);
    }
  });
});
