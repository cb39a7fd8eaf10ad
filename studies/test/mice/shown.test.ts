import { expect, test } from "vitest";
import { setsOnArray } from "../../src/mice/enrichment.ts";
import type { Gene } from "../../src/mice/genes.ts";
import { figuresOf, tablesOf } from "../../src/mice/shown.ts";
import type { TraitResult } from "../../src/mice/trait.ts";
import { traitPlans } from "../../src/mice/trait-plan.ts";

const genes = ["Aa", "Bb", "Cc", "Dd"].map((name, g) => ({
  ...{ name, symbols: [name], members: [g] },
  place: { chromosome: "1", position: 50e6 * (g + 1) },
})) as unknown as Gene[];

const shown = (trait: 0 | 1, sets: number) =>
  figuresOf(
    traitPlans[trait],
    {
      rate: Float64Array.of(0.15, 0.6, 0.05, 0.2),
      enriched: Array.from({ length: sets }, (_, s) => ({
        ...{ set: `set ${s}`, genes: ["Bb"], qValue: 0.01, pValue: 0.01, overlap: 1, size: 1 },
      })),
      ...{ mimics: null, mimicSets: null },
    } as unknown as TraitResult,
    genes,
  );

test("captions name the first genes with their shares, 1/G, and the region of Apoa2 for HDL", () => {
  const [along] = shown(0, 1);
  expect(along.caption).toContain("First are Bb (60%), Dd (20%), Aa (15%);");
  expect(along.caption).toContain("1/G (25%), the band is the region of Apoa2 (chromosome 1, 166");
  expect(along.svg).toContain(">around Apoa2<");
  const [other] = shown(1, 1);
  expect(other.caption + other.svg).not.toContain("Apoa2");
});

test("a figure of sets says of how many it has the first", () => {
  const [, some] = shown(0, 3);
  expect(some.caption).toMatch(/^Sets of dbGaP with q < 0\.05/);
  const [, first] = shown(0, 20);
  expect(first.caption).toMatch(/^The first 15 of 20 sets of dbGaP/);
  expect(first.svg).toContain("set 14");
  expect(first.svg).not.toContain("set 15");
});

test("sets are tested that hold a gene of the array", () => {
  const sets = new Map([
    ["one", new Set(["AA", "ELSEWHERE"])],
    ["none", new Set(["ELSEWHERE"])],
    ["two", new Set(["BB", "CC"])],
  ]);
  expect(setsOnArray(genes, sets)).toBe(2);
});

test("the table of genes has groupRATE's order, and says for how many p is at its floor", () => {
  const table = (pValues: readonly number[]) =>
    tablesOf(
      traitPlans[0],
      {
        rate: Float64Array.of(0.15, 0.6, 0.05, 0.2),
        nulls: {
          all: { pValues: Float64Array.from(pValues), qValues: new Float64Array(4) },
          litter: { pValues: Float64Array.of(0.1, 0.2, 0.3, 0.4) },
        },
        ...{ enriched: [], knockoffs: null },
      } as unknown as TraitResult,
      genes,
      999,
    )[0];
  const { title, rows, columns } = table([0.001, 0.02, 0.001, 1]);
  expect(title).toBe("HDL: genes first by groupRATE; p is at its floor of 1/1,000 for 2 of 4");
  expect(rows.map(([name]) => name)).toEqual(["Bb", "Dd", "Aa", "Cc"]);
  expect(rows.map((row) => row[columns.indexOf("p")])).toEqual([0.02, 1, 0.001, 0.001]);
  expect(rows.map((row) => row[columns.indexOf("p within litters")])).toEqual([0.2, 0.4, 0.1, 0.3]);
  expect(table([0.002, 0.02, 0.3, 1]).title).toBe("HDL: genes first by groupRATE");
});
