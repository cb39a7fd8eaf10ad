import { expect, test } from "vitest";
import { mean } from "../../src/mean-with-error.ts";
import { type AccuracyCurves, curveNamed } from "../../src/shuffle-curves.ts";
import { pooledError } from "../../src/shuffle-test.ts";
import { handText, lookUp, recordOf } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

const record = recordOf("imdb");
const { ours, paper, text } = lookUp(record);
const curves = record.numbers.curves as AccuracyCurves;
const area = (name: string): number => curveNamed(curves, name).area;
const error = pooledError(curves);
const answer = handText("imdb", "Answer");

test("the answer has the numbers of the record", () => {
  const agreements = [
    ...["Spearman of RATE and boosting", "Spearman of RATE and forest"],
    "Spearman of boosting and forest",
  ];
  expectNumbers(answer, [
    ...[...ours("accuracy on test reviews"), ...ours("negative among")],
    ...[...agreements.flatMap(ours), ...agreements.flatMap(paper)],
    ...[area("RATE"), area("GBM mimic"), area("RF mimic"), area("random")],
    ...[error, curveNamed(curves, "random").areaStandardError],
    ...[...paper("words unused by the forest"), (record.numbers.words as unknown[]).length],
    ...[...ours("words unused by the forest"), 5, ...ours("words unused by the low")],
    ...[...ours("R² of the boosting"), ...ours("R² of the forest")],
  ]);
  expect(answer).toContain(`are ${text("Methods", "RATE", "first ten words")}.`);
});

test("areas are told apart as the page says, and the old measure is the record's", () => {
  const apart = (one: number, other: number): boolean =>
    Math.abs(one - other) > 2.23 * Math.SQRT2 * error;
  expect(apart(area("RATE"), area("GBM mimic"))).toBe(false);
  expect(apart(area("RATE"), area("RF mimic"))).toBe(true);
  expect(area("random") - area("RATE")).toBeGreaterThan(20 * error);
  const [, old] = /measure too: ([\d.]+),/.exec(
    handText("imdb", "Chosen after results were seen"),
  )!;
  expectNumbers(old, [mean(curveNamed(curves, "RATE").scores)]);
});
