import { type Column, explain, fold, keyFromSeed, normals, table, uniforms } from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import type { ClassScores, ExplainDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { explainReport, formats } from "../src/index.ts";
import { answersIn, readable } from "./support/readable.ts";

const n = 400;
const next = normals(fold(keyFromSeed(1), "scores"));
const uniform = uniforms(fold(keyFromSeed(1), "came"));
const numbers = (name: string, values: Float64Array): Column => ({ kind: "number", name, values });
const [a, b] = [0, 1].map(() => Float64Array.from({ length: n }, next));
const codes = Int32Array.from(a, (value) => Number(uniform() < 1 / (1 + Math.exp(2 - 2 * value))));
const site: Column = {
  kind: "category",
  name: "site",
  levels: Array.from({ length: 20 }, (_, s) => `s${s}`),
  codes: Int32Array.from(a, (_, i) => i % 20),
};
const classes = table([
  numbers("a", a),
  numbers("b", b),
  site,
  { kind: "category", name: "ill", levels: ["no", "yes"], codes },
]);
const amounts = table([
  numbers("a", a),
  numbers("b", b),
  site,
  numbers(
    "y",
    a.map((value, i) => 40 * value + 10 * b[i] + 20 * next()),
  ),
]);
const good = (document: ExplainDocument) => answersIn(explainReport(document))["Is the model good"];

describe("classes", () => {
  let document: ExplainDocument;
  let scores: ClassScores;
  beforeAll(async () => {
    ({ document } = await explain(classes, { target: "ill", hidden: [4], exclude: ["site"] }));
    scores = document.scores as ClassScores;
  });

  test("are judged by AUC and log loss beside accuracy, each in words", () => {
    const { auc, logLoss, baseline, lower, upper, f1, balancedAccuracy } = scores;
    const answer = good(document);
    expect(answer).toContain(
      `Its AUC is ${formats.share(auc!)} (one half is guessing, one is perfect)`,
    );
    expect(answer).toContain(
      `Its log loss is ${formats.share(logLoss)} (95% interval ${formats.share(lower!)} to ${formats.share(upper!)}); the classes' shares alone have ${formats.share(baseline)}`,
    );
    expect(answer).toContain(
      `Its balanced accuracy is ${formats.percent(balancedAccuracy)}, its F₁ ${formats.share(f1)} (for yes)`,
    );
  });

  test("a rare class that is told apart is not called unlearnt because the commonest is always named", () => {
    const heldOut = { metric: "accuracy", score: 0.97, baseline: 0.97 } as const;
    const rare = { ...document, model: { ...document.model, heldOut } };
    expect(good({ ...rare, scores: { ...scores, auc: 0.95 } })).toMatch(/^Yes: it predicts well\./);
    expect(good({ ...rare, scores: { ...scores, auc: 0.75 } })).toMatch(/^Only moderately/);
    const nothing = { ...scores, gain: { value: 0.01, standardError: 0.01 } };
    expect(good({ ...rare, scores: nothing })).toMatch(/^No: it has not learnt/);
  });

  test("probabilities are taken at their word unless a test rejects them", () => {
    const tested = (pValue: number, error: number) => {
      const test_ = { statistic: 1, degrees: 2, pValue };
      const probabilities = { ...document.calibration.probabilities!, error, test: test_ };
      return good({ ...document, calibration: { ...document.calibration, probabilities } });
    };
    expect(tested(0.4, 0.08)).toContain(
      "off by 8.0% on average, no more than chance allows (p = 0.400): nothing speaks against taking them at their word",
    );
    const weighted = diagnostic("rows-weighted", "Rows are weighted.", { rows: 9 });
    const told = good({ ...document, diagnostics: [weighted] });
    expect(told).toMatch(/more than chance allows \(p = [\d.]+\)/);
    expect(told).not.toContain("nothing speaks against");
    expect(tested(0.001, 0.02)).toContain(
      "off by 2.0% on average, more than chance allows (p = 0.001): they need to be read with care",
    );
  });

  test("the confusion table has its classes in their order, whichever came first", () => {
    const text = readable(explainReport(document));
    const [[right, wrong], [missed, found]] = document.calibration.confusion!;
    expect(text.replaceAll(" ", "")).toContain(
      `trueclasspredictednopredictedyesno${right}${wrong}yes${missed}${found}`,
    );
    const reversed = document.predictions.observed.toReversed();
    const turned = { ...document, predictions: { ...document.predictions, observed: reversed } };
    expect(readable(explainReport(turned)).replaceAll(" ", "")).toContain(
      "predictednopredictedyes",
    );
  });

  test("a result of 0.1, without scores, split and test, still makes a page", () => {
    const { scores: _, ...rest } = document;
    const { split: __, ...model } = document.model;
    const { test: ___, ...probabilities } = document.calibration.probabilities!;
    const old = { ...rest, model, calibration: { ...document.calibration, probabilities } };
    const text = readable(explainReport(old as unknown as ExplainDocument));
    expect(text).toContain(`On 120 rows it never saw, it predicts the right class in`);
    expect(text).toContain("trained on 280 rows and tested on 120 others");
    expect(text).not.toContain("AUC");
    expect(text.replaceAll(" ", "")).toContain("predictednopredictedyes");
  });
});

describe("numbers", () => {
  test("have their error in the unit of the target, and an interval", async () => {
    const { document } = await explain(amounts, { target: "y", hidden: [4], exclude: ["site"] });
    const { scores } = document;
    if (scores.metric !== "r2") throw new Error("not of numbers");
    expect(good(document)).toContain(
      `explains ${formats.percent(scores.r2)} of the differences in y (95% interval ${formats.percent(scores.lower!)} to ${formats.percent(scores.upper!)}) and is off by ${formats.number(scores.mae)} on average`,
    );
  });

  test("say which rows were held out", async () => {
    const asked = { target: "y", hidden: [4] };
    const page = async (options: object) =>
      readable(explainReport((await explain(amounts, { ...asked, ...options })).document));
    const bySite = await page({ splitBy: "site" });
    expect(bySite).toContain(
      "tested on 120 rows of 6 other groups: rows with the same site stayed together",
    );
    expect(bySite).toContain("On 120 rows of other groups, which it never saw, it explains");
    const folds = await page({ folds: 2, exclude: ["site"] });
    expect(folds).toContain("Of 2 networks, each was trained without one part of the 400 rows");
    expect(folds).toContain(
      "On 400 rows, each predicted by the network that did not see it, it explains",
    );
    const time = await page({ time: "b", exclude: ["site"], keep: ["b"] });
    expect(time).toMatch(/tested on the 120 latest, those with b from [\d.-]+/);
    expect(time).toContain("On the 120 latest rows, which it never saw, it explains");
    const test_ = await page({ test: amounts, exclude: ["site"] });
    expect(test_).toContain("trained on 400 rows and tested on 400 rows of another file");
  });
});
