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
  rows: { train: 700, test: 300, forest: 150 },
  search: { reviews: 50, candidates: 4, folds: 2 },
  gradientRows: 20,
  penalties: [1, 3],
  shuffle: { reviews: 100, repeats: 3 },
  accuracy: 0.9,
  rate: { ...up, mean: Float64Array.from(words, () => -1) },
  direct: up,
  boosting: { ...up, ...mimic },
  forest: { ...down, ...mimic },
  low: { ...down, ...mimic, unused: 9, depth: 5 },
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

test("the page of the reviews says how far mimics agree, what direct and the low forest are, and on which reviews R² is", () => {
  const { answer, method, tables, findings } = reviewsReport(found, context(false));
  expect(answer[2]).toContain(
    "is 1.00 with boosting and −1.00 with the forest, that of the two −1.00",
  );
  expect(answer[3]).toContain("0.7500 ± 0.0004");
  const told = method.join("\n");
  expect(told).toContain("Direct is here the mean over 20 of them of (∂f/∂x_j)²");
  expect(told).toContain(
    "The low RF mimic is one more forest on the same 150 reviews, its trees at most 5",
  );
  expect(told).toContain("R² is that of the network's probabilities on the 300 test reviews");
  expect(told).toContain("are shuffled the commonest first");
  expect(told).toContain("not RATE of gradients, which is what `ratewise explain` and");
  expect(told).not.toContain("saliency");
  expect(tables[0].columns[1]).toBe("R² on test reviews");
  expect(findings.map(({ what }) => what)).toContain(
    "R² of the low RF mimic (depth 5) on test reviews",
  );
});

test("its limits are what the errors are over and, of the whole study, what the paper's search would take", () => {
  const { limits = [] } = reviewsReport(found, context(false));
  expect(limits[0]).toContain("a mean of 3 shuffles, or 6 random orders");
  // 60 seconds for 4 candidates by 2 folds: 30 minutes for 30 by 5.
  expect(limits[1]).toContain("30 minutes of one core for boosting and 30 for forests");
  expect(reviewsReport(found, context(true)).limits).toHaveLength(limits.length - 1);
});

test("lines whose definition came after results are marked, and a quick page describes what it did", () => {
  const { findings, choices = [], figures } = reviewsReport(found, context(false));
  expect(findings.filter((row) => row.settledAfterwards).map(({ what }) => what)).toEqual([
    "area under RATE's shuffle curve",
    "area of RATE less that of boosting, in pooled standard errors",
    "share of the RATE step in the whole",
  ]);
  // Scores 1 and 0.5: their mean is above what is asked.
  expect(choices.join(" ")).toContain(
    "RATE's would be 0.750, and its bar of 0.565 would be missed",
  );
  const both = findings.filter(({ what }) =>
    /^minutes .* to read, train and rank by RATE$/.test(what),
  );
  expect(both).toHaveLength(2);
  const quick = reviewsReport({ ...found, penalties: [2] }, context(true));
  expect(quick.method.join(" ")).toContain("an input penalty of 2.");
  expect(quick.method.join(" ")).not.toContain("The RATE step");
  expect((quick.choices ?? []).join(" ")).not.toContain("The pages print the parts");
  for (const method of ["RATE", "direct", "GBM mimic", "RF mimic", "low RF mimic"])
    expect(figures[0].svg).toContain(`${method}: word`);
  expect(figures[1].svg).toContain("accuracy on test reviews");
  expect(figures[1].caption).toMatch(/other methods in grey, 6 random orders dashed/);
});
