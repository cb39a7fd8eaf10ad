import { expect, test } from "vitest";
import { summarise } from "../../src/hidden/summary.ts";
import { NO_SET, namedUnits, wiringOf } from "../../src/hidden/wiring.ts";
import type { Gene } from "../../src/mice/genes.ts";
import { orderOf, placeOf } from "../../src/ranking.ts";

const gene = (name: string, members: readonly number[], position = 1): Gene => ({
  name,
  symbols: [name],
  members,
  place: { chromosome: "1", position },
});
const genes = ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg"].map((name, g) =>
  gene(name, [2 * g, 2 * g + 1]),
);
const sets = new Map([
  ["five", new Set(["AA", "BB", "CC", "DD", "EE"])],
  ["four", new Set(["AA", "BB", "CC", "FF"])],
  ["six", new Set(["BB", "CC", "DD", "EE", "FF", "NOT ON THE ARRAY"])],
]);

test("SNPs are joined to their genes, genes to sets of five or more, and the rest to a unit of their own", () => {
  const { sets: units, snpToGene, geneToSet } = wiringOf(genes, sets);
  expect(units).toEqual([
    { name: "five", members: [0, 1, 2, 3, 4] },
    { name: "six", members: [1, 2, 3, 4, 5] },
    { name: NO_SET, members: [6] },
  ]);
  expect([...snpToGene.from]).toEqual(Array.from({ length: 14 }, (_, snp) => snp));
  expect([...snpToGene.to]).toEqual(Array.from({ length: 14 }, (_, snp) => Math.floor(snp / 2)));
  const pairs = Array.from(geneToSet.from, (g, c) => `${g}-${geneToSet.to[c]}`);
  expect(pairs).toEqual("0-0 1-0 1-1 2-0 2-1 3-0 3-1 4-0 4-1 5-1 6-2".split(" "));
});

test("with stand-ins sets keep their sizes and lose their genes", () => {
  const { sets: units } = wiringOf(genes, sets, [6, 5, 4, 3, 2, 1, 0]);
  expect(units.map(({ members }) => members)).toEqual([[2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [0]]);
});

test("sets are ranked without the unit of genes in none", () => {
  const { sets: named, rest, ofSets, ofRest } = namedUnits(wiringOf(genes, sets));
  expect(named.map(({ name }) => name)).toEqual(["five", "six"]);
  expect(rest?.members).toEqual([6]);
  const shares = Float64Array.of(0.2, 0.3, 0.5);
  expect([...ofSets(shares)]).toEqual([0.2, 0.3]);
  expect(ofRest(shares)).toBe(0.5);
  const all = namedUnits(wiringOf(genes.slice(0, 6), sets));
  expect([all.rest, all.ofRest(shares)]).toEqual([null, 0]);
});

test("places count from the largest", () => {
  const shares = Float64Array.of(0.1, 0.4, 0.1, 0.3);
  expect([0, 1, 2, 3].map((at) => placeOf(shares, at))).toEqual([3, 1, 3, 2]);
  expect(orderOf(shares)).toEqual([1, 3, 0, 2]);
});

test("a summary sets real beside exchanged sets, split by split", () => {
  const placed = genes.map(({ name, members }, g) =>
    gene(name, g === 0 ? members.slice(0, 1) : members, g === 5 ? 170_000_000 : 1),
  );
  const wiring = wiringOf(placed, sets);
  const result = (correlation: number, ofSets: number[]) => ({
    correlation,
    levels: {
      genes: Float64Array.of(1, 2, 3, 4, 5, 6, 7),
      groups: Float64Array.of(7, 6, 5, 4, 3, 2, 1),
      sets: Float64Array.from(ofSets),
    },
  });
  const splits = [
    { real: result(0.6, [3, 2, 1]), exchanged: result(0.5, [1, 2, 3]) },
    { real: result(0.4, [3, 2, 1]), exchanged: result(0.1, [1, 2, 3]) },
  ];
  const found = summarise(wiring.sets, placed, splits, splits[0].real.levels, "five");
  expect(found.real).toEqual({ mean: 0.5, error: expect.closeTo(0.1, 12) });
  expect(found.difference.mean).toBeCloseTo(0.2, 12);
  expect(found.difference.error).toBeCloseTo(0.1, 12);
  expect(found.genes.withGroups).toBeCloseTo(-1, 12);
  expect(found.genes.withSize.units).toBeGreaterThan(0);
  expect(found.genes.withSize.groups).toBeLessThan(0);
  expect(found.genes.apoa2).toEqual({ units: 2, groups: 6 });
  expect(found.sets.own).toEqual({ real: 1, exchanged: 3 });
  expect(found.sets.between.real).toBeCloseTo(1, 12);
  expect(found.sets.between.crossed).toBeCloseTo(-1, 12);
});
