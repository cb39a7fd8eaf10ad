import { expect, test } from "vitest";
import { table } from "../../../src/data/index.ts";
import { type ClassScores, scoreTable } from "../../../src/explain/index.ts";
import { expectClose } from "../../support/close.ts";

const classes = ["0", "1"];
const probabilities = Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.4, 0.6);
const prediction = { mean: null, sd: null, probabilities };
const levels = (names: string[], ...codes: number[]) =>
  table([{ kind: "category", name: "y", levels: names, codes: Int32Array.from(codes) }]);

test("rows without a class, and of classes that the model does not know, are left out", () => {
  const model = { target: "y", classes };
  const scores = scoreTable(
    model,
    levels(["1", "0", "new"], 1, 0, 2, -1),
    prediction,
  ) as ClassScores;
  expect(scores).toMatchObject({ rows: 2, accuracy: 1, auc: 1, commonest: 0.5, f1Class: "1" });
  expectClose([scores.logLoss, scores.baseline], [-(Math.log(0.9) + Math.log(0.8)) / 2, Math.LN2]);
  const numbers = table([
    { kind: "number", name: "y", values: Float64Array.of(0, 1, 7, Number.NaN) },
  ]);
  expect(scoreTable(model, numbers, prediction)).toEqual(scores);
});

test("there is no score without the target, without numbers for one, or of one value alone", () => {
  const model = { target: "y", classes };
  expect(
    scoreTable({ target: "z", classes }, levels(["1", "0"], 0, 1, 0, 1), prediction),
  ).toBeNull();
  expect(scoreTable(model, levels(["1"], 0, 0, 0, 0), prediction)).toBeNull();
  const mean = Float64Array.of(1, 2, 3, 4);
  const numbers = { mean, sd: mean, probabilities: null };
  const asked = { target: "y", classes: null };
  expect(scoreTable(asked, levels(["1", "0"], 0, 1, 0, 1), numbers)).toBeNull();
  const y = table([{ kind: "number", name: "y", values: Float64Array.of(1, 2.5, Number.NaN, 4) }]);
  expectClose([scoreTable(asked, y, numbers)!.score], [1 - 0.25 / 4.5]);
});
