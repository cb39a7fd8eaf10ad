import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeNpy } from "@ratewise/core/data";
import { describe, expect, test } from "vitest";
import { run } from "./support/run.ts";
import {
  common,
  expected,
  file,
  H,
  here,
  l,
  n,
  p,
  writeBed,
  writeZarr,
  X,
} from "./support/stream-files.ts";

describe("a block that is damaged", () => {
  // 20 rows of a chunk that is cut: two blocks of columns are whole, the third is not.
  test("is named; the others are kept, and --resume goes on with what was repaired", async () => {
    const out = file("resumed");
    writeZarr("broken.zarr", 3);
    const damaged = join(file("broken.zarr"), "c/1/3");
    const whole = readFileSync(damaged);
    writeFileSync(damaged, whole.subarray(0, 30));
    const argv = [
      "stream",
      file("broken.zarr"),
      "--target",
      file("y.npy"),
      "--names",
      file("names.txt"),
      ...common(),
      "--by",
      "columns",
      "--block",
      "9",
      "--out",
      out,
    ];
    const failed = await run(argv);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(
      /blocks are finished and kept; the same command with --resume continues/,
    );
    expect(failed.err).toMatch(
      /broken\.zarr: block \d of \d \(columns \d+ … \d+\) is damaged or cannot be used: .*chunk 1\/3/,
    );
    expect(existsSync(out)).toBe(false);
    writeFileSync(damaged, whole);
    const resumed = await run([...argv, "--resume"]);
    expect(resumed.code, resumed.err).toBe(0);
    const document = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
    const result = expected();
    for (const [j, row] of document.variables.entries())
      expect(Math.abs(row.rate - result.variables.rate[j])).toBeLessThan(1e-10);
    expect(readdirSync(here).filter((entry) => entry.includes("ratewise-blocks"))).toEqual([]);
  });

  test("and --resume says how many it found, or that there were none", async () => {
    const out = file("found");
    writeZarr("again.zarr", 3);
    const damaged = join(file("again.zarr"), "c/1/3");
    const whole = readFileSync(damaged);
    const argv = [
      ...["stream", file("again.zarr"), "--target", file("y.npy"), "--activations", file("H.npy")],
      ...["--by", "columns", "--block", "9", "--out", out],
    ];
    const none = await run([...argv, "--resume"]);
    expect(none.err).toContain(
      "--resume: found no finished work for these data and options; starting from the beginning",
    );
    writeFileSync(damaged, whole.subarray(0, 30));
    expect((await run(argv)).err).toContain("3 of 5 blocks are finished and kept");
    writeFileSync(damaged, whole);
    const { code, err } = await run([...argv, "--resume"]);
    expect([code, err]).toEqual([
      0,
      `ratewise: --resume: found 3 of 5 blocks finished\nratewise: replaced the earlier result in ${out}\nratewise: wrote result.json, importance.csv to ${out}\n`,
    ]);
  });
});

describe("genotypes whose files do not fit are refused at the start, and by --plan", () => {
  const refused = async (name: string, message: RegExp) => {
    for (const plan of [[], ["--plan"]]) {
      const { code, err, out } = await run([
        ...["stream", file(`${name}.bed`), "--activations", file("H.npy")],
        ...["--task", "regression", ...plan],
      ]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(message);
      expect(err.trim().split("\n")).toHaveLength(1);
    }
  };

  test("a .bed file that is cut off", async () => {
    writeBed("short", 20);
    await refused(
      "short",
      /short\.bed: needs 603 bytes for the 60 samples of the \.fam and the 40 variants of the \.bim file, got 583; the \.bed file is cut off/,
    );
  });

  test("a .bim file with a line twice", async () => {
    writeBed("twice");
    const lines = readFileSync(file("twice.bim"), "utf8");
    writeFileSync(file("twice.bim"), lines + lines.slice(0, lines.indexOf("\n") + 1));
    await refused("twice", /holds 40 variants of 60 samples: the \.bim file has 1 line too many/);
  });

  test("a .bed file without its .fam file", async () => {
    writeBed("alone");
    rmSync(file("alone.fam"));
    await refused(
      "alone",
      /alone\.fam: there is no such file; \S*alone\.bed needs a \.bim and a \.fam of the same name beside it/,
    );
  });

  test("a .fam file without its last line", async () => {
    writeBed("fewer");
    const lines = readFileSync(file("fewer.fam"), "utf8").trim().split("\n");
    writeFileSync(file("fewer.fam"), `${lines.slice(0, -1).join("\n")}\n`);
    await refused(
      "fewer",
      /needs zero bits after the last of 59 samples.*the \.fam file has one to three lines fewer/,
    );
  });
});

test("activations of another number of rows are refused, also where a phenotype is missing", async () => {
  writeBed("missing");
  const fam = readFileSync(file("missing.fam"), "utf8").split("\n");
  fam[5] = fam[5].replace(/\S+$/, "-9");
  writeFileSync(file("missing.fam"), fam.join("\n"));
  const answer = (rows: number) => {
    const data = Float64Array.from({ length: rows * 2 }, (_, e) => ((e * 7) % 11) + (e % 2));
    writeFileSync(file("H-other.npy"), writeNpy({ shape: [rows, 2], data }));
    return run([
      ...["stream", file("missing.bed"), "--activations", file("H-other.npy")],
      ...["--task", "regression"],
    ]);
  };
  for (const rows of [40, 58, 61]) {
    const { code, err } = await answer(rows);
    expect(code).toBe(1);
    expect(err).toContain(
      `H-other.npy: needs 60 rows, as X has, or the 59 of them with a response, got ${rows}`,
    );
  }
  expect((await answer(59)).code).toBe(0);
  expect((await answer(60)).code).toBe(0);
});

test.each([
  [["x.csv"], /needs a \.bed, \.npy or \.parquet file or a Zarr folder|there is no such file/],
  [
    ["x.bed", "--activations", "a", "--model", "b.onnx"],
    /needs --activations or --model, got both/,
  ],
  [["x.bed", "--model", "m.ratewise"], /--model needs a network in ONNX/],
  [
    ["x.bed", "--activations", "a", "--epochs", "3"],
    /--epochs applies to new networks only; remove it or --activations/,
  ],
  [["x.bed", "--pheno", "a"], /--pheno needs --trait/],
  [["X.npy", "--pheno", "a", "--trait", "t"], /--pheno applies to genotypes only/],
  [["x.bed", "--resume"], /--resume needs --out/],
  [["x.bed", "--memory", "much"], /--memory needs an amount such as 4GB/],
  [["x.bed", "--select", "0.1"], /--select needs fdr=/],
  [["x.bed", "--permutations", "5"], /--permutations needs --select/],
  [["x.bed", "--penalty", "a"], /--penalty needs numbers ≥ 0/],
  [["x.bed", "--by", "tiles"], /--by needs columns or rows/],
  [["x.bed", "--pheno", "a", "--trait", "t", "--target", "y.npy"], /--target or --pheno.*got both/],
  [["x.bed", "--target", "height"], /--target for genotypes needs a \.npy file/],
  [["x.bed", "--window", "50k"], /--window needs --groups/],
  [["x.bed", "--groups", "g.json", "--window", "much"], /--window needs base pairs/],
  [
    ["X.npy", "--activations", "H.npy", "--task", "regression"],
    /--task applies to data with a response only/,
  ],
  [
    ["X.npy", "--activations", "H.npy", "--select", "fdr=0.1"],
    /--select applies to data with a response only/,
  ],
  [["X.npy", "--covariates", "c.npy"], /--covariates applies to data with a response only/],
  [["x.bed", "--covariates", "a", "--task", "classification"], /not from classes/],
  [
    ["X.npy", "--target", "y.npy", "--precision", "single"],
    /--precision single applies to genotypes only/,
  ],
  [["x.bed", "--force"], /--force needs --out/],
  [
    ["x.bed", "--plan", "--resume", "--out", "o"],
    /--plan applies to whole runs only; remove it or --resume/,
  ],
])("%j is refused", async (argv, message) => {
  const { code, err } = await run(["stream", ...argv]);
  expect(code).toBeGreaterThan(0);
  expect(err).toMatch(message);
});

test("--select of three classes is refused instead of left out", async () => {
  const labels = Float64Array.from({ length: n }, (_, i) => i % 3);
  writeFileSync(file("three.npy"), writeNpy({ shape: [n], data: labels }));
  const { code, err } = await run([
    ...["stream", file("X.npy"), "--target", file("three.npy"), "--task", "classification"],
    ...["--activations", file("H.npy"), "--select", "fdr=0.1"],
  ]);
  expect([code, err]).toEqual([
    2,
    "ratewise: stream: --select needs numbers or two classes, got 3 classes; leave it out\n",
  ]);
});

describe("a number that is none", () => {
  test.each([Number.NaN, Number.NEGATIVE_INFINITY])(
    "in the hidden layer (%d) is named",
    async (bad) => {
      const data = H.data.slice();
      data[17 * l + 2] = bad;
      writeFileSync(file("bad-H.npy"), writeNpy({ shape: [n, l], data }));
      for (const plan of [[], ["--plan"]]) {
        const { code, err } = await run([
          ...["stream", file("x.bed"), "--activations", file("bad-H.npy"), "--task", "regression"],
          ...plan,
        ]);
        expect([code, err]).toEqual([
          1,
          `ratewise: ${file("bad-H.npy")}: needs finite numbers, got ${bad} in row 17, unit 2 (counted from 0)\n`,
        ]);
      }
    },
  );

  test.each([
    ["columns", "block 3 of 4 (columns 20 … 29)"],
    ["rows", "block 4 of 6 (rows 30 … 39)"],
  ])("in X by %s is named by block, row and column", async (by, block) => {
    const data = X.data.slice();
    data[33 * p + 24] = Number.NaN;
    writeFileSync(file("bad-X.npy"), writeNpy({ shape: [n, p], data }));
    const { code, err } = await run([
      ...["stream", file("bad-X.npy"), "--target", file("y.npy"), "--names", file("names.txt")],
      ...["--activations", file("H.npy"), "--by", by, "--block", "10"],
    ]);
    expect(code).toBe(1);
    expect(err).toContain(
      `bad-X.npy: ${block} is damaged or cannot be used: needs finite numbers, got NaN or infinity in row 33, column 24 ("rs24"), counted from 0`,
    );
  });
});
