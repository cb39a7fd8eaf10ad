import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fold, keyFromSeed, normals, uniforms } from "@ratewise/core";
import { diagnosticOf } from "@ratewise/core/diagnostic";
import type { ExplainDocument } from "@ratewise/core/explain";
import { readParquet } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";
import { names, writePlink, writeTableFiles } from "./support/table-files.ts";

const here = temporaryFolder();
const tables = writeTableFiles(here);
const small = ["--hidden", "4", "--json"];

const explained = async (argv: readonly string[]): Promise<ExplainDocument> => {
  const { code, out, err } = await run(["explain", ...argv, ...small]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};

describe("the same table in another format gives the same answer, to the bit", () => {
  const formats = Object.entries(tables).slice(1);
  test.each(formats)("%s", async (_, argv) => {
    const { variables, model, dataHash } = await explained(tables.csv);
    const other = await explained(argv);
    expect(other.variables).toEqual(variables);
    expect(other.model).toEqual(model);
    expect(variables.map(({ name }) => name)).toEqual(names);
    // The response of arrays, LIBSVM and IDX is called otherwise.
    if (other.target === "y") expect(other.dataHash).toBe(dataHash);
  });

  test.each(formats.filter(([name]) => name !== "npz of columns"))("%s.gz", async (_, argv) => {
    const zipped = `${argv[0]}.gz`;
    writeFileSync(zipped, gzipSync(readFileSync(argv[0])));
    const { variables } = await explained(argv);
    expect((await explained([zipped, ...argv.slice(1)])).variables).toEqual(variables);
  });

  test("standard input, whatever it holds", async () => {
    const { variables } = await explained(tables.csv);
    for (const [path, ...rest] of [tables.csv, tables.parquet, tables.npz]) {
      const readFile = async () => new Uint8Array(readFileSync(path));
      const { code, out } = await run(["explain", "-", ...rest, ...small], { readFile });
      expect([code, JSON.parse(out).variables]).toEqual([0, variables]);
    }
  });
});

describe("genotypes", () => {
  const [samples, snps] = [120, 8];
  const uniform = uniforms(fold(keyFromSeed(2), "genotypes"));
  const normal = normals(fold(keyFromSeed(2), "noise"));
  const X = Array.from({ length: snps }, () =>
    Array.from({ length: samples }, () => Math.floor(3 * uniform())),
  );
  X[7][0] = Number.NaN;
  const sex = X[0].map(() => Math.floor(2 * uniform()));
  const y = X[0].map((_, i) => X[2][i] - 0.8 * X[5][i] + 5 * sex[i] + 0.2 * normal());
  const bed = writePlink(here, "geno", X, (i) => (X[2][i] > 0 ? "2" : "1"));
  // Another order, one sample too few, and one of somebody else.
  const order = [...X[0].keys()].reverse().slice(1);
  const lines = order.map((i) => `f${i % 3} s${i} ${y[i].toFixed(4)} ${sex[i] ? "m" : "f"}`);
  const pheno = join(here, "pheno.txt");
  writeFileSync(pheno, `FID IID  height sex\n${lines.join("\n")}\nfx sx 1 m\n`);
  const trait = ["--pheno", pheno, "--trait", "height"];

  test("are matched to phenotypes by FID and IID, and covariates are taken out", async () => {
    const out = join(here, "plink");
    const { code, out: json } = await run([
      "explain",
      bed,
      ...trait,
      "--covariates",
      "sex",
      ...small,
      "--out",
      out,
    ]);
    expect(code).toBe(0);
    const document = JSON.parse(json) as ExplainDocument;
    const best = document.variables.toSorted((a, b) => a.direct!.rank - b.direct!.rank);
    expect(
      best
        .slice(0, 2)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["rs2", "rs5"]);
    expect(document.target).toBe("height");
    const codes = document.diagnostics.map((d) => d.code);
    expect(codes).toEqual(
      expect.arrayContaining(["samples-absent", "covariates-regressed-out", "predictors-missing"]),
    );
    const freed = document.diagnostics.find((d) => d.code === "covariates-regressed-out")!;
    const gaps = document.diagnostics.find((d) => d.code === "predictors-missing")!;
    expect(gaps.message).toMatch(
      /^1 of 120 rows have missing predictors \(rs7: 1\)\. They are filled with/,
    );
    // 5·sex has variance 6.25 of about 7.5.
    expect(freed.explained as number).toBeGreaterThan(0.6);
    // A missing genotype is filled with the mean unless told otherwise.
    expect(document.model.rows.train + document.model.rows.test).toBe(samples - 1);

    const rows = readFileSync(join(out, "importance.regenie"), "utf8").trimEnd().split("\n");
    expect(rows[0]).toBe(
      "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ N TEST BETA SE CHISQ LOG10P EXTRA",
    );
    const cells = rows[8].split(" ");
    const frequency = X[7].slice(1).reduce((sum, copies) => sum + copies, 0) / (2 * (samples - 1));
    expect(cells.slice(0, 5)).toEqual(["2", "8000", "rs7", "G", "A"]);
    expect(Number(cells[5])).toBeCloseTo(frequency, 6);
    expect(cells.slice(6, 8)).toEqual([`${samples - 1}`, "RATE"]);
    expect(Number(cells[8])).toBeCloseTo(document.variables[7].mean!, 6);
    expect(cells.slice(10, 12)).toEqual(["NA", "NA"]);
    expect(cells[12]).toContain(`RANK=${document.variables[7].rank};`);
  });

  test("without --pheno have the phenotype of the .fam file, and genes by place as groups", async () => {
    const genes = join(here, "genes.bed");
    writeFileSync(genes, "chr1\t0\t3000\tfirst\nchr2\t5900\t6000\tsecond\nchr9\t1\t2\tnowhere\n");
    const { code, out, err } = await run(["explain", bed, "--groups", genes, ...small]);
    expect(code).toBe(0);
    const { task, target, groups } = JSON.parse(out) as ExplainDocument;
    expect([task, target]).toEqual(["classification", "phenotype"]);
    expect(groups.map(({ name, size }) => [name, size])).toEqual([
      ["first", 2],
      ["second", 1],
    ]);
    expect(err).toContain(
      "2 groups of variables; intervals without variables: 1; variables in no interval: 5; without a position: 0",
    );
    const table = join(here, "genes.tsv");
    writeFileSync(table, "symbol\tchr\tstart\tend\nfirst\t1\t1\t3000\nsecond\t2\t5901\t5950\n");
    const widened = await run(["explain", bed, "--groups", table, "--window", "50", ...small]);
    expect(JSON.parse(widened.out).groups).toEqual(groups);
    const narrow = await run(["explain", bed, "--groups", table, ...small]);
    expect(JSON.parse(narrow.out).groups.map((g: { name: string }) => g.name)).toEqual(["first"]);
  });

  test("by covariates from a file of their own, the same", async () => {
    const path = join(here, "sex.cov");
    writeFileSync(
      path,
      `#IID sex\n${X[0].map((_, i) => `s${i} ${sex[i] ? "m" : "f"}`).join("\n")}\n`,
    );
    const one = await run(["explain", bed, ...trait, "--covariates", path, ...small]);
    const other = await run(["explain", bed, ...trait, "--covariates", "sex", ...small]);
    expect(JSON.parse(one.out).variables).toEqual(JSON.parse(other.out).variables);
  });
});

test("covariates of a table leave it, and the target is freed of them", async () => {
  const [csv] = tables.csv;
  const { variables, diagnostics } = await explained([csv, "--target", "y", "--covariates", "a"]);
  expect(variables.map(({ name }) => name)).toEqual(["b", "c", "d"]);
  expect(variables[0].direct!.rank).toBe(1);
  // y = 2a − b: a has four fifths.
  const { explained: share } = diagnosticOf(diagnostics, "covariates-regressed-out")!;
  expect(share).toBeGreaterThan(0.7);
});

test("a model predicts the same from any format", async () => {
  const out = join(here, "model");
  await run(["explain", ...tables.csv, ...small, "--out", out]);
  const predicted = async (path: string, ...argv: string[]) =>
    (await run(["predict", path, "--model", join(out, "model.ratewise"), ...argv])).out;
  const expected = await predicted(tables.csv[0]);
  expect(expected.split("\n")).toHaveLength(202);
  expect(await predicted(tables.parquet[0])).toBe(expected);
  expect(await predicted(tables.npy[0], "--names", join(here, "names.txt"))).toBe(expected);
  expect(await predicted(tables["csv with decimal commas"][0], "--decimal-comma")).toBe(expected);
});

describe("other programs' forms", () => {
  test("importance.parquet has the numbers of result.json, to the bit", async () => {
    const out = join(here, "forms");
    const { out: json } = await run([
      "explain",
      ...tables.csv,
      ...small,
      "--stability",
      "--out",
      out,
    ]);
    const { variables } = JSON.parse(json) as ExplainDocument;
    const bytes = new Uint8Array(readFileSync(join(out, "importance.parquet")));
    const { columns } = await readParquet(bytes, { where: "importance.parquet" });
    const header = readFileSync(join(out, "importance.csv"), "utf8").split("\n")[0];
    expect(columns.map(({ name }) => name).join(",")).toBe(header);
    const numbers = (name: string) => [
      ...(columns.find((c) => c.name === name) as { values: Float64Array }).values,
    ];
    expect(columns[0]).toMatchObject({ kind: "category", levels: names });
    expect(numbers("rate")).toEqual(variables.map(({ rate }) => rate));
    expect(numbers("directRank")).toEqual(variables.map(({ direct }) => direct!.rank));
    expect(numbers("rankHigh")).toEqual(variables.map(({ rankInterval }) => rankInterval![1]));
  });

  test("--format shap has the fields of an Explanation, csv the file, json the document", async () => {
    const argv = ["explain", ...tables.csv, "--hidden", "4", "--format"];
    const { variables, predictions } = await explained(tables.csv);
    const shap = JSON.parse((await run([...argv, "shap"])).out);
    expect(Object.keys(shap)).toEqual([
      "values",
      "base_values",
      "data",
      "feature_names",
      "output_names",
    ]);
    expect([shap.feature_names, shap.output_names]).toEqual([names, "y"]);
    // What is added to the average row's prediction makes the row's own; the midpoint rule is off by some parts of a thousand.
    const spread =
      Math.max(...predictions.predicted.map(Number)) -
      Math.min(...predictions.predicted.map(Number));
    predictions.predicted.forEach((predicted, i) => {
      const sum = shap.values[i].reduce((s: number, v: number) => s + v, shap.base_values[i]);
      expect(Math.abs(sum - Number(predicted))).toBeLessThan(0.01 * spread);
    });
    const [head, ...lines] = readFileSync(tables.csv[0], "utf8").trimEnd().split("\n");
    const at = names.map((name) => head.split(",").indexOf(name));
    const cells = lines[predictions.row[0] - 1].split(",");
    expect(shap.data[0]).toEqual(at.map((column) => Number(cells[column])));
    expect(shap.data).toHaveLength(predictions.row.length);
    expect(JSON.parse((await run([...argv, "json"])).out).variables).toEqual(variables);
    const csv = (await run([...argv, "csv"])).out.split("\n");
    expect(csv[1].split(",").slice(0, 3)).toEqual([
      "a",
      `${variables[0].rank}`,
      `${variables[0].rate}`,
    ]);
    expect((await run([...argv, "xml"])).code).toBe(2);
  });
});

describe("ratewise inspect", () => {
  const path = join(here, "mixed.csv");
  const rows = Array.from({ length: 30 }, (_, i) =>
    [
      `${i + 1}`,
      `2020-01-${`${i % 28}`.padStart(2, "0")}`,
      7,
      i === 4 ? "" : i % 5,
      `${(7 * i) % 30}%`,
      i % 2 ? "x" : "y",
      i * 1.5,
    ].join(","),
  );
  writeFileSync(path, `row,day,same,a,share,kind,y\n${rows.join("\n")}\n`);

  test("says what each column would be used for, and why not", async () => {
    const { code, out } = await run(["inspect", path, "--target", "y", "--json"]);
    const document = JSON.parse(out);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      kind: "inspect",
      format: "text",
      rows: 30,
      complete: 29,
      task: "regression",
    });
    const uses = document.columns.map((c: { name: string; use: string; reason: string }) => [
      c.name,
      c.use,
      c.reason,
    ]);
    expect(uses).toEqual([
      ["row", "left out", "counts the rows"],
      ["day", "left out", "holds dates; turn them into numbers (age, month, …) to use them"],
      ["same", "left out", "constant: 7 in every row"],
      ["a", "predictor", null],
      ["share", "predictor", null],
      ["kind", "predictor", null],
      ["y", "target", null],
    ]);
    expect(document.columns[3]).toMatchObject({
      kind: "number",
      missing: 1,
      least: 0,
      greatest: 4,
    });
    expect(document.columns[5]).toMatchObject({
      kind: "category",
      levels: 2,
      examples: ["y", "x"],
    });
    const codes = document.diagnostics.map((d: { code: string }) => d.code);
    expect(codes).toEqual(["read-as-percent", "missing-values"]);
  });

  test("for people it fits the terminal, and what explain does agrees with it", async () => {
    const { out } = await run(["inspect", path, "--target", "y"]);
    expect(out).toContain("3 predictors, 3 left out");
    expect(out).toContain("Values are missing in 1 column of 30 rows: a (1).");
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const { out: json } = await run(["explain", path, "--target", "y", ...small]);
    const { variables, excluded } = JSON.parse(json) as ExplainDocument;
    expect(variables.map(({ name }) => name)).toEqual(["a", "share", "kind"]);
    expect(excluded.map(({ name }) => name)).toEqual(["row", "day", "same"]);
  });

  test("works without a target, with groups, and leaves what it is told to", async () => {
    const groups = join(here, "g.json");
    writeFileSync(groups, '{"both": ["a", "y"]}');
    const { out } = await run([
      "inspect",
      path,
      "--groups",
      groups,
      "--exclude",
      "share",
      "--json",
    ]);
    const document = JSON.parse(out);
    expect(document).toMatchObject({
      target: null,
      task: null,
      groups: [{ name: "both", size: 2 }],
    });
    expect(document.columns[4]).toMatchObject({ use: "left out", reason: "left out as asked" });
  });
});
