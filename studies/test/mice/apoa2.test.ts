import { expect, test } from "vitest";
import { apoa2 } from "../../src/mice/apoa2.ts";
import type { Gene } from "../../src/mice/genes.ts";

test("the region of Apoa2 stands beside all genes and beside other runs of neighbours", () => {
  const place = (chromosome: string, position: number) =>
    ({ place: { chromosome, position } }) as Gene;
  const placed = [
    ...[10e6, 20e6, 30e6, 170e6, 171e6].map((position) => place("1", position)),
    ...[10e6, 20e6, 30e6].map((position) => place("2", position)),
  ];
  const qValues = Float64Array.of(0.5, 0.01, 0.02, 0.01, 0.03, 0.01, 0.5, 0.5);
  // Two of two where five of eight are: (5 · 4)/(8 · 7). Pairs elsewhere: 0-1, 1-2 of chromosome 1, two of chromosome 2.
  expect(apoa2({ pValues: qValues, qValues }, placed)).toEqual({
    ...{ genes: 2, hits: 2, least: 0.01, allHits: 5, pValue: expect.closeTo(20 / 56, 12) },
    ...{ runs: 4, runsAlike: 1 },
  });
});
