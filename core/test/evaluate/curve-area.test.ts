import { describe, expect, test } from "vitest";
import { areaUnderCurve } from "../../src/evaluate/index.ts";

describe("areaUnderCurve", () => {
  test("of a straight line it is the height in the middle, however the points are spaced", () => {
    const line = (x: number) => 3 - x / 4;
    for (const x of [
      [0, 8],
      [0, 1, 8],
      [0, 5, 6, 7, 8],
      [0, 2, 4, 6, 8],
    ])
      expect(areaUnderCurve(x, x.map(line))).toBeCloseTo(2, 12);
  });

  test("of a triangle and of a step it is what geometry says, and the ends count half", () => {
    expect(areaUnderCurve([0, 1, 4], [0, 2, 0])).toBeCloseTo(1, 12);
    expect(areaUnderCurve([0, 1, 2], [1, 1, 0])).toBeCloseTo(0.75, 12);
    expect(areaUnderCurve([10, 11, 12, 13], [1, 0, 0, 1])).toBeCloseTo(1 / 3, 12);
  });

  test("of x² at many points it comes near the integral, with the error of the rule", () => {
    const points = 41;
    const x = Array.from({ length: points }, (_, k) => k / (points - 1));
    // 1/3, and the trapezoids of a parabola are too large by h²/6.
    expect(
      areaUnderCurve(
        x,
        x.map((at) => at * at),
      ),
    ).toBeCloseTo(1 / 3 + 1 / (6 * 40 * 40), 12);
  });

  test("a single point is its own mean; points that do not grow, or do not match, are refused", () => {
    expect(areaUnderCurve([2], [0.7])).toBe(0.7);
    expect(() => areaUnderCurve([0, 1], [1])).toThrow("areaUnderCurve: needs one y for every x");
    expect(() => areaUnderCurve([], [])).toThrow("at least one");
    expect(() => areaUnderCurve([0, 1, 1], [1, 1, 1])).toThrow("needs x that grow, got 1 after 1");
  });
});
