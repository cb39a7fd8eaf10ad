import { expect, test } from "vitest";
import { dataFolder, runStudy, studies } from "../src/index.ts";
import { genesOf, readGeneIntervals, readGeneSets } from "../src/mice/genes.ts";
import { readMice } from "../src/mice/read-mice.ts";

const folder = process.env.RATEWISE_DATA;
if (!folder)
  throw new Error("RATEWISE_DATA is not set: name the folder with mice/, genes/, genesets/");
const data = dataFolder(folder, folder);
const mice = studies.find(({ name }) => name === "mice")!;
const options = { seed: 1, quick: true, permuted: false, data, cores: 2 };

test("the mice, their SNPs, litters and genes are as published", async () => {
  const stock = await readMice(data);
  expect([stock.mice, stock.variants.length]).toEqual([1814, 10_346]);
  const present = (name: string) => stock.traits.get(name)!.filter((value) => !Number.isNaN(value));
  expect(present("Obesity.BMI")).toHaveLength(1814);
  expect(present("Biochem.HDL")).toHaveLength(1594);
  expect(new Set(stock.sex.levels)).toEqual(new Set(["F", "M"]));
  const ends = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of stock.genotypes) {
    ends[0] = Math.min(ends[0], value);
    ends[1] = Math.max(ends[1], value);
  }
  expect(ends).toEqual([0, 2]);
  const genes = genesOf(stock.variants, await readGeneIntervals(data));
  expect(genes.length).toBeGreaterThan(3000);
  expect(genes.length).toBeLessThan(4700);
  expect(genes.some(({ symbols }) => symbols.includes("Nrg1"))).toBe(true);
  expect((await readGeneSets(data)).size).toBe(345);
});

test("the quick version predicts HDL in mice never seen and finds the region of Apoa2", async () => {
  const { document } = await runStudy(mice, options);
  expect(document.findings.filter(({ bar, holds }) => bar !== null && !holds)).toEqual([]);
  expect(document.findings.filter(({ holds }) => holds)).toHaveLength(3);
});

test("with permuted traits it misses its bars", async () => {
  const { document } = await runStudy(mice, { ...options, permuted: true });
  const missed = document.findings.filter(({ holds }) => holds === false).map(({ what }) => what);
  // All of them: a bar that a control reaches would prove nothing.
  expect(missed).toEqual([
    "HDL: correlation in held-out mice",
    "HDL: least p-value around Apoa2, against permuted traits",
    "HDL: genes at q ≤ 0.1, against permuted traits",
  ]);
});
