import { describe, expect, test } from "vitest";
import { curveShape } from "../../../src/explain/answer/curve-shape.ts";
import { rowCurves } from "../../../src/explain/answer/row-curves.ts";

describe("a curve that all rows have in common", () => {
  test.each([
    ["flat", [1, 1.01, 1, 0.99]],
    ["rises", [0, 1, 2, 1.95, 4]],
    ["falls", [4, 2, 2.05, 0]],
    ["rises, then falls", [0, 2, 3, 1, 0]],
    ["falls, then rises", [3, 1, 0, 0.05, 2]],
    ["goes up and down", [0, 3, 0, 3, 0]],
  ] as const)("is called by its name when it %s", (shape, mean) => {
    expect(curveShape({ mean, movement: 1, common: 1 }, 1)).toBe(shape);
  });

  test("is flat when it explains less than a 400th of the predictions' variance", () => {
    const mean = [-1, 1];
    expect(curveShape({ mean, movement: 1, common: 1 }, 19)).toBe("rises");
    expect(curveShape({ mean, movement: 1, common: 1 }, 21)).toBe("flat");
  });
});

describe("a variable that acts only together with another", () => {
  const rows = Array.from({ length: 101 }, (_, i) => (i - 50) / 25);
  const values = Array.from({ length: 20 }, (_, i) => (i - 9.5) / 5);
  const product = (ownSlope: number, spread = 1) => {
    const answers = values.map((value) =>
      Float64Array.from(rows, (row) => row * value + ownSlope * value),
    );
    return curveShape(rowCurves(answers, "number"), spread);
  };

  test("has no direction, though its mean curve leans a little", () => {
    expect(product(0)).toBe("depends on others");
    expect(product(0.3)).toBe("depends on others");
    expect(product(-0.3)).toBe("depends on others");
  });

  test("has one as soon as a tenth of what it does is the same in every row", () => {
    // Slopes of rows have the variance 1.36, so that s²/(s² + 1.36) passes a tenth at s = 0.389.
    expect(product(0.38)).toBe("depends on others");
    expect(product(0.4)).toBe("rises");
    expect(product(-0.4)).toBe("falls");
  });

  test("is flat where it does nothing to speak of", () => {
    expect(product(0, 100)).toBe("flat");
  });
});
