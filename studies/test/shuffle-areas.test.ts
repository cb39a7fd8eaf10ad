import { expect, test } from "vitest";
import { areaText, comparedAreas, comparedText, fallsBeside } from "../src/compared-areas.ts";
import type { AccuracyCurves } from "../src/shuffle-curves.ts";
import { studentWithin } from "../src/student.ts";

test("Student's points are those of the tables", () => {
  const points = [1, 2, 3, 5, 7, 8, 10, 30].map((degrees) => studentWithin(0.95, degrees));
  const printed = [12.706, 4.303, 3.182, 2.571, 2.365, 2.306, 2.228, 2.042];
  for (const [k, point] of points.entries()) expect(point).toBeCloseTo(printed[k], 3);
  expect(studentWithin(0.99, 4)).toBeCloseTo(4.604, 3);
  // Cauchy's distribution: half of it lies within 1.
  expect(studentWithin(0.5, 1)).toBeCloseTo(1, 12);
});

const curve = (name: string, area: number, areaStandardError: number) => ({
  ...{ name, area, areaStandardError },
  scores: [area],
});
const curves: AccuracyCurves = {
  counts: [0],
  curves: [
    curve("a", 0.5, 0.03),
    curve("b", 0.6, 0.05),
    curve("c", 0.7, 0.01),
    curve("c again", 0.7, 0.01),
    curve("random", 0.9, 0.02),
  ],
};
const walked = { repeats: 3, randomOrders: 4 };

test("errors are pooled over rankings, those of one and the same walk once; random orders have their own", () => {
  const areas = comparedAreas(curves, walked);
  const pooled = Math.sqrt((0.03 ** 2 + 0.05 ** 2 + 0.01 ** 2) / 3);
  for (const name of ["a", "b", "c", "c again"])
    expect(areas.get(name)).toMatchObject({ error: expect.closeTo(pooled, 12), degrees: 6 });
  expect(areas.get("random")).toMatchObject({ error: 0.02, degrees: 3 });
  expect(areaText(areas.get("a")!)).toBe("0.5000 ± 0.0342");
});

test("areas are told apart by Student's t, with the fewer degrees of freedom of the two", () => {
  const of = (area: number, degrees: number) => ({ name: "", area, error: 0.03, degrees });
  // √2·0.03 times 2.447 (6 degrees) is 0.1038, times 3.182 (3 degrees) 0.1350.
  expect(fallsBeside(of(0.5, 6), of(0.6, 6))).toBe("as fast as");
  expect(fallsBeside(of(0.5, 6), of(0.61, 6))).toBe("faster than");
  expect(fallsBeside(of(0.61, 6), of(0.5, 6))).toBe("more slowly than");
  expect(fallsBeside(of(0.5, 6), of(0.61, 3))).toBe("as fast as");
  // Two of its own two shuffles' errors would have told these apart.
  expect(fallsBeside(of(0.5, 1), of(0.7, 1))).toBe("as fast as");
  const text = comparedText({ "": comparedAreas(curves, walked) });
  expect(text).toContain("degrees of freedom: 6;");
  expect(text).toContain("for random orders their own (3)");
  expect(text).toContain("between rankings 2.45");
});
