import { keyFromSeed } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { dataFolder, runStudy, studies, studyPage } from "../src/index.ts";
import { methodFindings } from "../src/simulation/beside-paper.ts";
import { runCell } from "../src/simulation/cell.ts";
import { causalBefore, medianCurve } from "../src/simulation/median-curve.ts";
import {
  type MethodsResult,
  methodsCell,
  methodsIdentity,
  type RankResult,
  runMethodsCell,
  type SearchResult,
} from "../src/simulation/methods-cell.ts";
import {
  type MethodsPlan,
  methodsRequests,
  nextRequest,
} from "../src/simulation/methods-requests.ts";
import { published, publishedBest } from "../src/simulation/published.ts";
import { simulationReport } from "../src/simulation/report.ts";
import { allCells } from "../src/simulation/report-tables.ts";
import { middle, recordedRows, shownMethods } from "../src/simulation/simulation-rows.ts";
import { timeFindings } from "../src/simulation/times.ts";

/** Its bootstraps take a while: made once. */
const recorded = simulationReport(recordedRows(), { quick: false });

describe("median curves", () => {
  test("count the causal before each other, ties by half", () => {
    const scores = Float64Array.of(9, 8, 7, 6, 6, 1);
    const causal = Uint8Array.of(1, 0, 1, 1, 0, 0);
    expect(causalBefore(scores, causal)).toEqual([1, 2.5, 3]);
  });

  test("are medians at every rate, and their bands hold them", () => {
    const before = [
      [0, 1, 2],
      [1, 2, 2],
      [2, 2, 2],
    ];
    const options = { key: keyFromSeed(1), repeats: 200 };
    const curve = medianCurve(before, 2, options);
    expect(curve.falsePositiveRate).toEqual([0, 0, 1 / 3, 2 / 3, 1]);
    expect(curve.truePositiveRate).toEqual([0, 0.5, 1, 1, 1]);
    expect(curve.low[1]).toBe(0);
    expect(curve.high[1]).toBe(1);
    expect([curve.low.at(-1), curve.high.at(-1)]).toEqual([1, 1]);
    // All alike: a band of no width.
    const narrow = medianCurve(
      [
        [1, 2, 2],
        [1, 2, 2],
      ],
      2,
      options,
    );
    expect(narrow.low).toEqual(narrow.high);
  });
});

test("the network that methods explain is that of the sweep, with the same areas", async () => {
  const data = { link: "identity", rows: 600, seed: 3, recipe: "paper" } as const;
  const found = (await runMethodsCell({ study: "rank", ...data, permuted: false })) as RankResult;
  const { one } = await runCell({ ...data, correlation: { kind: "independent" }, members: 1 });
  expect(found.areas.noise).toBe(one.covariance);
  expect(found.areas.linear).toBe(one.linear);
  expect(found.areas.gradient).toBe(one.full);
  expect(found.curves.noise).toHaveLength(70);
  // The area is the mean of the counts, as a share of the causal.
  const mean = found.curves.noise.reduce((sum, count) => sum + count, 0) / 70;
  expect(mean / 30).toBeCloseTo(found.areas.noise, 12);
  expect(found.areas["mutual information"]).not.toBe(found.areas.noise);
  expect(found.meanTerm).toBeGreaterThan(0.8);
  expect(found.meanTerm).toBeLessThan(1);
  expect(found.areas.boosting).toBeGreaterThan(0.5);
});

test("as a task of a worker a data set comes out the same", async () => {
  const request = {
    ...({ study: "rank", link: "logistic", rows: 300, seed: 1, recipe: "paper" } as const),
    permuted: false,
  };
  const { areas } = (await methodsCell.run(request, { id: "of the task" })) as RankResult;
  expect(areas).toEqual(((await runMethodsCell(request)) as RankResult).areas);
});

test("a search of a cell is on one more data set, and its winner is used again", async () => {
  const data = { link: "identity", rows: 400, recipe: "paper", permuted: false } as const;
  const search = (await runMethodsCell({
    ...{ study: "search", ...data, seed: 0 },
    ...{ candidates: 2, folds: 2 },
  })) as SearchResult;
  expect(search.scores.boosting[0]).toBeGreaterThanOrEqual(search.scores.boosting[1]);
  const plan: MethodsPlan = {
    parts: ["search", "searched"],
    recipes: ["paper"],
    links: ["identity"],
    ...{ rows: [400], seeds: 2, first: 1, permuted: false },
  };
  expect(methodsRequests(plan, []).map(methodsIdentity)).toEqual([methodsIdentity(search)]);
  const next = nextRequest(plan, [search])!;
  expect(next).toMatchObject({ study: "searched", seed: 1, settings: search.settings });
  const done: MethodsResult[] = [search, await runMethodsCell(next)];
  expect(nextRequest(plan, done)).toMatchObject({ study: "searched", seed: 2 });
});

test("at 3,000 rows three repeats have a search of their own beside that of the cell", () => {
  const plan: MethodsPlan = {
    ...{ parts: ["search"], recipes: ["paper"], links: ["identity", "logistic"] },
    ...{ rows: [3000, 10_000], seeds: 25, first: 1, permuted: false },
  };
  const seeds = methodsRequests(plan, []).map(({ rows, seed }) => [rows, seed]);
  expect(seeds.filter(([rows]) => rows === 3000).map(([, seed]) => seed)).toEqual([
    0, 1, 2, 3, 0, 1, 2, 3,
  ]);
  expect(seeds.filter(([rows]) => rows === 10_000).map(([, seed]) => seed)).toEqual([0, 0]);
});

test("cells of more than 10,000 rows use the winner of a search of 10,000", () => {
  const plan: MethodsPlan = {
    ...{ parts: ["search", "searched"], recipes: ["paper"], links: ["logistic"] },
    ...{ rows: [100_000], seeds: 1, first: 1, permuted: false },
  };
  const search = nextRequest(plan, [])!;
  expect(search).toMatchObject({ study: "search", rows: 10_000, seed: 0 });
  const settings = { boosting: { trees: 7 }, forest: { trees: 9 } };
  const done = { ...search, settings } as unknown as SearchResult;
  expect(nextRequest(plan, [done])).toMatchObject({ study: "searched", rows: 100_000, settings });
  expect(nextRequest(plan, [{ ...done, rows: 3000 }])).toEqual(search);
});

test("what is recorded reaches every bar", () => {
  const rows = recordedRows();
  const { findings, figures } = recorded;
  expect(findings.filter(({ holds }) => holds === false)).toEqual([]);
  expect(findings.slice(0, 6).map(({ ours, bar }) => [ours, bar!.value])).toEqual(
    Array.from({ length: 6 }, () => [8, 8]),
  );
  // A median below what is asked is not counted, and a cell of fewer data sets neither counted nor asked.
  const small = rows.methods.filter(({ study, rows: n }) => study === "rank" && n === 3000);
  const poor = small.map((row) => ({
    ...row,
    areas: { ...(row as RankResult).areas, noise: 0.6 },
  }));
  const some = [
    ...poor,
    ...rows.methods.filter(({ study, rows: n }) => study === "rank" && n === 10_000),
  ];
  const judge = (methods: readonly MethodsResult[]) =>
    methodFindings({ cells: [], selection: [], methods })[0];
  expect(judge(some as MethodsResult[])).toMatchObject({
    ours: 3,
    bar: { value: 4 },
    holds: false,
  });
  const few = some.filter(({ rows: n, seed }) => n === 3000 || seed < 25) as MethodsResult[];
  expect(judge(few)).toMatchObject({ ours: 1, bar: { value: 2 } });
  expect(findings.filter((row) => row.settledAfterwards).map(({ what }) => what)).toEqual([
    "medians of networks and ensembles that reach what was asked of them",
    "share of the RATE step in the whole",
  ]);
  expect(figures.map(({ name }) => name)).toContain("areas");
  // As the README's figure says: direct importance lies above what was made here, and above what is printed.
  const { standard, rate, boosting, forest } = shownMethods;
  for (const cell of allCells)
    for (const other of [rate, boosting, forest])
      expect(middle(rows, standard, cell)).toBeGreaterThan(middle(rows, other, cell)!);
  expect(publishedBest("regression", 1)).toBe(published.regression.boosting[1]);
});

test("medians and their intervals have the same digits", () => {
  const { tables } = recorded;
  const rows = tables[0].rows.filter(([name]) => !`${name}`.includes("printed")).flat();
  const shown = rows.filter((cell) => /–/.test(`${cell}`));
  expect(shown.length).toBeGreaterThan(20);
  for (const cell of shown) expect(cell).toMatch(/^\d\.\d{3} \(\d\.\d{3}–\d\.\d{3}\)$/);
});

test("the share of RATE is over data sets that have all parts on the clock", () => {
  const rows = recordedRows();
  const seconds = { train: 1, rate: 0.5, boosting: 4, forest: 4.5 };
  const ranked = rows.methods.find(({ study, rows: n }) => study === "rank" && n === 3000)!;
  const own = { ...ranked, seconds } as MethodsResult;
  const { link, seed } = ranked;
  const times: MethodsResult = {
    ...({ study: "times", link, rows: 3000, recipe: "paper", permuted: false, seed } as const),
    ...({ engine: "plain", clock: "processor" } as const),
    seconds: { train: 1, hidden: 0.2, effects: 0.25, rate: 0.05 },
  };
  const shareOf = (methods: readonly MethodsResult[]) =>
    timeFindings({ cells: [], selection: [], methods }).filter(({ what }) =>
      what.startsWith("share"),
    );
  expect(shareOf([own])).toEqual([]);
  expect(shareOf([own, { ...times, seed: 1000 }])).toEqual([]);
  const [share, together] = shareOf([own, times]);
  expect(share).toMatchObject({ ours: expect.closeTo(0.005, 12), holds: true });
  expect(together).toMatchObject({ ours: expect.closeTo(0.05, 12), holds: null });
});

test("the parts of RATE are timed on the network that is ranked", async () => {
  const data = { link: "identity", rows: 400, recipe: "paper", permuted: false } as const;
  const { seconds } = await runMethodsCell({ study: "times", ...data, seed: 1 });
  expect(Object.keys(seconds)).toEqual(["train", "hidden", "effects", "rate"]);
  for (const part of Object.values(seconds)) expect(part).toBeGreaterThanOrEqual(0);
});

test("the quick version finds the causal variables, and none of its bars holds with permuted responses", async () => {
  const simulation = studies.find(({ name }) => name === "simulation")!;
  const options = { seed: 1, quick: true, data: dataFolder(undefined, "none"), cores: 2 };
  const found = await runStudy(simulation, { ...options, permuted: false });
  expect(found.document.findings.filter(({ holds }) => holds !== true)).toEqual([]);
  expect(found.figures.map(({ name }) => name)).toEqual([
    "areas",
    "roc-regression",
    "roc-classification",
    "seconds",
  ]);
  // Of two data sets a cell there are no intervals, and what was not run has no line.
  const page = studyPage(found.document);
  expect(page).not.toMatch(/\d \(0\.\d{3}–/);
  expect(page).not.toMatch(/\| [^|]*(five networks|searched) \| not run/);
  expect(page).toContain("**The quick version");
  const control = await runStudy(simulation, { ...options, permuted: true });
  expect(control.document.findings.filter(({ holds }) => holds !== false)).toEqual([]);
}, 600_000);
