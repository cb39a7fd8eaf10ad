import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import type { ExplainDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { writeColourTable } from "./support/colour-table.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);
const n = 600;

beforeAll(() => writeColourTable(file("data.csv"), n));

const explainJson = async (...argv: string[]): Promise<ExplainDocument> => {
  const { code, out, err } = await run(["explain", file("data.csv"), "--json", ...argv]);
  expect([code, err]).toEqual([0, expect.not.stringContaining("ratewise:")]);
  return JSON.parse(out);
};
const without = ["--exclude", "label", "--exclude", "three"];

describe("ratewise explain", () => {
  test("finds what matters in a regression, keeps a category together, and names the stand-in", async () => {
    const document = await explainJson("--target", "y", ...without);
    expect(document).toMatchObject({
      kind: "explain",
      task: "regression",
      recipe: "standard",
      seed: 1,
      effect: "covariance",
      classes: null,
    });
    expect(document.model.heldOut.score).toBeGreaterThan(0.9);
    const names = document.variables.map((v) => v.name);
    expect(names).toEqual(["a", "copy", "colour", "noise1", "=noise2()"]);
    const [a, copy, colour, noise1] = document.variables;
    expect(a.direct!.rank).toBe(1);
    expect(colour.direct!.rank).toBe(2);
    expect(copy.standInFor).toBe("a");
    expect(a.standInFor).toBeNull();
    expect(noise1.rate!).toBeLessThan(0.02);
    const sum = (pick: (v: ExplainDocument["variables"][number]) => number) =>
      document.variables.reduce((s, v) => s + pick(v), 0);
    expect(sum((v) => v.rate!)).toBeCloseTo(1, 12);
    expect(sum((v) => v.direct!.rate)).toBeCloseTo(1, 12);
    expect(document.excluded).toContainEqual({ name: "row", reason: "counts the rows" });
  });

  test("classes: two by text, three by number with a note and a table a class", async () => {
    const two = await explainJson("--target", "label", "--exclude", "y", "--exclude", "three");
    expect(two).toMatchObject({ task: "classification", classes: null });
    expect(two.model.heldOut).toMatchObject({ metric: "accuracy" });
    expect(two.model.heldOut.score).toBeGreaterThan(0.9);
    const three = await explainJson("--target", "three", "--exclude", "y", "--exclude", "label");
    expect(three.classes!.map((c) => c.class)).toEqual(["0", "1", "2"]);
    expect(three.model.heldOut.score).toBeGreaterThan(0.95);
    // RATE asks what fixing a variable does to the others; nothing here goes along with colour.
    expect(three.variables.find((v) => v.name === "colour")!.direct!.rank).toBe(1);
    expect(three.diagnostics.map((d) => d.code)).toContain("target-taken-as-classes");
    const forced = await explainJson(
      "--target",
      "three",
      "--task",
      "regression",
      "--exclude",
      "y",
      "--exclude",
      "label",
    );
    expect(forced.task).toBe("regression");
  });

  test("the same seed gives the same bytes for any number of workers, another seed another network", async () => {
    const once = (...argv: string[]) =>
      run([
        "explain",
        file("data.csv"),
        "--json",
        "--target",
        "y",
        "--ensemble",
        "2",
        ...without,
        ...argv,
      ]);
    const first = await once("--workers", "1");
    expect((await once("--workers", "2")).out).toBe(first.out);
    expect((await once("--workers", "1", "--seed", "2")).out).not.toBe(first.out);
    const plain = await once("--engine", "plain", "--workers", "2");
    expect(JSON.parse(plain.out).engine).toBe("plain");
    expect((await once("--engine", "plain", "--workers", "1")).out).toBe(plain.out);
    expect(JSON.parse(plain.out).variables).not.toEqual(JSON.parse(first.out).variables);
    const { model, posteriorRank } = JSON.parse(first.out);
    expect([model.ensemble, model.penalty.length]).toEqual([2, 2]);
    expect(posteriorRank).toBeLessThanOrEqual(7);
  });

  test("groups of columns are ranked too, a category counting as one variable", async () => {
    writeFileSync(
      file("groups.json"),
      '{ "signal": ["a", "colour"], "noise": ["noise1", "=noise2()"] }',
    );
    const { groups } = await explainJson(
      "--target",
      "y",
      ...without,
      "--groups",
      file("groups.json"),
    );
    expect(groups.map((g) => [g.name, g.size, g.rank, g.direct!.rank])).toEqual([
      ["signal", 2, 1, 1],
      ["noise", 2, 2, 2],
    ]);
    expect(groups[0].rate! + groups[1].rate!).toBeCloseTo(1, 12);
  });

  test("writes a folder, replaces its own, and leaves somebody else's alone", async () => {
    const out = file("result");
    const argv = ["explain", file("data.csv"), "--target", "y", ...without, "--out", out];
    expect((await run(argv)).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      "figures",
      "importance.csv",
      "importance.parquet",
      "model.ratewise",
      "report.html",
      "result.json",
    ]);
    const figures = [
      "architecture",
      "importance",
      "predictions",
      ...[1, 2, 3, 4, 5].map((k) => `shape-${k}`),
    ];
    expect(readdirSync(join(out, "figures")).sort()).toEqual(
      figures.flatMap((name) => [`${name}.png`, `${name}.svg`]),
    );
    const report = readFileSync(join(out, "report.html"), "utf8");
    expect(report).toContain("<title>What matters for y</title>");
    expect(report).toContain(
      `ratewise explain ${file("data.csv")} --target y --exclude label --exclude three`,
    );
    const drawn = readFileSync(join(out, "figures", "architecture.svg"), "utf8");
    expect(drawn).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(drawn).toContain(">colour=blue<");
    const { variables } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
    const [header, first] = readFileSync(join(out, "importance.csv"), "utf8").split("\n");
    expect(header.split(",").slice(0, 3)).toEqual(["name", "rank", "rate"]);
    expect(first.split(",").slice(0, 3)).toEqual([
      "a",
      `${variables[0].rank}`,
      `${variables[0].rate}`,
    ]);
    expect((await run(argv)).code).toBe(0);
    mkdirSync(file("theirs"));
    writeFileSync(file("theirs/thesis.tex"), "");
    const refused = await run([...argv.slice(0, -1), file("theirs")]);
    expect([refused.code, readdirSync(file("theirs"))]).toEqual([1, ["thesis.tex"]]);
    expect(refused.err).toContain("not empty");
    // Forced, or in a folder of ours, it replaces its own three files and nothing else.
    writeFileSync(join(out, "notes.txt"), "mine");
    for (const [folder, kept] of [
      [file("theirs"), "thesis.tex"],
      [out, "notes.txt"],
    ]) {
      expect((await run([...argv.slice(0, -1), folder, "--force"])).code).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(
        [
          "figures",
          "importance.csv",
          "importance.parquet",
          "model.ratewise",
          "report.html",
          "result.json",
          kept,
        ].sort(),
      );
    }
    // Colleagues may look, as the umask says.
    expect(statSync(out).mode & 0o777).toBe(0o777 & ~process.umask());
    expect(readdirSync(here).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("shows people the model's quality, bars and cautions", async () => {
    const { out } = await run(["explain", file("data.csv"), "--target", "y", ...without]);
    expect(out).toMatch(/y \(regression\) from 5 variables/);
    expect(out).toMatch(/it never saw, it explains 9\d\.\d%/);
    expect(out).toMatch(/copy .*█.* stands in for a/);
    expect(out).toContain("Left out: label (left out as asked)");
    // What is about the numbers inside stays in the document.
    const { diagnostics } = await explainJson("--target", "y", ...without);
    expect(diagnostics.map(({ code }) => code)).toContain("posterior-rank");
    expect(out).not.toMatch(/posterior covariance|published code|standard deviations/);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe("ratewise predict", () => {
  test("predicts to the bit what the library does, for numbers and classes", async () => {
    const folder = file("predicting");
    await run(["explain", file("data.csv"), "--target", "y", ...without, "--out", folder]);
    const { code, out } = await run([
      "predict",
      file("data.csv"),
      "--model",
      join(folder, "model.ratewise"),
    ]);
    const lines = out.trimEnd().split("\n");
    expect([code, lines[0], lines.length]).toEqual([0, "mean,sd", n + 1]);
    const y = readFileSync(file("data.csv"), "utf8")
      .split("\n")
      .slice(1, n + 1)
      .map((line) => Number(line.split(",")[6]));
    const error = y.reduce((s, v, i) => s + (v - Number(lines[i + 1].split(",")[0])) ** 2, 0) / n;
    const sd = Number(lines[1].split(",")[1]);
    expect(error).toBeLessThan(0.3);
    // The noise has 0.3; the network's own error comes on top.
    expect(sd).toBeGreaterThan(0.25);
    expect(sd).toBeLessThan(0.7);
    const again = await run([
      "predict",
      file("data.csv"),
      "--model",
      join(folder, "model.ratewise"),
    ]);
    expect(again.out).toBe(out);

    await run([
      "explain",
      file("data.csv"),
      "--target",
      "label",
      "--exclude",
      "y",
      "--exclude",
      "three",
      "--out",
      folder,
    ]);
    const classes = await run([
      "predict",
      file("data.csv"),
      "--model",
      join(folder, "model.ratewise"),
      "--json",
    ]);
    const row = JSON.parse(classes.out).rows[0];
    expect(Object.keys(row)).toEqual(["class", "p(high)", "p(low)"]);
    expect(row["p(high)"] + row["p(low)"]).toBeCloseTo(1, 12);
  });

  test("a foreign file, a damaged model and a missing column are clear errors", async () => {
    const folder = file("damaging");
    await run(["explain", file("data.csv"), "--target", "y", ...without, "--out", folder]);
    const model = join(folder, "model.ratewise");
    const refuse = async (argv: string[], message: string) => {
      const { code, out, err } = await run(argv);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(message);
    };
    await refuse(["predict", file("data.csv"), "--model", file("data.csv")], "not a ratewise file");
    const bytes = readFileSync(model);
    bytes[bytes.length - 3] ^= 1;
    writeFileSync(file("damaged"), bytes);
    await refuse(["predict", file("data.csv"), "--model", file("damaged")], "damaged or cut off");
    // Neither the table nor the model is overwritten by what is made from them.
    for (const out of [file("data.csv"), model]) {
      const { code } = await run(["predict", file("data.csv"), "--model", model, "--out", out]);
      expect([code, existsSync(out)]).toEqual([2, true]);
    }
    writeFileSync(file("short.csv"), "a,b\n1,2\n");
    await refuse(["predict", file("short.csv"), "--model", model], 'no column "copy"');
  });
});

test("--posterior and --model gp reach the document, the screen and the model", async () => {
  const target = ["explain", file("data.csv"), "--target", "y", ...without];
  for (const [argv, kind, words] of [
    [["--posterior", "laplace"], "laplace", "(last layer by Laplace)"],
    [["--posterior", "swag"], "swag", "(last layer by SWAG)"],
    [
      ["--model", "gp", "--subsample", "200"],
      "gp",
      "a Gaussian process (kernel rbf) fitted to 200",
    ],
  ] as const) {
    const folder = file(`posterior-${kind}`);
    const { code, out } = await run([...target, ...argv, "--out", folder]);
    expect(code).toBe(0);
    expect(out.replaceAll("\n", " ")).toContain(words);
    const { model, options, variables } = JSON.parse(
      readFileSync(join(folder, "result.json"), "utf8"),
    ) as ExplainDocument;
    expect(model.posterior).toBe(kind);
    expect(options).toMatchObject(
      kind === "gp" ? { model: "gp", kernel: "rbf" } : { posterior: kind },
    );
    expect(variables.find(({ name }) => name === "a")!.direct!.rank).toBe(1);
    const predicted = await run([
      "predict",
      file("data.csv"),
      "--model",
      join(folder, "model.ratewise"),
    ]);
    expect([predicted.code, predicted.out.split("\n").length]).toEqual([0, n + 2]);
  }
});

test("a network that uses one input alone is said to use that one", async () => {
  const next = normals(fold(keyFromSeed(2), "alone"));
  const rows = Array.from({ length: 400 }, () => {
    const a = next();
    return [a, next(), next(), next(), a].join(",");
  });
  writeFileSync(file("alone.csv"), `a,b,c,d,y\n${rows.join("\n")}\n`);
  const { out } = await run(["explain", file("alone.csv"), "--target", "y", "--json"]);
  const { variables } = JSON.parse(out) as ExplainDocument;
  expect(variables[0].direct!.rate).toBeGreaterThan(0.99);
});

test("unrelated columns of a wide table stand in for nobody, and few held-out rows are said to be few", async () => {
  const next = normals(fold(keyFromSeed(3), "wide"));
  const rows = Array.from({ length: 60 }, () => {
    const x = Array.from({ length: 200 }, next);
    return [...x, 3 * x[0] - 2 * x[7] + 0.3 * next()].join(",");
  });
  const header = Array.from({ length: 200 }, (_, j) => `g${j}`).join(",");
  writeFileSync(file("wide.csv"), `${header},y\n${rows.join("\n")}\n`);
  const { out } = await run(["explain", file("wide.csv"), "--target", "y", "--json"]);
  const { variables, diagnostics } = JSON.parse(out) as ExplainDocument;
  expect(variables.filter(({ standInFor }) => standInFor !== null)).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toContain("few-held-out-rows");
});

test("a network that has learnt nothing is said so above the ranking", async () => {
  const next = normals(fold(keyFromSeed(4), "noise"));
  const rows = Array.from({ length: 300 }, () => [next(), next(), next()].join(","));
  writeFileSync(file("noise.csv"), `a,b,y\n${rows.join("\n")}\n`);
  const { out } = await run(["explain", file("noise.csv"), "--target", "y"]);
  expect(out.indexOf("has not learnt this")).toBeGreaterThan(0);
  expect(out.indexOf("has not learnt this")).toBeLessThan(out.indexOf("rank  variable"));
});

describe("what cannot be explained", () => {
  const cases: [string, string, string[], string][] = [
    [
      "a target that is not there",
      "a,b,y\n1,2,3\n",
      ["--target", "z"],
      'no column "z"; the columns are a, b, y',
    ],
    [
      "a constant target",
      "a,b,y\n1,2,3\n2,3,3\n",
      ["--target", "y"],
      'the target "y" is "3" in every row',
    ],
    [
      "a target that is missing everywhere",
      "a,b,y\n1,2,\n2,3,NA\n",
      ["--target", "y"],
      "missing in every row",
    ],
    [
      "numbers of all kinds as classes",
      `a,b,y\n${Array.from({ length: 30 }, (_, i) => `${i},${i % 7},${i + 0.5}`).join("\n")}\n`,
      ["--target", "y", "--task", "classification"],
      "too many for classes",
    ],
    ["a single row", "a,b,y\n1,2,3.5\n", ["--target", "y"], "needs at least 10 usable rows, got 1"],
    [
      "too few rows",
      "a,b,y\n1,2,3.5\n2,1,4.5\n",
      ["--target", "y"],
      "at least 10 usable rows, got 2",
    ],
    ["an empty file", "", ["--target", "y"], "the file is empty"],
    [
      "a ragged line",
      "a,b,y\n1,2,3\n1,2\n",
      ["--target", "y"],
      "line 3: 2 fields where the header has 3",
    ],
  ];
  test.each(cases)(
    "%s: exit code 1, the file in the message, nothing written",
    async (_, text, argv, message) => {
      writeFileSync(file("bad.csv"), text);
      const out = file("never");
      const result = await run(["explain", file("bad.csv"), ...argv, "--out", out]);
      expect([result.code, result.out, existsSync(out)]).toEqual([1, "", false]);
      expect(result.err).toContain(message);
      expect(result.err).toContain("bad.csv");
    },
  );

  test.each([
    [["explain"], "needs one table"],
    [["explain", "a.csv"], "needs --target"],
    [["explain", "a.csv", "--target", "y", "--recipe", "standart"], 'did you mean "standard"'],
    [["explain", "a.csv", "--target", "y", "--hidden", "3,x"], "--hidden needs whole numbers"],
    [
      ["explain", "a.csv", "--target", "y", "--ensemble", "0"],
      "--ensemble needs a whole number above 0",
    ],
    [
      ["explain", "a.csv", "--target", "y", "--test-fraction", "1"],
      "--test-fraction needs a share above 0 and below 1",
    ],
    [["explain", "a.csv", "--target", "y", "--posterior", "laplac"], 'did you mean "laplace"'],
    [
      ["explain", "a.csv", "--target", "y", "--model", "tree"],
      "--model needs network, gp or a file that ends in .onnx",
    ],
    [
      ["explain", "a.csv", "--target", "y", "--kernel", "rbf"],
      "--kernel applies to Gaussian processes only",
    ],
    [
      ["explain", "a.csv", "--target", "y", "--model", "gp", "--ensemble", "2"],
      "--ensemble applies to new networks only",
    ],
    [
      ["explain", "a.csv", "--target", "y", "--model", "gp", "--kernel", "cosine"],
      "--kernel needs rbf, matern52 or linear",
    ],
    [["predict", "a.csv"], "needs --model"],
    [
      ["predict", "a.csv", "--model", "m", "--out", "x.json"],
      "--out needs a name that ends in .csv",
    ],
    [["rank", "p.json", "--nugget", "-1"], "--nugget needs a value; write --nugget=-1"],
  ])("%j is a wrong command line: exit code 2", async (argv, message) => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
