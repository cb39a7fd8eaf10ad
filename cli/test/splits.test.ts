import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompareDocument, ExplainDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { writeColourTable } from "./support/colour-table.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);
const unused = ["label", "three"].flatMap((name) => ["--exclude", name]);
const small = ["--hidden", "4", ...unused];

beforeAll(() => {
  writeColourTable(file("data.csv"), 300);
  const [header, ...rows] = readFileSync(file("data.csv"), "utf8").trim().split("\n");
  const day = (i: number) => `2024-0${1 + (i % 9)}-15`;
  const dated = rows.map((row, i) => `${row},s${i % 20},${day(i)}`);
  writeFileSync(file("data.csv"), `${[`${header},site,day`, ...dated].join("\n")}\n`);
  const columns = (row: string) => row.split(",").slice(1, 9).reverse().join(",");
  writeFileSync(file("test.csv"), `${[header, ...rows.slice(0, 60)].map(columns).join("\n")}\n`);
  const strange = rows[0].replace("red", "violet");
  writeFileSync(file("strange.csv"), `${[header, strange].join("\n")}\n`);
  writeFileSync(file("cut.csv"), "a,y\n1,2\n");
});

async function json<Document = ExplainDocument>(command: string, ...argv: string[]) {
  const { code, out, err } = await run([
    command,
    file("data.csv"),
    "--json",
    "--target",
    "y",
    ...small,
    ...argv,
  ]);
  expect([code, err]).toEqual([0, expect.not.stringContaining("ratewise:")]);
  return JSON.parse(out) as Document;
}
const text = async (...argv: string[]) => {
  const { code, out, err } = await run([
    "explain",
    file("data.csv"),
    "--target",
    "y",
    ...small,
    ...argv,
  ]);
  return { code, err, out: out.replace(/\s+/g, " ") };
};

describe("rows are held out", () => {
  test("by groups, by time or in a file, and the first line says so", async () => {
    const sites = await text("--split-by", "site", "--exclude", "day");
    expect(sites.out).toMatch(
      /On 90 rows of 6 other groups \(site\), which it never saw, it explains \d+\.\d% of the variance \(\d+\.\d% to \d+\.\d%\) and is off by 0\.\d+ on average\./,
    );
    const days = await text("--time", "day", "--exclude", "site");
    expect(days.out).toMatch(
      /On the 99 latest rows \(day from 2024-07-15\), which it never saw, it explains \d+\.\d% of the variance and is off by/,
    );
    const tested = await text("--test", file("test.csv"), "--exclude", "site", "--exclude", "day");
    expect(tested.out).toMatch(/on 300 rows\. On 60 rows of the test file, it explains/);
  });

  test("in folds, whose networks are the ensemble", async () => {
    const document = await json("explain", "--folds", "3", "--exclude", "site");
    expect(document.model).toMatchObject({
      ensemble: 3,
      split: { kind: "folds", folds: 3 },
      rows: { train: 300, test: 300 },
    });
    expect(document.options).toMatchObject({ folds: 3 });
    expect(document.options).not.toHaveProperty("testFraction");
    const { out } = await text("--folds", "3", "--exclude", "site");
    expect(out).toMatch(
      /3 networks .*each trained without one of 3 parts of 300 rows\. On the part that it did not see, it explains/,
    );
  });

  test("for compare too, whose shuffled rows are those", async () => {
    const asked = ["--methods", "rate,gradient", "--exclude", "site", "--exclude", "day"];
    const document = await json<CompareDocument>("compare", ...asked, "--test", file("test.csv"));
    expect(document.shuffle.rows).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(document.options).toMatchObject({ test: file("test.csv") });
    const { shuffle, scores } = document;
    for (const curve of shuffle.curves) expect(curve.scores[0]).toBeCloseTo(scores.score, 12);
  });

  test("and what their rows' predictions are made of is theirs", async () => {
    const { code, out } = await run([
      ...["explain", file("data.csv"), "--target", "y", ...small, "--exclude", "site"],
      ...["--exclude", "day", "--test", file("test.csv"), "--format", "shap"],
    ]);
    expect(code).toBe(0);
    const { data, feature_names } = JSON.parse(out) as {
      data: number[][];
      feature_names: string[];
    };
    const [header, ...rows] = readFileSync(file("test.csv"), "utf8").trim().split("\n");
    const a = rows.map((row) => row.split(",")[header.split(",").indexOf("a")]);
    const given = data.map((row) => row[feature_names.indexOf("a")]);
    expect([...given].sort()).toEqual(a.map(Number).sort());
  });
});

test("folds are of networks", async () => {
  const asked = ["explain", file("data.csv"), "--target", "y", "--model", "gp", "--folds", "3"];
  expect((await run(asked)).err).toContain("--folds applies to new networks only");
});

test("the command in the result holds the option, and the option's file is recorded", async () => {
  const { options } = await json("explain", "--split-by", "site");
  expect(options).toMatchObject({ splitBy: "site", testFraction: 0.3 });
  expect(options.command).toContain("--split-by site");
});

describe("what cannot be is refused", () => {
  test.each([
    [
      ["--split-by", "site", "--time", "day"],
      "--split-by and --time exclude one another; remove one",
    ],
    [["--folds", "3", "--test", "t.csv"], "--folds and --test exclude one another"],
    [["--folds", "3", "--test-fraction", "0.2"], "--test-fraction and --folds exclude one another"],
    [["--folds", "3", "--ensemble", "2"], "--ensemble and --folds exclude one another"],
    [["--folds", "3", "--compare", "rate"], "--compare and --folds exclude one another"],
    [["--test", "t.csv", "--covariates", "a"], "--test and --covariates exclude one another"],
    [["--folds", "1"], "--folds needs a whole number of at least 2"],
    [["--time", "day", "--model", "net.onnx"], "--time applies to new models of tables only"],
  ] as [string[], string][])("%j", async (argv, message) => {
    const { code, out, err } = await text(...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  test.each([
    [
      ["--test", "strange.csv"],
      'the test table: column "colour" is "violet" in row 1, a level that',
    ],
    [
      ["--test", "cut.csv"],
      'the test table: has no column "copy", "colour", "noise1", "=noise2()"; its columns are a, y',
    ],
    [["--test", "none.csv"], "none.csv"],
    [["--time", "colour"], 'needs times in column "colour", but row 1 holds "red"'],
    [["--split-by", "nobody"], 'no column "nobody"'],
    [["--folds", "200"], "needs from 2 to 150 --folds of 300 rows, got 200"],
  ] as [string[], string][])("%j in the data", async ([option, value], message) => {
    const named = value.endsWith(".csv") ? file(value) : value;
    const { code, out, err } = await text(option, named, "--exclude", "site", "--exclude", "day");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });
});

describe("ratewise predict", () => {
  test("scores the model where the table holds what is predicted", async () => {
    const folder = file("scored");
    const without = ["--exclude", "site", "--exclude", "day"];
    const asked = ["--test", file("test.csv"), ...without, "--out", folder];
    await run(["explain", file("data.csv"), "--target", "y", ...small, ...asked]);
    const { scores } = JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
    const model = ["--model", join(folder, "model.ratewise")];
    const { out, err } = await run(["predict", file("test.csv"), ...model, "--json"]);
    const predicted = JSON.parse(out);
    for (const name of ["r2", "mae", "rmse", "lower"])
      expect(predicted.scores[name]).toBeCloseTo(scores[name], 12);
    expect(predicted.scores.baseline).toBeCloseTo(0, 12);
    expect(err.replace(/\s+/g, " ")).toMatch(
      /on 60 rows that hold "y", the model explains \d+\.\d% of the variance .*If it was trained on them, this is too good\./,
    );
    const [header, ...rows] = readFileSync(file("test.csv"), "utf8").trim().split("\n");
    const cut = [header, ...rows].map((row) => {
      const cells = row.split(",");
      cells.splice(header.split(",").indexOf("y"), 1);
      return cells;
    });
    writeFileSync(file("without.csv"), `${cut.map((row) => row.join(",")).join("\n")}\n`);
    const blind = await run(["predict", file("without.csv"), ...model, "--json"]);
    expect(JSON.parse(blind.out).scores).toBeNull();
    expect(blind.err).not.toContain("the model");
  });
});
