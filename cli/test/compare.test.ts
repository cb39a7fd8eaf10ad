import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import type { CompareDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);

beforeAll(() => {
  const next = normals(fold(keyFromSeed(1), "table"));
  const rows = Array.from({ length: 300 }, (_, i) => {
    const a = next();
    const y = 2 * a + 0.3 * next();
    return [
      a,
      a + 0.5 * next(),
      ["red", "green", "blue"][i % 3],
      next(),
      y,
      "same",
      i === 0 ? "rare" : "common",
    ].join(",");
  });
  writeFileSync(file("data.csv"), `a,copy,colour,=noise(),y,one,rare\n${rows.join("\n")}\n`);
});

const quick = [
  "--repeats",
  "2",
  "--methods",
  "rate,gradient,gbm,correlation",
  "--exclude",
  "one",
  "--exclude",
  "rare",
];
const compare = (...argv: string[]) => run(["compare", file("data.csv"), "--target", "y", ...argv]);
const withoutSeconds = (text: string): CompareDocument => {
  const document = JSON.parse(text);
  for (const method of document.methods) delete method.seconds;
  return document;
};

describe("ratewise compare", () => {
  test("prints ranks, the shuffle test, seconds and rank correlations, and nothing on stderr but progress", async () => {
    const { code, out, err } = await compare(...quick);
    expect([code, err]).toEqual([0, expect.not.stringContaining("ratewise:")]);
    expect(out).toMatch(/^y \(regression\) from 4 variables, 4 methods on one network/);
    expect(out).toMatch(/variable +RATE +gradient +gbm +correlation\na +1 +1 +1 +1\n/);
    expect(out).toMatch(/shuffle test +of +mean score +± se +mimic R² +seconds/);
    expect(out).toMatch(/\(3\) gbm +mimic +-?0\.\d{3} +0\.\d{3} +0\.9\d\d +\d+\.\d\d/);
    expect(out).toMatch(/ {4}random +-?0\.\d{3}/);
    expect(out).toMatch(/rank correlation +RATE +gradient +gbm +correlation\n\(1\) RATE +1\.00/);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("with all methods the tables name them by number and stay narrow", async () => {
    const { code, out } = await compare("--repeats", "2", "--exclude", "one", "--exclude", "rare");
    expect(code).toBe(0);
    expect(out).toMatch(/variable +\(1\) +\(2\)/);
    expect(out).toMatch(/\(12\) t-test +response/);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  test("the same seed gives the same document for any number of workers, but for the seconds", async () => {
    const argv = ["--json", ...quick, "--search", "2x2"];
    const first = await compare(...argv, "--workers", "1");
    const again = await compare(...argv, "--workers", "2");
    expect(withoutSeconds(again.out)).toEqual(withoutSeconds(first.out));
    const document = withoutSeconds(first.out);
    expect(document).toMatchObject({ kind: "compare", schema: 2, seed: 1, task: "regression" });
    expect(document.options).toMatchObject({
      search: { candidates: 2, folds: 2 },
      repeats: 2,
      randomOrders: 10,
    });
    expect(document.dataHash).toMatch(/^sha256:/);
    const other = await compare(...argv, "--seed", "2");
    expect(withoutSeconds(other.out).variables).not.toEqual(document.variables);
    const plain = await compare("--json", ...quick, "--engine", "plain");
    expect(JSON.parse(plain.out).engine).toBe("plain");
  });

  test("--out writes a folder whole, spreadsheets' formulas as text, and not into somebody's files", async () => {
    writeFileSync(
      file("groups.json"),
      '{ "signal": ["a", "copy"], "rest": ["colour", "=noise()"] }',
    );
    const argv = [...quick, "--search", "2x2", "--groups", file("groups.json")];
    const { code, out, err } = await compare(...argv, "--out", file("result"), "--json");
    expect(code).toBe(0);
    expect(err).toContain(
      `the report is ${join(file("result"), "report.html")}; beside it are result.json, comparison.csv, shuffle.csv, search.csv, model.ratewise and figures`,
    );
    expect(readdirSync(file("result")).sort()).toEqual([
      "comparison.csv",
      "figures",
      "model.ratewise",
      "report.html",
      "result.json",
      "search.csv",
      "shuffle.csv",
    ]);
    expect(readdirSync(join(file("result"), "figures")).sort()).toEqual([
      "agreement.png",
      "agreement.svg",
      "shuffle-test.png",
      "shuffle-test.svg",
    ]);
    const report = readFileSync(join(file("result"), "report.html"), "utf8");
    expect(report).toContain("<title>Methods compared for y</title>");
    expect(report).toContain(`ratewise compare ${file("data.csv")} --target y`);
    expect(readFileSync(join(file("result"), "result.json"), "utf8")).toBe(out);
    const csv = readFileSync(join(file("result"), "comparison.csv"), "utf8").split("\n");
    expect(csv[0]).toBe(
      "kind,name,rate,rate rank,gradient,gradient rank,gbm,gbm rank,correlation,correlation rank",
    );
    expect(csv[1]).toMatch(/^variable,a,0\.\d+,1,/);
    expect(csv[4]).toMatch(/^variable,"'=noise\(\)",/);
    expect(csv[5]).toMatch(/^group,signal,/);
    const shuffle = readFileSync(join(file("result"), "shuffle.csv"), "utf8").split("\n");
    expect(shuffle[0]).toBe("method,shuffled,r2,standardError");
    expect(shuffle).toHaveLength(1 + 5 * 5 + 1);
    const search = readFileSync(join(file("result"), "search.csv"), "utf8").split("\n");
    expect(search).toHaveLength(1 + 2 + 1);
    mkdirSync(file("mine"));
    writeFileSync(join(file("mine"), "letter.txt"), "dear");
    const refused = await compare(...quick, "--out", file("mine"));
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("--force");
    const forced = await compare(...quick, "--out", file("mine"), "--force");
    expect(forced.code).toBe(0);
    expect(existsSync(join(file("mine"), "letter.txt"))).toBe(true);
  });

  test.each([
    [["--methods", "rate,forrest"], 2, 'there is no method "forrest"; did you mean "forest"?'],
    [["--methods", "magic"], 2, 'there is no method "magic"; choose one of rate, gradient,'],
    [
      ["--methods", "rate,gradient-rate"],
      2,
      'there is no method "gradient-rate"; it is called "gradient" now',
    ],
    [["--methods", "rate,rate"], 2, "every method once"],
    [
      ["--search", "30"],
      2,
      '--search needs candidates and folds, as 30x5, with at least 2 folds, got "30"',
    ],
    [["--search", "3x1"], 2, "at least 2 folds"],
    [["--random-orders", "5"], 2, '--random-orders needs a whole number of at least 10, got "5"'],
    [["--repeats", "1"], 2, '--repeats needs a whole number of at least 2, got "1"'],
    [["--repeats", "0"], 2, '--repeats needs a whole number of at least 2, got "0"'],
    [
      ["--search", "3x2", "--methods", "rate,correlation"],
      2,
      "--search needs a method that has settings (forest, gbm, tree-shap, group-forest, group-lasso), got --methods rate,correlation; remove --search",
    ],
    [["--hidden", "32,x"], 2, "--hidden needs whole numbers"],
    [
      ["--search", "2x500", "--methods", "forest"],
      1,
      "got 210 rows and 500 folds; ask for fewer folds",
    ],
    [["--target", "nothing"], 1, '"nothing"'],
    [["--target", "one"], 1, 'the target "one" is "same" in every row'],
  ])("%j is refused in words", async (argv, code, message) => {
    const outcome = await run(["compare", file("data.csv"), "--target", "y", ...argv]);
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    expect(outcome.err).toContain(message);
    expect(outcome.err).not.toContain("    at ");
  });

  test("no table and no target are usage errors", async () => {
    expect(await run(["compare", "--target", "y"])).toMatchObject({ code: 2, out: "" });
    expect((await run(["compare", file("data.csv")])).err).toContain("needs --target");
    expect((await run(["compare", "--help"])).out).toContain("--methods");
    expect((await run(["predict", "--help"])).out).toMatch(
      /"ratewise\s+explain\s+--out"\s+or\s+"ratewise\s+compare\s+--out"\s+wrote/,
    );
  });
});
