import { diagnostic } from "@ratewise/core/diagnostic";
import type { CompareDocument } from "@ratewise/core/explain";
import { describe, expect, test } from "vitest";
import type { Io } from "../src/io.ts";
import { compareCsv, searchCsv } from "../src/output/compare-csv.ts";
import { compareText, comparisonText } from "../src/output/compare-text.ts";

const search = (method: string) => ({
  method,
  folds: 2,
  best: 1,
  candidates: [
    { settings: {}, mean: 0.5, standardError: 0.1, scores: [0.4, 0.6] },
    { settings: { rate: 0.2 }, mean: 0.7, standardError: 0, scores: [0.7, 0.7] },
  ],
});
const document = {
  target: "y",
  task: "regression",
  model: { heldOut: { metric: "r2", score: 0.9, baseline: 0 }, rows: { train: 20, test: 10 } },
  methods: [
    { name: "permutation", of: "network", seconds: 1, mimicScore: null, search: null },
    { name: "gbm", of: "mimic", seconds: 1, mimicScore: -0.0001, search: search("boosting") },
    { name: "tree-shap", of: "mimic", seconds: 1, mimicScore: 0, search: search("boosting") },
  ],
  variables: [
    {
      name: "a",
      scores: { permutation: 2, gbm: 0, "tree-shap": 0 },
      ranks: { permutation: 1.5, gbm: null, "tree-shap": null },
      standardErrors: { permutation: 0.25 },
    },
    {
      name: "b",
      scores: { permutation: 2, gbm: 0, "tree-shap": 0 },
      ranks: { permutation: 1.5, gbm: null, "tree-shap": null },
      standardErrors: { permutation: 0.5 },
    },
  ],
  groups: [],
  spearman: [
    [1, -0.001, null],
    [-0.001, 1, null],
    [null, null, null],
  ],
  shuffle: {
    metric: "r2",
    counts: [0, 1, 2],
    repeats: 2,
    randomOrders: 10,
    curves: [
      { name: "permutation", scores: [], standardErrors: [], area: -0.0001, areaStandardError: 0 },
      { name: "random", scores: [], standardErrors: [], area: 0.5, areaStandardError: 0.01 },
    ],
  },
  diagnostics: [],
} as unknown as CompareDocument;
const io = { columns: 80 } as Io;

describe("the text of a comparison", () => {
  test("shares ranks, and has a dash where a method ranks nothing", () => {
    const text = compareText(document, io);
    expect(text).toMatch(/\na +1\.5 +– +–\nb +1\.5 +– +–\n/);
    expect(text).toMatch(
      / {4}random +0\.500 .*\n\(2\) gbm +mimic +– +0\.000 +1\.00\n\(3\) tree-shap/,
    );
  });

  test("says what there is to say of single methods within an explanation too, and once here", () => {
    const diagnostics = [
      diagnostic("few-held-out-rows", "Few rows.", { rows: 3 }),
      { ...diagnostic("ranks-nothing", "gbm found nothing."), method: "gbm" },
    ];
    const within = comparisonText({ ...document, diagnostics }, io);
    expect(within).toContain("\n- gbm found nothing.\n");
    expect(within).not.toContain("Few rows");
    expect(compareText({ ...document, diagnostics }, io)).toMatch(
      /\nTo keep in mind:\n- Few rows\.\n- gbm found nothing\.\n$/,
    );
    expect(compareText({ ...document, diagnostics }, io).match(/gbm found nothing/g)).toHaveLength(
      1,
    );
  });

  test("counts one method as one, and zero has no sign", () => {
    expect(compareText(document, io)).toContain("from 2 variables, 3 methods on one");
    const one = { ...document, methods: document.methods.slice(0, 1) };
    expect(compareText(one, io)).toContain("from 2 variables, 1 method on one network");
    expect(compareText(document, io)).not.toMatch(/-0\.0+\b/);
    expect(compareText(document, io)).toMatch(/\(1\) permutation +1\.00 +0\.00 +–/);
  });
});

describe("the tables of a comparison", () => {
  test("have the standard errors of methods that permute", () => {
    expect([...compareCsv(document)]).toEqual([
      "kind,name,permutation,permutation rank,permutation standardError,gbm,gbm rank,tree-shap,tree-shap rank\n",
      "variable,a,2,1.5,0.25,0,,0,\n",
      "variable,b,2,1.5,0.5,0,,0,\n",
    ]);
  });

  test("list a search once that two methods share", () => {
    expect([...searchCsv(document)].map((line) => line.split(",").slice(0, 3).join(","))).toEqual([
      "method,candidate,best",
      "gbm,0,false",
      "gbm,1,true",
    ]);
  });
});
