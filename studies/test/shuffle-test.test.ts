import { expect, test } from "vitest";
import type { AccuracyCurves } from "../src/shuffle-curves.ts";
import { pooledError } from "../src/shuffle-test.ts";

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
test("errors are pooled over rankings, those of one and the same walk once, those of random orders never", () => {
  expect(pooledError(curves)).toBeCloseTo(Math.sqrt((0.03 ** 2 + 0.05 ** 2 + 0.01 ** 2) / 3), 12);
});
