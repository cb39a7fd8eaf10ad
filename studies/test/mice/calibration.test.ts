import { keyFromSeed, normals } from "@ratewise/core";
import { expect, test } from "vitest";
import { traitResiduals } from "../../src/mice/covariates.ts";
import type { Mice } from "../../src/mice/read-mice.ts";
import { permutedMice, refitTest } from "../../src/mice/refits.ts";
import { regionsOf, selectRegions } from "../../src/mice/region-knockoffs.ts";

const MICE = 300;
/** Stretches of 5 Mb, with SNPs of which the second follows the first. */
const STRETCHES = 30;

/** The trait goes by the first SNP of each of the first `causes` stretches, by cage and by sex. */
function stock(causes: number): Mice {
  const next = normals(keyFromSeed(2));
  const coin = (): number => Number(next() > 0);
  const variants = Array.from({ length: 3 * STRETCHES }, (_, v) => ({
    ...{ chromosome: "1", position: 5_000_000 * Math.floor(v / 3) + 1000 * ((v % 3) + 1) },
    ...{ id: `${v}`, allele1: "A", allele2: "G" },
  }));
  const genotypes = new Int8Array(variants.length * MICE);
  variants.forEach((_, v) => {
    for (let i = 0; i < MICE; i++)
      genotypes[v * MICE + i] = v % 3 === 1 ? genotypes[(v - 1) * MICE + i] : coin() + coin();
  });
  const category = (name: string, levels: string[]) => ({
    ...({ kind: "category", name, levels } as const),
    codes: Int32Array.from(
      { length: MICE },
      (_, i) => (i >> (name === "sex" ? 0 : 1)) % levels.length,
    ),
  });
  const sex = category("sex", ["F", "M"]);
  const cage = category("cage", ["a", "b", "c"]);
  const trait = Float64Array.from({ length: MICE }, (_, i) => {
    let sum = 0.5 * next() + sex.codes[i] + 2 * cage.codes[i];
    for (let c = 0; c < causes; c++) sum += genotypes[3 * c * MICE + i];
    return sum;
  });
  return {
    ...{ mice: MICE, variants, genotypes, sex, cage, traits: new Map([["t", trait]]) },
    litter: Array.from({ length: MICE }, (_, i) => `${i % 60}`),
  };
}

const rows = Uint32Array.from({ length: MICE }, (_, i) => i);

test("residuals have no mean left in what was taken out, sex always", () => {
  const mice = stock(0);
  const meanOf = (values: Float64Array, codes: Int32Array, level: number): number => {
    const own = values.filter((_, i) => codes[i] === level);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  };
  const alone = traitResiduals(mice, "t", []);
  expect(meanOf(alone.values, mice.sex.codes, 1)).toBeCloseTo(0, 10);
  expect(Math.abs(meanOf(alone.values, mice.cage.codes, 2))).toBeGreaterThan(1);
  const less = traitResiduals(mice, "t", ["cage"]);
  expect(meanOf(less.values, mice.cage.codes, 2)).toBeCloseTo(0, 10);
  expect(less.explained).toBeGreaterThan(alone.explained + 0.3);
  const litters = traitResiduals(mice, "t", ["litter"]);
  const first = litters.values.filter((_, i) => i % 60 === 0);
  expect(first.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 10);
});

test("traits change places among all, or within litters only", () => {
  const labels = ["a", "b", "a", "b", "a", "c"];
  const within = permutedMice(keyFromSeed(3), labels);
  expect([...within].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  within.forEach((from, to) => {
    expect(labels[from]).toBe(labels[to]);
  });
  const orders = Array.from({ length: 20 }, (_, s) => permutedMice(keyFromSeed(s), labels).join());
  expect(new Set(orders).size).toBeGreaterThan(3);
  const all = Array.from({ length: 20 }, (_, s) => permutedMice(keyFromSeed(s), 6)[5]);
  expect(new Set(all).size).toBeGreaterThan(1);
});

test("a refit test counts the refits with as much", () => {
  const of = (...kld: number[]) => ({
    kld: Float64Array.from(kld),
    rate: Float64Array.from(kld, (value) => value / kld.reduce((sum, each) => sum + each, 0)),
  });
  const found = refitTest(of(9, 2, 1), [of(1, 2, 3), of(2, 1, 4), of(3, 1, 0)], 0.3);
  expect([...found.pValues]).toEqual([1 / 4, 2 / 4, 3 / 4]);
  expect([found.aboveAll, found.expected, found.refits]).toEqual([1, 3 / 4, 3]);
  expect(found.found).toBe(0);
  // 9/12, 2/12, 1/12 beside thirds: by shares the first again.
  expect(refitTest(of(9, 2, 1), [of(1, 2, 3), of(2, 1, 4), of(3, 1, 0)], 0.75).found).toBe(3);
});

test("regions keep one of SNPs that follow each other, and skip those without a place", () => {
  const mice = stock(0);
  const regions = regionsOf(mice, rows);
  expect(regions).toHaveLength(STRETCHES);
  expect(regions[4]).toEqual({
    ...{ chromosome: "1", from: 20_000_000, to: 25_000_000, tags: [12, 14] },
  });
  const lost = mice.variants.map((variant, v) => (v < 3 ? { ...variant, position: 0 } : variant));
  expect(regionsOf({ ...mice, variants: lost }, rows)).toHaveLength(STRETCHES - 1);
});

test("knockoffs select the stretches that the trait goes by, and nothing of a trait by chance", async () => {
  const causes = 12;
  const select = async (mice: Mice) => {
    const { values } = traitResiduals(mice, "t", ["cage"]);
    return selectRegions(mice, { rows, y: values }, regionsOf(mice, rows), {
      key: keyFromSeed(1),
      epochs: 60,
      fdr: 0.1,
    });
  };
  const found = await select(stock(causes));
  const selected = [...found.qValues.keys()].filter((r) => found.qValues[r] <= 0.1);
  expect(selected.filter((r) => r < causes).length).toBeGreaterThanOrEqual(10);
  expect(selected.filter((r) => r >= causes).length).toBeLessThanOrEqual(2);
  const nothing = await select(stock(0));
  expect(nothing.qValues.filter((q) => q <= 0.1)).toHaveLength(0);
}, 60_000);
