import { expect, test } from "vitest";
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

test("the region of Apoa2 is marked for HDL alone, and a figure of sets has the first fifteen", () => {
  const [along, some] = shown(0, 20);
  expect(along.svg).toContain(">around Apoa2<");
  expect(shown(1, 1)[0].svg).not.toContain("Apoa2");
  expect(some.caption).toContain("the first 15 of 20:");
  expect(some.svg).toContain("set 14");
  expect(some.svg).not.toContain("set 15");
  expect(shown(0, 0)).toHaveLength(1);
});

test("the table of genes has groupRATE's order", () => {
  const nulls = {
    all: { pValues: Float64Array.of(0.001, 0.02, 0.001, 1), qValues: new Float64Array(4) },
    litter: { pValues: Float64Array.of(0.1, 0.2, 0.3, 0.4) },
  };
  const result = {
    ...{ rate: Float64Array.of(0.15, 0.6, 0.05, 0.2), nulls, enriched: [], knockoffs: null },
  } as unknown as TraitResult;
  const [{ rows, columns }] = tablesOf(traitPlans[0], result, genes);
  expect(rows.map(([name]) => name)).toEqual(["Bb", "Dd", "Aa", "Cc"]);
  expect(rows.map((row) => row[columns.indexOf("p")])).toEqual([0.02, 1, 0.001, 0.001]);
  expect(rows.map((row) => row[columns.indexOf("p within litters")])).toEqual([0.2, 0.4, 0.1, 0.3]);
});
