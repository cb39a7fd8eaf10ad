import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  distanceFromUniform,
  type KnockoffRequest,
  nullTable,
  runKnockoffCell,
  runNullCell,
  selectionPage,
  selectionRequests,
  selectionTable,
  summariseSelection,
} from "../src/index.ts";

const request: KnockoffRequest = {
  study: "knockoffs",
  link: "identity",
  rows: 3000,
  seed: 1,
  recipe: "paper",
  correlation: { kind: "independent" },
  method: "minimum-variance",
  members: 2,
  fdr: 0.1,
};

test("a knockoff cell selects causal variables, and is the same every time", async () => {
  const result = await runKnockoffCell(request);
  expect(result).toMatchObject(request);
  expect(result.ensemble.meanSquared.selected).toBeGreaterThanOrEqual(10);
  expect(result.ensemble.meanSquared.fdp).toBeLessThan(0.5);
  expect(result.ensemble.meanSquared.power).toBeGreaterThan(0.2);
  expect(result.one).not.toEqual(result.ensemble);
  const { seconds: _, ...again } = await runKnockoffCell(request);
  expect(result).toMatchObject(again);
});

test("pure noise gives p-values, and seldom a selection", async () => {
  const small = { rows: 80, variables: 6, fdr: 0.1 };
  const { pValues } = await runNullCell({ study: "uniform", seed: 1, ...small });
  for (const p of [pValues!.output, pValues!.refits]) {
    expect(p).toBeGreaterThan(0);
    expect(p).toBeLessThan(1);
  }
  const { selected } = await runNullCell({ study: "noise", seed: 1, ...small });
  expect(selected!.knockoffs).toBe(0); // fewer than ten can never pass at 0.1
});

const found = (fdp: number, power: number) => ({ fdp, power, selected: 10 });
const allFound = (fdp: number, power: number) => ({
  covariance: found(fdp, power),
  full: found(fdp, power),
  weak: found(fdp, power),
  meanSquared: found(fdp, power),
});
const made = (
  seed: number,
  one: readonly [fdp: number, power: number],
  ensemble: readonly [fdp: number, power: number] = [0, 0.2],
) => ({
  ...{ ...request, seed, one: allFound(...one), ensemble: allFound(...ensemble) },
  ...{ epochs: [1], penalties: [0], engine: "plain", seconds: 1, version: "1" },
});

test("a summary holds means with intervals beside what is asked", () => {
  const summaries = summariseSelection([made(1, [0.1, 0.4]), made(2, [0.3, 0.5])]);
  expect(summaries.length).toBe(8);
  const [first] = summaries;
  expect(first).toMatchObject({
    cell: "paper regression 3,000",
    ranking: "one covariance",
    seeds: 2,
    bar: 0.38,
  });
  expect(first.fdp).toBeCloseTo(0.2, 12);
  expect(first.power).toBeCloseTo(0.45, 12);
  expect(first.halfWidth).toBeCloseTo(1.96 * 0.1, 12); // sd/√n of two values 0.2 apart
  const table = selectionTable(summaries);
  expect(table).toContain("| one covariance | 2 | 0.200 ± 0.196 | yes | 0.450 | 0.38 | yes |");
  expect(table).toContain("| ensemble meanSquared | 2 | 0.000 ± 0.000 | yes | 0.200 | 0.44 | no |");
  expect(table).toContain("0.1000 (asked: at most 0.105)");
});

test("a rate is shown to be above 0.1 only beyond its interval, and cells stand by link, rows and recipe", () => {
  const low = [made(1, [0.2, 0.4]), made(2, [0.22, 0.5])];
  expect(selectionTable(summariseSelection(low))).toContain("| 0.210 ± 0.020 | no |");
  const names = summariseSelection([
    { ...made(1, [0, 0]), link: "logistic" },
    { ...made(1, [0, 0]), rows: 10_000 },
    { ...made(1, [0, 0]), recipe: "standard" },
    { ...made(1, [0, 0]), correlation: { kind: "blocks", rho: 0.8, size: 5 } },
    made(1, [0, 0]),
  ]).map(({ cell }) => cell);
  expect([...new Set(names)]).toEqual([
    "paper regression 3,000",
    "paper regression blocks 3,000",
    "standard regression 3,000",
    "paper regression 10,000",
    "paper classification 3,000",
  ]);
});

test("the null table counts quiet data sets, distances and coverage", () => {
  const base = { rows: 1, variables: 1, seed: 1, fdr: 0.1, engine: "plain", seconds: 0 };
  const none = { selected: null, pValues: null, covered: null };
  const text = nullTable([
    { ...base, ...none, study: "noise", selected: { knockoffs: 0, output: 1, refits: 0 } },
    { ...base, ...none, study: "noise", selected: { knockoffs: 0, output: 0, refits: 2 } },
    { ...base, ...none, study: "uniform", pValues: { output: 0.5, refits: 0.25 } },
    { ...base, ...none, study: "coverage", covered: 0.8 },
    { ...base, ...none, study: "coverage", covered: 1 },
  ]);
  expect(text).toContain("knockoffs: nothing selected | 2 of 2 | at least 98%");
  expect(text).toContain("output: nothing selected | 1 of 2 | at least 85%");
  expect(text).toContain("refits: √n·distance from uniform | 0.750");
  expect(text).toContain("0.900 (2 trials) | 0.85 to 0.95");
  expect(distanceFromUniform([0.125, 0.375, 0.625, 0.875])).toBeCloseTo(0.25, 12);
});

test("the requests are those of the tables: 100 seeds of small cells, 25 of large ones", () => {
  const all = selectionRequests({
    tables: ["knockoffs", "standard", "correlated", "noise", "uniform", "coverage"],
    rows: [3000, 10_000, 30_000, 100_000],
    links: ["identity", "logistic"],
    seeds: 25,
  });
  const count = (study: string) => all.filter((each) => each.study === study).length;
  expect([count("noise"), count("uniform"), count("coverage")]).toEqual([100, 500, 3 * 40]);
  const paper = 2 * (100 + 100 + 25 + 25);
  const standard = 2 * (100 + 100);
  const correlated = 2 * 2 * (100 + 25);
  expect(count("knockoffs")).toBe(paper + standard + correlated);
  expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(all.length);
});

test("the page tells what correlated columns and the other recipe make of power", () => {
  const blocks = { correlation: { kind: "blocks", rho: 0.8, size: 5 } as const, rows: 30_000 };
  const page = selectionPage([
    made(1, [0.1, 0.5], [0.05, 0.6]),
    { ...made(1, [0, 0.7], [0, 0.55]), recipe: "standard" },
    { ...made(1, [0, 0.25], [0, 0.35]), ...blocks },
    { ...made(1, [0, 0.1], [0, 0.05]), ...blocks, link: "logistic" },
  ]);
  expect(page).toContain("a power of 0.05 to 0.35, RATE of one 0.10 to 0.25, in 1 of 2 cells less");
  expect(page).toContain(
    "a power of 0.55 to 0.70 where those of the paper's recipe have 0.50 to 0.60, in 1 of 2 cells and rankings less",
  );
  expect(page).toContain("0.019 on average");
  // Asked of both links.
  expect(page).toContain("in 2 of 4 cells and rankings");
});

test("the page is that of the journal", () => {
  const here = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const rows = here("studies/results/selection.jsonl").trim().split("\n");
  const page = selectionPage(rows.map((line) => JSON.parse(line)));
  expect(page).toBe(here("docs/studies/selection.md"));
  expect(page).toMatch(
    /in none of the 40 cells and rankings shown to be above 0\.1\. To be shown, an excess would have to be about 0\.0\d\d in the median cell and 0\.0\d\d in the least certain/,
  );
  expect(page).toContain("| not shown to be above 0.1 |");
  // Cells by link and rows, not as they were run.
  const cells = [
    ...page.matchAll(/^\| (?:paper|standard) (\w+) (?:\w+ )?([\d,]+) \| one covariance/gm),
  ].map(
    ([, task, size]) => [task === "regression" ? 0 : 1, Number(size.replace(",", ""))] as const,
  );
  expect(cells).toHaveLength(20);
  expect(cells).toEqual([...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
  expect(page).toMatch(/Power reaches what was asked of it in (\d+) of \1 cells/);
  expect(page).not.toMatch(/undefined|NaN/);
});
