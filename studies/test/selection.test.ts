import { expect, test } from "vitest";
import { type KnockoffRequest, runKnockoffCell } from "../src/selection/knockoff-cell.ts";
import { runNullCell } from "../src/selection/null-cell.ts";
import { selectionRequests } from "../src/selection/requests.ts";
import {
  distanceFromUniform,
  nullTable,
  selectionFindings,
  selectionTable,
  summariseSelection,
} from "../src/selection/summary.ts";

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
  const lines = selectionTable(summaries).rows.map((row) => row.slice(1).join(" | "));
  expect(lines[0]).toBe("one covariance | 2 | 0.200 ± 0.196 | yes | 0.450 | 0.38 | yes");
  expect(lines[7]).toBe("ensemble meanSquared | 2 | 0.000 ± 0.000 | yes | 0.200 | 0.44 | no");
  const [rate, power, over, half] = selectionFindings(summaries);
  expect(rate).toMatchObject({ ours: expect.closeTo(0.1, 12), holds: true });
  expect(power).toMatchObject({ ours: 1, bar: { value: 2 }, holds: false });
  expect([over.ours, half.ours]).toEqual([0, expect.closeTo(0.098, 12)]);
});

test("a rate is shown to be above 0.1 only beyond its interval, and cells stand by link, rows and recipe", () => {
  const low = [made(1, [0.2, 0.4]), made(2, [0.22, 0.5])];
  const [first] = selectionTable(summariseSelection(low)).rows;
  expect(first.slice(3, 5)).toEqual(["0.210 ± 0.020", "no"]);
  expect(selectionFindings(summariseSelection(low))[2].ours).toBe(1);
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
  const { rows } = nullTable([
    { ...base, ...none, study: "noise", selected: { knockoffs: 0, output: 1, refits: 0 } },
    { ...base, ...none, study: "noise", selected: { knockoffs: 0, output: 0, refits: 2 } },
    { ...base, ...none, study: "uniform", pValues: { output: 0.5, refits: 0.25 } },
    { ...base, ...none, study: "coverage", covered: 0.8 },
    { ...base, ...none, study: "coverage", covered: 1 },
  ]);
  const text = rows.map((row) => row.join(" | ")).join("\n");
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
