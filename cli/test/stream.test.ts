import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  effectSizes,
  fold,
  keyFromSeed,
  type Matrix,
  matrix,
  normals,
  rate,
  readNpy,
  refitLastLayer,
  regressOut,
  uniforms,
  writeNpy,
} from "@ratewise/core";
import { writeParquet } from "@ratewise/files";
import { beforeAll, describe, expect, test } from "vitest";
import { zarrStore } from "../../files/test/support/zarr-store.ts";
import { writeOnnx } from "../../onnx/test/support/write-onnx.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string): string => join(here, name);
const [n, p, l] = [60, 40, 3];
const gaussian = normals(fold(keyFromSeed(1), "numbers"));
const uniform = uniforms(fold(keyFromSeed(1), "codes"));
const H = matrix(n, l, Float64Array.from({ length: n * l }, gaussian));
const codes = Uint8Array.from({ length: n * p }, () => [0, 2, 3][Math.floor(3 * uniform())]);
const X: Matrix = matrix(
  n,
  p,
  Float64Array.from(codes, (code) => [2, 0, 1, 0][code]),
);
const y = Float64Array.from(
  { length: n },
  (_, i) => X.data[i * p + 7] - X.data[i * p + 2] + H.data[i * l] + 0.2 * gaussian(),
);
const names = Array.from({ length: p }, (_, j) => `rs${j}`);

/** What streaming has to come to, from everything in memory. */
function expected() {
  const { posterior, noiseVariance } = refitLastLayer(H, y, {
    link: "identity",
    around: "mode",
    bias: "integrated",
  });
  const effects = effectSizes(X, H, posterior.outputs[0], { noiseVariance: noiseVariance!, names });
  return rate(effects, { groups: [{ name: "g", members: [1, 2, 7] }] });
}

function writeBed(name: string, cut = 0): void {
  const stride = Math.ceil(n / 4);
  const bytes = new Uint8Array(3 + p * stride);
  bytes.set([0x6c, 0x1b, 1]);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++)
      bytes[3 + j * stride + (i >> 2)] |= codes[i * p + j] << (2 * (i & 3));
  writeFileSync(file(`${name}.bed`), bytes.subarray(0, bytes.length - cut));
  writeFileSync(file(`${name}.bim`), names.map((id, j) => `1 ${id} 0 ${1000 * j} A G\n`).join(""));
  writeFileSync(
    file(`${name}.fam`),
    Array.from({ length: n }, (_, i) => `f${i} i${i} 0 0 1 ${y[i]}\n`).join(""),
  );
}

function writeZarr(name: string, version: 2 | 3): void {
  const store = zarrStore(
    { version, shape: [n, p], chunks: [25, 9], type: "float32", gzip: true },
    ([i, j]) => X.data[i * p + j],
  );
  for (const [key, bytes] of store) {
    const path = join(file(name), key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

beforeAll(() => {
  writeBed("x");
  writeZarr("two.zarr", 2);
  writeZarr("three.zarr", 3);
  writeFileSync(file("X.npy"), writeNpy({ shape: [n, p], data: X.data }));
  writeFileSync(file("H.npy"), writeNpy({ shape: [n, l], data: H.data }));
  writeFileSync(file("y.npy"), writeNpy({ shape: [n], data: y }));
  writeFileSync(file("names.txt"), `${names.join("\n")}\n`);
  writeFileSync(file("groups.json"), JSON.stringify({ g: ["rs1", "rs2", "rs7"] }));
  const columns = names.map((id, j) => ({
    name: id,
    kind: "number" as const,
    values: Array.from({ length: n }, (_, i) => X.data[i * p + j]),
  }));
  writeFileSync(
    file("x.parquet"),
    writeParquet([...columns, { name: "y", kind: "number", values: [...y] }]),
  );
});

const common = () => ["--activations", file("H.npy"), "--groups", file("groups.json")];
const inputs: [string, () => string[]][] = [
  ["a .bed file", () => [file("x.bed"), "--task", "regression"]],
  ["a .npy file", () => [file("X.npy"), "--target", file("y.npy"), "--names", file("names.txt")]],
  [
    "Zarr, version 2",
    () => [file("two.zarr"), "--target", file("y.npy"), "--names", file("names.txt")],
  ],
  [
    "Zarr, version 3",
    () => [file("three.zarr"), "--target", file("y.npy"), "--names", file("names.txt")],
  ],
  ["Parquet", () => [file("x.parquet"), "--target", "y"]],
];

describe.each(inputs)("%s", (name, argv) => {
  const ways = name === "a .bed file" ? ["columns"] : ["columns", "rows"];
  test.each(ways)(
    "streamed by %s has the RATE and groupRATE of the table in memory",
    async (by) => {
      const { code, out, err } = await run([
        "stream",
        ...argv(),
        ...common(),
        "--by",
        by,
        "--json",
      ]);
      expect([code, err]).toEqual([0, ""]);
      const document = JSON.parse(out);
      const result = expected();
      expect(document.options).toMatchObject({
        by,
        target: name === "a .bed file" ? "phenotype" : "y",
      });
      document.variables.forEach((row: { name: string; rate: number; rank: number }, j: number) => {
        expect(row.name).toBe(names[j]);
        expect(row.rank).toBe(result.variables.rank[j]);
        expect(Math.abs(row.rate - result.variables.rate[j])).toBeLessThan(1e-10);
      });
      expect(Math.abs(document.groups[0].kld - result.groups!.kld[0])).toBeLessThan(
        1e-10 * result.groups!.kld[0],
      );
    },
  );
});

test("--plan says blocks, time, memory and disk, and stops", async () => {
  const { code, out } = await run([
    "stream",
    ...inputs[0][1](),
    ...common(),
    "--plan",
    "--memory",
    "1GB",
    "--out",
    file("never"),
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/x\.bed \(bed\): 60 rows, 40 columns, 1 KB to read/);
  expect(out).toMatch(/^blocks {4}1 of 40 columns, for 3 hidden units$/m);
  expect(out).toMatch(/^time {6}about a second/m);
  expect(out).toMatch(/^memory {4}about \d+ MB of 1\.0 GB allowed$/m);
  expect(out).toMatch(/^disk {6}2 KB for finished blocks/m);
  const json = await run(["stream", ...inputs[0][1](), ...common(), "--plan", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({
    ...{ kind: "stream-plan", rows: 60, columns: 40, width: 3, blocks: 1, by: "columns" },
    training: null,
  });
  expect(existsSync(file("never"))).toBe(false);
  const training = await run(["stream", ...inputs[0][1](), "--plan", "--memory", "2GB"]);
  expect(training.out).toMatch(
    /^train {5}12 to 40 epochs of about a second; 1 KB of scratch room$/m,
  );
});

test("less memory than it takes is refused with what it takes", async () => {
  const { code, err } = await run(["stream", ...inputs[0][1](), ...common(), "--memory", "20MB"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /x\.bed: needs at least \d+ MB for 40 variables and 3 hidden units, may use 20 MB/,
  );
});

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
      /blocks are finished and kept; the same command with --resume goes on/,
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
      "--resume: found no finished block of this data with these options; beginning with the first",
    );
    writeFileSync(damaged, whole.subarray(0, 30));
    expect((await run(argv)).err).toContain("3 of 5 blocks are finished and kept");
    writeFileSync(damaged, whole);
    const { code, err } = await run([...argv, "--resume"]);
    expect([code, err]).toEqual([
      0,
      `ratewise: --resume: found 3 of 5 blocks finished\nratewise: wrote result.json, importance.csv to ${out}\n`,
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

test("without a network one is trained from the blocks, and says what it uses directly", async () => {
  const out = file("trained");
  const {
    code,
    err,
    out: text,
  } = await run([
    "stream",
    file("x.bed"),
    "--hidden",
    "8,4",
    "--epochs",
    "3",
    "--penalty",
    "0.5",
    "--batch",
    "16",
    "--task",
    "regression",
    "--out",
    out,
  ]);
  expect(code, err).toBe(0);
  const [head, first] = readFileSync(join(out, "importance.csv"), "utf8").split("\n");
  expect(head).toBe(
    "name,chromosome,position,a1,a2,a1Frequency,rank,rate,kld,kldExact,mutualInformation,mean,sd,direct",
  );
  const copies = Array.from({ length: n }, (_, i) => X.data[i * p]);
  const cells = first.split(",");
  expect(cells).toHaveLength(14);
  expect(cells.slice(0, 5)).toEqual(["rs0", "1", "0", "A", "G"]);
  expect(Number(cells[5])).toBeCloseTo(copies.reduce((sum, c) => sum + c, 0) / (2 * n), 12);
  const { options } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
  expect(options.model).toMatchObject({
    ...{ kind: "trained", layers: [8, 4], penalty: 0.5, epochs: 3 },
    heldOut: { metric: "r2", rows: 18 },
  });
  const { score, baseline, standardError } = options.model.heldOut;
  expect(text.replaceAll("\n", " ")).toContain(
    `On the 18 rows held back it explains ${(100 * score).toFixed(1)}% of the variance (the mean alone ${(100 * baseline).toFixed(1)}%, standard error ${(100 * standardError).toFixed(1)}%)`,
  );
});

test("a selection after training says what it does not guarantee, on the screen and in the result", async () => {
  const argv = [
    ...["stream", file("x.bed"), "--hidden", "4", "--epochs", "1", "--penalty", "1"],
    ...["--task", "regression", "--select", "fdr=0.1", "--permutations", "19"],
  ];
  const { out } = await run(argv);
  expect(out.replace(/\s+/g, " ")).toContain("the rate of false discoveries is not kept to 0.1");
  expect(out.replace(/\s+/g, " ")).toContain(
    "variables. Not guaranteed: the network was trained on these same rows",
  );
  const { diagnostics } = JSON.parse((await run([...argv, "--json"])).out);
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: "selected-after-training", guaranteed: false }),
  );
});

test("a network that was trained is kept when what follows fails, and --resume does not train again", async () => {
  const out = file("kept-network");
  const argv = [
    ...["stream", file("x.bed"), "--hidden", "4", "--epochs", "2", "--penalty", "1"],
    ...["--task", "regression", "--out", out],
  ];
  const failed = await run([...argv, "--groups", file("no-such.json")]);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain(
    "the trained network is kept; the same command with --resume goes on from there",
  );
  const phases: string[] = [];
  const onProgress = ({ phase }: { phase: string }) => void phases.push(phase);
  const resumed = await run([...argv, "--resume"], { onProgress });
  expect(resumed.code, resumed.err).toBe(0);
  expect(phases).not.toContain("train");
  const whole = await run([...argv, "--force"], { onProgress });
  expect(phases).toContain("train");
  expect(resumed.out).toBe(whole.out);
});

test("--select adds permutation p-values", async () => {
  const out = file("selected");
  const { code, out: printed } = await run([
    "stream",
    ...inputs[0][1](),
    ...common(),
    "--select",
    "fdr=0.2",
    "--permutations",
    "99",
    "--out",
    out,
  ]);
  expect(code).toBe(0);
  expect(printed.replace(/\s+/g, " ")).toMatch(
    /Selected at a false discovery rate of 0\.2, by 99 permutations: \d+ of 40 variables, \d of 1 groups\./,
  );
  const groups = readFileSync(join(out, "groups.csv"), "utf8").trim().split("\n");
  expect(groups[0]).toBe(
    "name,size,rank,rate,kld,kldExact,mutualInformation,pValue,qValue,selected",
  );
  const document = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
  // The best variants are shown with their places.
  const best = document.variables.find((row: { rank: number }) => row.rank === 1).name;
  expect(printed).toContain(`1  ${best} 1:${(1000 * Number(best.slice(2))).toLocaleString("en")} `);
  expect(groups[1]).toMatch(/^g,3,1,1,[\d.e-]+,[\d.e-]+,[\d.e-]+,[\d.]+,[\d.]+,(true|false)$/);
  expect(groups[1].split(",")[4]).toBe(`${document.groups[0].kld}`);
  expect(document.diagnostics).toContainEqual(
    expect.objectContaining({ code: "selected-given-network" }),
  );
  const rows = readFileSync(join(out, "importance.csv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  expect(rows[0].slice(-3)).toEqual(["pValue", "qValue", "selected"]);
  const pValues = rows.slice(1).map((row) => Number(row.at(-3)));
  expect(
    pValues.every(
      (value) =>
        value >= 0.01 && value <= 1 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-9,
    ),
  ).toBe(true);
});

test("rows without a phenotype are left out", async () => {
  writeBed("gaps");
  const fam = readFileSync(file("gaps.fam"), "utf8").split("\n");
  fam[5] = fam[5].replace(/\S+$/, "-9");
  writeFileSync(file("gaps.fam"), fam.join("\n"));
  const { code, out } = await run([
    "stream",
    file("gaps.bed"),
    "--activations",
    file("H.npy"),
    "--task",
    "regression",
    "--json",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(out).diagnostics[0].message).toBe(
    '1 of 60 rows have no "phenotype" and are left out.',
  );
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

describe("aligned images with the last hidden layer of an ONNX network", () => {
  const [height, width] = [6, 9];
  const pixels = matrix(
    n,
    height * width,
    Float64Array.from({ length: n * height * width }, () => Math.fround(gaussian())),
  );
  const weights = (rows: number, cols: number) => ({
    dims: [rows, cols],
    data: Array.from({ length: rows * cols }, () => 0.4 * gaussian()),
  });
  beforeAll(() => {
    writeFileSync(
      file("images.npy"),
      writeNpy({ shape: [n, height, width], data: Float32Array.from(pixels.data) }),
    );
    const store = zarrStore(
      { version: 3, shape: [n, height, width], chunks: [7, 4, 5], type: "float32" },
      ([i, r, c]) => pixels.data[(i * height + r) * width + c],
    );
    for (const [key, bytes] of store) {
      mkdirSync(dirname(join(file("images.zarr"), key)), { recursive: true });
      writeFileSync(join(file("images.zarr"), key), bytes);
    }
    writeFileSync(
      file("net.onnx"),
      writeOnnx({
        inputs: [{ name: "x", shape: ["n", height, width] }],
        outputs: [{ name: "y", shape: ["n", 1] }],
        nodes: [
          { op: "Flatten", inputs: ["x"], outputs: ["flat"] },
          { op: "MatMul", inputs: ["flat", "w1"], outputs: ["z"] },
          { op: "Tanh", inputs: ["z"], outputs: ["h"] },
          { op: "MatMul", inputs: ["h", "w2"], outputs: ["y"] },
        ],
        weights: { w1: weights(height * width, 4), w2: weights(4, 1) },
      }),
    );
  });

  test.each(["images.npy", "images.zarr"])(
    "%s gives a map of importance as NPY and PNG",
    async (name) => {
      const out = file(`map-of-${name}`);
      const { code, err } = await run([
        "stream",
        file(name),
        "--model",
        file("net.onnx"),
        "--target",
        file("y.npy"),
        "--out",
        out,
      ]);
      expect(code, err).toBe(0);
      const map = readNpy(readFileSync(join(out, "importance-map.npy")));
      expect(map.shape).toEqual([height, width]);
      const { variables } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
      expect(variables[width + 2].name).toBe("r1c2");
      expect([...(map.data as Float64Array)]).toEqual(
        variables.map((row: { rate: number }) => row.rate),
      );
      const png = readFileSync(join(out, "importance-map.png"));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([56 * width, 56 * height]);
    },
  );

  test("is the map that explain has of the same network and pixels in memory", async () => {
    const out = file("map-again");
    await run([
      "stream",
      file("images.npy"),
      "--model",
      file("net.onnx"),
      "--target",
      file("y.npy"),
      "--out",
      out,
    ]);
    const explained = await run([
      "explain",
      file("images.npy"),
      "--model",
      file("net.onnx"),
      "--target",
      file("y.npy"),
      "--bias",
      "integrated",
      "--json",
    ]);
    expect(explained.code, explained.err).toBe(0);
    const shares = JSON.parse(explained.out).variables.map((row: { rate: number }) => row.rate);
    const map = readNpy(readFileSync(join(out, "importance-map.npy"))).data as Float64Array;
    for (const [j, share] of map.entries()) expect(Math.abs(share - shares[j])).toBeLessThan(1e-9);
  });
});

test.each([
  [["x.csv"], /needs a \.bed, \.npy or \.parquet file or a Zarr folder|there is no such file/],
  [
    ["x.bed", "--activations", "a", "--model", "b.onnx"],
    /needs --activations or --model, got both/,
  ],
  [["x.bed", "--model", "m.ratewise"], /--model needs a network in ONNX/],
  [["x.bed", "--activations", "a", "--epochs", "3"], /--epochs is of training/],
  [["x.bed", "--pheno", "a"], /--pheno and --trait need each other/],
  [["X.npy", "--pheno", "a", "--trait", "t"], /--pheno is of genotypes/],
  [["x.bed", "--resume"], /--resume needs --out/],
  [["x.bed", "--memory", "much"], /--memory needs an amount such as 4GB/],
  [["x.bed", "--select", "0.1"], /--select needs fdr=/],
  [["x.bed", "--permutations", "5"], /--permutations needs --select/],
  [["x.bed", "--penalty", "a"], /--penalty needs numbers ≥ 0/],
  [["x.bed", "--by", "tiles"], /--by needs columns or rows/],
  [["x.bed", "--pheno", "a", "--trait", "t", "--target", "y.npy"], /--target or --pheno.*got both/],
  [["x.bed", "--target", "height"], /--target of genotypes needs a \.npy file/],
  [["x.bed", "--window", "50k"], /--window is of genes and needs --groups/],
  [["x.bed", "--groups", "g.json", "--window", "much"], /--window needs base pairs/],
  [["X.npy", "--activations", "H.npy", "--task", "regression"], /--task is of the response/],
  [["X.npy", "--activations", "H.npy", "--select", "fdr=0.1"], /--select is of the response/],
  [["X.npy", "--covariates", "c.npy"], /--covariates is of the response/],
  [["x.bed", "--covariates", "a", "--task", "classification"], /classes are none/],
  [["X.npy", "--target", "y.npy", "--precision", "single"], /--precision single is of genotypes/],
  [["x.bed", "--force"], /--force needs --out/],
  [["x.bed", "--plan", "--resume", "--out", "o"], /--plan is of a whole run/],
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

describe("covariates", () => {
  const age = Float64Array.from({ length: n }, (_, i) => 20 + ((i * 7) % 41));
  const traits = y.map((value, i) => value + 0.5 * age[i]);
  const freed = regressOut(traits, [{ kind: "number", name: "age", values: age }]).values;
  const shares = async (argv: readonly string[]): Promise<number[]> => {
    const { code, out, err } = await run([
      "stream",
      ...argv,
      "--activations",
      file("H.npy"),
      "--json",
    ]);
    expect(code, err).toBe(0);
    const document = JSON.parse(out);
    const note = document.diagnostics.find(
      ({ code: kind }: { code: string }) => kind === "covariates-regressed-out",
    );
    expect(note?.rows ?? n).toBe(n);
    return document.variables.map((row: { rate: number }) => row.rate);
  };
  const close = (got: readonly number[], want: readonly number[]) =>
    expect(Math.max(...got.map((share, j) => Math.abs(share - want[j])))).toBeLessThan(1e-10);

  test("are taken out of the response, of every format, as explain takes them out", async () => {
    writeFileSync(file("freed.npy"), writeNpy({ shape: [n], data: freed }));
    writeFileSync(file("traits.npy"), writeNpy({ shape: [n], data: traits }));
    writeFileSync(file("age.npy"), writeNpy({ shape: [n, 1], data: age }));
    const rows = Array.from({ length: n }, (_, i) => `f${i} i${i} ${age[i]} ${traits[i]}\n`);
    writeFileSync(file("people.txt"), `FID IID age height\n${rows.join("")}`);
    writeFileSync(
      file("ages.cov"),
      `FID IID age\n${rows.map((row) => row.split(" ").slice(0, 3).join(" ")).join("\n")}\n`,
    );
    const number = (name: string, values: Iterable<number>) => ({
      ...{ name, kind: "number" as const, values: [...values] },
    });
    const columns = names.map((id, j) =>
      number(
        id,
        Array.from({ length: n }, (_, i) => X.data[i * p + j]),
      ),
    );
    writeFileSync(
      file("covered.parquet"),
      writeParquet([...columns, number("age", age), number("height", traits)]),
    );
    const expectedShares = await shares([file("X.npy"), "--target", file("freed.npy")]);
    const plain = await shares([file("X.npy"), "--target", file("traits.npy")]);
    expect(Math.abs(plain[7] - expectedShares[7])).toBeGreaterThan(1e-4);
    for (const argv of [
      [file("X.npy"), "--target", file("traits.npy"), "--covariates", file("age.npy")],
      [file("x.bed"), "--pheno", file("people.txt"), "--trait", "height", "--covariates", "age"],
      [
        file("x.bed"),
        "--pheno",
        file("people.txt"),
        "--trait",
        "height",
        "--covariates",
        file("ages.cov"),
      ],
      [file("x.bed"), "--target", file("traits.npy"), "--covariates", file("age.npy")],
      [file("covered.parquet"), "--target", "height", "--covariates", "age"],
    ])
      close(await shares(argv), expectedShares);
  });

  test("of another number of rows, or by a name that nothing has, are refused", async () => {
    writeFileSync(file("few.npy"), writeNpy({ shape: [9], data: age.slice(0, 9) }));
    const few = await run([
      ...["stream", file("X.npy"), "--target", file("y.npy"), "--covariates", file("few.npy")],
    ]);
    expect(few.err).toContain("few.npy: needs numbers, 60 rows × covariates, got shape (9)");
    const named = await run([
      ...["stream", file("X.npy"), "--target", file("y.npy"), "--covariates", "age"],
    ]);
    expect(named.err).toContain(
      '--covariates beside --target needs a .npy file, a row for each of X, got "age"',
    );
  });
});

test("copies of a column keep the order of the columns, in whatever blocks they stand", async () => {
  const [copies, width] = [6, 4];
  const data = Float64Array.from({ length: n * copies * width }, (_, e) => {
    const [i, j] = [Math.floor(e / (copies * width)), e % (copies * width)];
    return Math.fround(X.data[i * p + (j % width)] / 3 + H.data[i * l + (j % 2)] / 7);
  });
  writeFileSync(file("copies.npy"), writeNpy({ shape: [n, copies * width], data }));
  for (const block of ["5", "7", "24"]) {
    const { out } = await run([
      ...["stream", file("copies.npy"), "--target", file("y.npy"), "--activations", file("H.npy")],
      ...["--by", "columns", "--block", block, "--json"],
    ]);
    const ranks = JSON.parse(out).variables.map((row: { rank: number }) => row.rank);
    for (let j = 0; j < width; j++)
      for (let c = 1; c < copies; c++) expect(ranks[c * width + j] - ranks[j]).toBe(c);
  }
});
