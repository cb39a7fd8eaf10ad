import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "@ratewise/core";
import { multiplyGenotypes } from "@ratewise/core/compute";
import { type NumberColumn, readBed } from "@ratewise/core/data";
import { diagnosticOf } from "@ratewise/core/diagnostic";
import { gunzip } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import { readTableFile } from "../src/input/read-table.ts";
import { nodeIo } from "../src/node-io.ts";
import { readData } from "../src/options/data-options.ts";
import { run } from "./support/run.ts";

const folder = process.env.RATEWISE_DATA;
if (!folder)
  throw new Error("RATEWISE_DATA is not set: name the folder with mice/, mnist/, imdb/, genes/");
const at = (...parts: string[]): string => join(folder, ...parts);
const io = { ...nodeIo(), err: () => {} };
const numbers = (table: Table, j: number): Float64Array =>
  (table.columns[j] as NumberColumn).values;
const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

describe("heterogeneous stock mice", () => {
  const bed = at("mice", "hs_mice.bed");
  const pheno = at("mice", "hs_mice.pheno.tsv");

  test("1,814 × 10,346 genotypes without a gap, and the sums of the two-bit kernel", async () => {
    const { table, genotypes } = await readTableFile(bed, io);
    expect([table.rows, table.columns.length]).toEqual([1814, 10346]);
    const block = readBed(new Uint8Array(readFileSync(bed)), 1814, 10346);
    const { sum, missing } = multiplyGenotypes(block, new Float64Array(1814).fill(1), 1);
    for (let j = 0; j < 10346; j++) expect(total(numbers(table, j))).toBe(sum[j]);
    expect(total(missing)).toBe(0);
    // As the map has it: SNPs without a position, and the first one's alleles.
    const map = readFileSync(at("mice", "hs_mice.snpmap.tsv"), "utf8")
      .trimEnd()
      .split("\n")
      .slice(1);
    const fields = map.map((line) => line.split("\t"));
    expect(
      genotypes!.variants.map(({ id, position, allele1 }) => [id, `${position}`, allele1]),
    ).toEqual(fields.map(([snp, , , bp, , , , counted]) => [snp, bp, counted]));
    expect(genotypes!.variants.filter(({ position }) => position === 0)).toHaveLength(66);
  });

  test("phenotypes are matched by FID and IID; sex is taken out of BMI", async () => {
    const hdl = await readData(bed, { pheno, trait: "Biochem.HDL" }, io);
    const values = numbers(hdl.table, 10346);
    expect(values.filter((value) => !Number.isNaN(value))).toHaveLength(1594);
    const lines = readFileSync(pheno, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    const column = lines[0].indexOf("Biochem.HDL");
    const byId = new Map(
      lines.slice(1).map((line) => [`${line[0]} ${line[1]}`, Number(line[column])]),
    );
    const fam = readFileSync(at("mice", "hs_mice.fam"), "utf8").trimEnd().split("\n");
    expect([...values]).toEqual(
      fam.map((line) => byId.get(line.split(/\s+/).slice(0, 2).join(" "))),
    );

    const bmi = await readData(bed, { pheno, trait: "Obesity.BMI", covariates: "GENDER" }, io);
    const residuals = numbers(bmi.table, 10346);
    const sex = lines[0].indexOf("GENDER");
    const male = new Map(lines.slice(1).map((line) => [`${line[0]} ${line[1]}`, line[sex]]));
    const means = new Map<string, [number, number]>();
    fam.forEach((line, i) => {
      const level = male.get(line.split(/\s+/).slice(0, 2).join(" "))!;
      const [sum, count] = means.get(level) ?? [0, 0];
      means.set(level, [sum + residuals[i], count + 1]);
    });
    // Residuals of a category have mean 0 in each level.
    for (const [sum, count] of means.values()) expect(Math.abs(sum / count)).toBeLessThan(1e-12);
    expect(diagnosticOf(bmi.diagnostics, "covariates-regressed-out")!.explained).toBeGreaterThan(
      0.05,
    );
  });

  test("genes by place, as counted one by one", async () => {
    const genes = at("genes", "ensembl102_genes_grcm38.tsv.gz");
    const argv = [
      "--pheno",
      pheno,
      "--trait",
      "Biochem.HDL",
      "--groups",
      genes,
      "--window",
      "50k",
      "--json",
    ];
    const { code, out } = await run(["inspect", bed, ...argv]);
    expect(code).toBe(0);
    const sizes = new Map<string, number>();
    for (const { name, size } of JSON.parse(out).groups) sizes.set(name, size);
    const { genotypes } = await readTableFile(bed, io);
    const text = new TextDecoder().decode(gunzip(new Uint8Array(readFileSync(genes))));
    const rows = text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"));
    const expected = new Map<string, Set<string>>();
    for (const [symbol, chromosome, start, end] of rows) {
      const inside = genotypes!.variants.filter(
        (v) =>
          v.position > 0 &&
          v.chromosome === chromosome &&
          v.position >= Number(start) - 5e4 &&
          v.position <= Number(end) + 5e4,
      );
      if (inside.length === 0) continue;
      const members = expected.get(symbol) ?? new Set();
      for (const { id } of inside) members.add(id);
      expected.set(symbol, members);
    }
    expect(sizes.size).toBeGreaterThan(10_000);
    expect(sizes).toEqual(new Map([...expected].map(([name, members]) => [name, members.size])));
  });
});

describe("MNIST", () => {
  test("10,000 images and their labels, byte for byte", async () => {
    const images = at("mnist", "t10k-images-idx3-ubyte.gz");
    const { table, target } = await readData(
      images,
      { target: at("mnist", "t10k-labels-idx1-ubyte.gz") },
      io,
    );
    expect([table.rows, table.columns.length, target]).toEqual([10_000, 785, "label"]);
    const labels = numbers(table, 784);
    expect(labels.filter((label) => label < 2)).toHaveLength(2115);
    const raw = gunzip(new Uint8Array(readFileSync(images)));
    expect(createHash("md5").update(raw).digest("hex")).toBe("2646ac647ad5339dbf082846283269ea");
    expect(table.columns[28 * 14 + 5].name).toBe("r14c5");
    const rebuilt = new Uint8Array(784 * 10_000);
    table.columns.slice(0, 784).forEach((column, j) => {
      (column as NumberColumn).values.forEach((value, i) => {
        rebuilt[784 * i + j] = value;
      });
    });
    expect(Buffer.compare(rebuilt, raw.subarray(16))).toBe(0);
  });
});

describe("film reviews in LIBSVM", () => {
  test("25,000 rows whose columns add up to the words' counts", async () => {
    const { table, target } = await readTableFile(at("imdb", "imdb_train.feat.gz"), io);
    expect([table.rows, table.columns.length, target]).toEqual([25_000, 5001, "label"]);
    const vocabulary = readFileSync(at("imdb", "imdb.vocab.tsv"), "utf8")
      .trimEnd()
      .split("\n")
      .slice(1);
    const counts = vocabulary.map((line) => Number(line.split("\t")[2]));
    expect(counts).toHaveLength(5000);
    for (let j = 0; j < 5000; j++) expect(total(numbers(table, j))).toBe(counts[j]);
    expect(numbers(table, 5000).filter((rating) => rating >= 7)).toHaveLength(12_500);
  });
});
