import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();

test("without a name the studies are listed", async () => {
  const { code, out } = await run(["study"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^collinearity {2}Projections/m);
  const { studies } = JSON.parse((await run(["study", "--json"])).out);
  expect(studies[0]).toMatchObject({ name: "collinearity", needs: [] });
});

test("a study is written as a page with its figures, and printed with its answer", async () => {
  const at = join(folder, "collinearity");
  const { code, out, err } = await run(["study", "collinearity", "--quick", "--out", at]);
  expect([code, err]).toEqual([0, expect.stringContaining("the study is")]);
  expect(err).not.toContain("earlier result");
  expect(out).toContain("covariance of x₁, ρ = 0.999");
  expect(readdirSync(at).toSorted()).toEqual(["figures", "result.json", "study.md"]);
  expect(readdirSync(join(at, "figures")).toSorted()).toEqual(["estimates.png", "estimates.svg"]);
  const document = JSON.parse(readFileSync(join(at, "result.json"), "utf8"));
  expect(document).toMatchObject({ kind: "study", study: "collinearity", quick: true, seed: 1 });
  expect(readFileSync(join(at, "study.md"), "utf8")).toContain("figures/estimates.svg");
});

test("an earlier result is said to have been replaced, and its page and figures go; files of others stay", async () => {
  const at = join(folder, "again");
  mkdirSync(join(at, "figures"), { recursive: true });
  const earlier = { kind: "study", figures: [{ name: "words" }] };
  writeFileSync(join(at, "result.json"), JSON.stringify(earlier));
  for (const name of ["figures/words.svg", "figures/words.png", "figures/mine.svg", "notes.txt"])
    writeFileSync(join(at, name), "old");
  const { code, err } = await run(["study", "collinearity", "--quick", "--out", `${at}/`]);
  expect(code).toBe(0);
  expect(err).toContain(`ratewise: the earlier result in ${at} was replaced\n`);
  expect(readdirSync(join(at, "figures")).toSorted()).toEqual([
    ...["estimates.png", "estimates.svg", "mine.svg"],
  ]);
  expect(readFileSync(join(at, "notes.txt"), "utf8")).toBe("old");
  expect(JSON.parse(readFileSync(join(at, "result.json"), "utf8")).study).toBe("collinearity");
});

test("the quick version ends with 1 when responses are permuted, after it has said what it found", async () => {
  const { code, out, err } = await run([
    "study",
    "collinearity",
    "--quick",
    "--permuted",
    "--json",
  ]);
  expect(code).toBe(1);
  expect(JSON.parse(out).permuted).toBe(true);
  expect(err).toContain("study collinearity --quick:");
  expect(err).toContain("needs at least 1.97");
});

test.each([
  [["study", "colinearity"], 2, 'there is no study "colinearity"; did you mean "collinearity"?'],
  [["study", "a", "b"], 2, "needs one study, got 2"],
  [
    ["study", "selection"],
    2,
    '"selection" is not run by this command: node studies/dist/selection/run.js --journal studies/results/selection.jsonl runs it in a checkout, and its results are docs/studies/selection.md',
  ],
  [["study", "calibration"], 2, "node studies/dist/calibration/run.js --journal"],
  [
    ["study", "collinearity", "--covariates", "cage"],
    1,
    'study collinearity: needs no covariates, got "cage"; leave --covariates out',
  ],
  [
    ["study", "imdb"],
    1,
    "study imdb: needs the data set imdb, got no RATEWISE_DATA; run ratewise data get imdb",
  ],
] as [string[], number, string][])("%j", async (argv, expected, message) => {
  const { code, out, err } = await run(argv, { environment: { RATEWISE_CACHE: folder } });
  expect([code, out]).toEqual([expected, ""]);
  expect(err).toContain(message);
});
