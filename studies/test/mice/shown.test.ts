import { expect, test } from "vitest";
import { setsOnArray } from "../../src/mice/enrichment.ts";
import type { Gene } from "../../src/mice/genes.ts";
import { figuresOf } from "../../src/mice/shown.ts";
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
