import { effectsFromFactor, keyFromSeed, matrix, normals, rate } from "@ratewise/core";
import { identity, multiplyVector } from "@ratewise/core/linalg";
import { describe, expect, test } from "vitest";
import { enrichedSets, hypergeometricTail } from "../../src/mice/enrichment.ts";
import { centredWithin, geneNulls } from "../../src/mice/gene-null.ts";
import { geneScore } from "../../src/mice/gene-score.ts";
import { type Gene, genesOf } from "../../src/mice/genes.ts";
import { genotypeRows, scalesOf } from "../../src/mice/genotype-rows.ts";
import { correlation } from "../../src/mice/network.ts";
import { type Mice, minorAlleleFrequencies } from "../../src/mice/read-mice.ts";

const variant = (chromosome: string, position: number) => ({
  ...{ chromosome, position, id: `${chromosome}:${position}` },
  ...{ allele1: "A", allele2: "G" },
});

test("genes hold the SNPs inside them; those with the same SNPs are one, those without are none", () => {
  const variants = [variant("1", 100), variant("1", 200), variant("2", 100), variant("1", 0)];
  const interval = (name: string, chromosome: string, start: number, end: number) => ({
    name,
    chromosome,
    start,
    end,
  });
  const genes = genesOf(variants, [
    interval("Late", "2", 50, 150),
    interval("Both", "1", 100, 200),
    interval("Again", "1", 90, 210),
    interval("First", "1", 1, 100),
    interval("Empty", "3", 1, 1000),
  ]);
  expect(genes.map(({ symbols, members }) => [symbols, members])).toEqual([
    [
      ["Both", "Again"],
      [0, 1],
    ],
    [["First"], [0]],
    [["Late"], [2]],
  ]);
  expect(genes[2].place).toEqual({ chromosome: "2", position: 100 });
});

describe("enrichment", () => {
  test("is the hypergeometric tail", () => {
    // 5 of 20 are marked, 4 are drawn: P(X ≥ 2) = 1 − C(15,4)/C(20,4) − 5·C(15,3)/C(20,4) = 1 − 1365/4845 − 2275/4845.
    expect(hypergeometricTail(20, 5, 4, 2)).toBeCloseTo(1 - 3640 / 4845, 12);
    expect(hypergeometricTail(20, 5, 4, 0)).toBe(1);
    expect(hypergeometricTail(20, 5, 4, 4)).toBeCloseTo(5 / 4845, 12);
    // 18 of 20 drawn: at least 3 of 5 marked come along.
    expect(hypergeometricTail(20, 5, 18, 3)).toBe(1);
  });

  test("counts a merged gene once, by any of its names in capitals", () => {
    const gene = (...symbols: string[]): Gene => ({
      name: symbols[0],
      symbols,
      members: [0],
      place: { chromosome: "1", position: 1 },
    });
    const universe = [gene("Abc1", "Def2"), ...Array.from({ length: 30 }, (_, k) => gene(`G${k}`))];
    const sets = new Map([
      ["mine", new Set(["ABC1", "DEF2", "ELSEWHERE"])],
      ["other", new Set(["G1", "G2", "G3"])],
      ["absent", new Set(["NOTHING"])],
    ]);
    const [first, second, ...none] = enrichedSets([universe[0], universe[5]], universe, sets);
    expect(first).toMatchObject({ set: "mine", overlap: 1, size: 1, genes: ["Abc1"] });
    expect(first.pValue).toBeCloseTo(2 / 31, 12);
    expect(first.qValue).toBeCloseTo(4 / 31, 12);
    expect(second).toMatchObject({ set: "other", overlap: 0, size: 3, pValue: 1 });
    expect(none).toEqual([]);
  });
});

/** 240 mice with 12 SNPs; the trait goes by the first of them, or by nothing. */
function smallStock(effect: number): { mice: Mice; rows: Uint32Array; y: Float64Array } {
  const next = normals(keyFromSeed(8));
  const n = 240;
  const variants = Array.from({ length: 12 }, (_, v) => variant("1", 1000 * (v + 1)));
  const genotypes = Int8Array.from(
    { length: 12 * n },
    () => Number(next() > 0) + Number(next() > 0),
  );
  const mice: Mice = {
    ...{ mice: n, variants, genotypes, traits: new Map() },
    sex: { kind: "category", name: "sex", codes: new Int32Array(n), levels: ["F"] },
    cage: {
      ...{ kind: "category", name: "cage", levels: ["a", "b", "c"] },
      codes: Int32Array.from({ length: n }, (_, i) => i % 3),
    },
    litter: Array.from({ length: n }, (_, i) => `${i % 40}`),
  };
  const y = Float64Array.from({ length: n }, (_, i) => effect * genotypes[i] + next());
  return { mice, rows: Uint32Array.from({ length: n }, (_, i) => i), y };
}

test("genotypes are standardised by the mice asked for, and the rarer allele is counted", () => {
  const { mice } = smallStock(0);
  const rows = Uint32Array.of(3, 5, 8, 13, 21, 34);
  const X = genotypeRows(mice, rows, scalesOf(mice, rows));
  const column = Array.from(rows, (_, i) => X.data[i * 12 + 4]);
  expect(column.reduce((sum, x) => sum + x, 0)).toBeCloseTo(0, 5);
  expect(column.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(5, 5);
  const copies = Array.from(rows, (row) => mice.genotypes[4 * 240 + row]).reduce(
    (sum, g) => sum + g,
    0,
  );
  expect(minorAlleleFrequencies(mice, rows)[4]).toBeCloseTo(Math.min(copies, 12 - copies) / 12, 12);
});

test("what is centred within litters has mean 0 in each of them", () => {
  const data = Float64Array.of(1, 10, 3, 30, 5, 50, 9, 70);
  const { data: out } = centredWithin({ data, rows: 4, cols: 2 }, ["a", "b", "a", "b"]);
  expect([...out]).toEqual([-2, -20, -3, -20, 2, 20, 3, 20]);
  expect(data[0]).toBe(1);
});

test("correlation is Pearson's, and 0 of a constant", () => {
  expect(correlation(Float64Array.of(1, 2, 3), Float64Array.of(2, 4, 7))).toBeCloseTo(
    0.9933992677987828,
    12,
  );
  expect(correlation(Float64Array.of(1, 1, 1), Float64Array.of(2, 4, 7))).toBe(0);
});

test("rows of genes have the lengths that groupRATE has", () => {
  const next = normals(keyFromSeed(4));
  const factor = matrix(7, 3, Float64Array.from({ length: 21 }, next));
  const noise = Float64Array.from({ length: 7 }, () => 0.1 + next() ** 2);
  const genes = [[0, 1], [2], [3, 4, 5, 6]].map(
    (members): Gene => ({
      name: `${members}`,
      symbols: [],
      members,
      place: { chromosome: "1", position: 1 },
    }),
  );
  const y = Float64Array.of(0.5, -1, 2);
  const mean = multiplyVector(factor, y);
  const { groups } = rate(effectsFromFactor(mean, factor, { noise }), { groups: genes });
  const { weights, unit } = geneScore(
    effectsFromFactor(mean, factor, { noise }),
    genes,
    identity(3),
  );
  const lengths = [0, 0, 0];
  multiplyVector(weights, y).forEach((value, r) => {
    lengths[unit[r]] += value ** 2;
  });
  lengths.forEach((length, g) => {
    expect(length).toBeCloseTo(groups!.kld[g], 10);
  });
});

test("the null finds the gene that the trait goes by, among all mice and within litters, and nothing without an effect", async () => {
  const genes = Array.from(
    { length: 6 },
    (_, g): Gene => ({
      ...{ name: `G${g}`, symbols: [`G${g}`], members: [2 * g, 2 * g + 1] },
      place: { chromosome: "1", position: 1 },
    }),
  );
  const nullsOf = (effect: number) => {
    const { mice, ...traitRows } = smallStock(effect);
    return geneNulls(mice, traitRows, genes, {
      key: keyFromSeed(1),
      epochs: 40,
      permutations: 999,
    });
  };
  const found = await nullsOf(1);
  for (const { pValues, qValues } of [found.all, found.litter]) {
    expect(pValues[0]).toBeLessThanOrEqual(0.01);
    expect(qValues[0]).toBeLessThanOrEqual(0.1);
    expect(pValues[0]).toBe(Math.min(...pValues));
  }
  const nothing = await nullsOf(0);
  expect(Math.min(...nothing.all.qValues)).toBeGreaterThan(0.1);
});
