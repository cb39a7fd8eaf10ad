import { expect, test } from "vitest";
import { type ReviewsFound, reviewsReport } from "../../src/imdb/report.ts";
import { rankingOf } from "../../src/ranking.ts";
import { dataFolder } from "../../src/study/data-folder.ts";
import type { StudyContext } from "../../src/study/study.ts";

const words = Array.from({ length: 12 }, (_, j) => `word${j}`);
const up = rankingOf(Float64Array.from(words, (_, j) => j + 1));
const down = rankingOf(Float64Array.from(words, (_, j) => 12 - j));
const mimic = { heldOut: 0.8, unused: 3, settings: {}, searched: [0.7] };
const found: ReviewsFound = {
  words,
  accuracy: 0.9,
  rankings: {
    RATE: { ...up, mean: Float64Array.from(words, () => -1) },
    direct: up,
    "GBM mimic": { ...up, ...mimic },
    "RF mimic": { ...down, ...mimic },
    "low RF mimic": { ...down, ...mimic, unused: 9 },
  },
  depth: 5,
  curves: {
    counts: [0, 12],
    curves: ["RATE", "direct", "GBM mimic", "RF mimic", "low RF mimic", "random"].map((name) => ({
      ...{ name, scores: [1, 0.5], area: 0.75, areaStandardError: 0.0004 },
    })),
  },
};
const stages = [
  ...["read", "prepare", "train", "hidden layers", "effect sizes", "RATE"],
  ...["boosting search", "boosting mimic", "forest search", "forest mimic"],
];
const times = Object.fromEntries(stages.map((stage) => [stage, 60]));
const context = (quick: boolean): StudyContext => ({
  ...{ seed: 1, quick, permuted: false, covariates: [], data: dataFolder(undefined, "none") },
  stage: (_, work) => work(),
  seconds: times,
  processorSeconds: times,
});

test("findings have the numbers of the mimics, and say whose definition came after results", () => {
  const { findings, tables, figures } = reviewsReport(found, context(false));
  const ours = (what: string) => findings.find((row) => row.what.startsWith(what))!.ours;
  expect(ours("Spearman of RATE and boosting")).toBeCloseTo(1, 12);
  expect(ours("Spearman of RATE and forest")).toBeCloseTo(-1, 12);
  expect(ours("words unused by the low RF mimic (depth 5)")).toBe(9);
  expect(ours("negative among the ten first words")).toBe(10);
  // Six stages of a minute each.
  expect(ours("minutes of processors to read")).toBe(6);
  expect(findings.filter((row) => row.settledAfterwards).map(({ what }) => what)).toEqual([
    "area under RATE's shuffle curve",
    "area of RATE less that of boosting, in pooled standard errors",
    "share of the RATE step in the whole",
  ]);
  expect(tables[0].columns[1]).toBe("R² on test reviews");
  expect(tables[0].rows[3].slice(0, 3)).toEqual(["RF mimic", 0.8, 3]);
  for (const method of ["RATE", "direct", "GBM mimic", "RF mimic", "low RF mimic"])
    expect(figures[0].svg).toContain(`${method}: word`);
  expect(figures[1].svg).toContain("accuracy on test reviews");
});
