import { median } from "@ratewise/core/evaluate";
import { expect, test } from "vitest";
import { mean } from "../../src/mean-with-error.ts";
import { type AccuracyCurves, curveNamed } from "../../src/shuffle-curves.ts";
import { pooledError } from "../../src/shuffle-test.ts";
import { handText, lookUp, recordOf } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

interface Question {
  readonly images: readonly number[];
  readonly curves: AccuracyCurves;
  readonly spearman: number[][];
  readonly scores: Readonly<Record<string, number[]>>;
}

const record = recordOf("mnist");
const numbers = record.numbers as Readonly<Record<string, Question>>;
const { ours } = lookUp(record);
const [zeros, evens] = handText("mnist", "Answer").split("**Evens and odds**");

function found(name: string) {
  const { images, curves, spearman, scores } = numbers[name];
  const names = Object.keys(scores);
  const pairs = names
    .flatMap((_, i) => names.slice(i + 1).map((__, k) => [i, i + 1 + k] as const))
    .sort(([a, b], [c, d]) => spearman[a][b] - spearman[c][d]);
  const own = pairs.map(([a, b]) => spearman[a][b]);
  const means = names.map((_, i) => mean(spearman[i].filter((__, k) => k !== i)));
  const area = (method: string): number => curveNamed(curves, method).area;
  const order = names.toSorted((a, b) => area(a) - area(b));
  return {
    ...{ images, area, order, error: pooledError(curves), count: names.length },
    least: pairs[0].map((at) => names[at]),
    most: pairs.at(-1)!.map((at) => names[at]),
    agreement: [own[0], own.at(-1)!, median(own)],
    apart: names[means.indexOf(Math.min(...means))],
    apartBy: Math.min(...means),
  };
}

test("of zeros and ones the answer has the numbers of the record", () => {
  const { images, area, order, error, count, least, most, agreement, apart, apartBy } =
    found("zeros-ones");
  expectNumbers(zeros, [
    ...[...ours("zeros and ones: accuracy"), images[1], count, ...agreement, apartBy],
    ...[area("RATE"), area("random"), 1 + order.indexOf("RATE"), count, area(order[0])],
    ...[area("GBM mimic"), error, area("RF mimic")],
  ]);
  expect([order[0], order.at(-1), apart]).toEqual([
    ...["integrated gradient", "GBM mimic", "GBM mimic"],
  ]);
  expect([least, most]).toEqual([
    ["RATE", "GBM mimic"],
    ["gradient × input", "ε-LRP"],
  ]);
  // Told apart from the best, and from none of those between.
  const gaps = order.slice(0, 6).map((method) => area("RATE") - area(method));
  expect(gaps.map((gap) => gap > 2.36 * Math.SQRT2 * error)).toEqual([
    true,
    ...Array(5).fill(false),
  ]);
});

test("of evens and odds the answer has the numbers of the record", () => {
  const { images, area, order, error, count, least, most, agreement, apart, apartBy } =
    found("evens-odds");
  expectNumbers(evens, [
    ...[...ours("evens and odds: accuracy"), images[1], count, ...agreement, apartBy],
    ...[area("RATE"), area("random"), 1 + order.indexOf("RATE"), count, area(order[0])],
    ...[error, area("GBM mimic")],
  ]);
  expect([order[0], apart]).toEqual(["integrated gradient", "RATE"]);
  expect([least, most]).toEqual([
    ["RATE", "gradient × input"],
    ["gradient × input", "ε-LRP"],
  ]);
  expect(area("GBM mimic")).toBeLessThan(area("RF mimic"));
  for (const method of order.slice(0, -1))
    expect(area("RATE") - area(method)).toBeGreaterThan(2.31 * Math.SQRT2 * error);
});

test("by means over the points one bar would be missed, that of random orders of zeros and ones", () => {
  const old = ["zeros-ones", "evens-odds"].map((name) =>
    ["RATE", "random"].map((method) => mean(curveNamed(numbers[name].curves, method).scores)),
  );
  const bar = (what: string): number =>
    record.findings.find((row) => row.what === what)!.bar!.value;
  const missed = ["zeros and ones", "evens and odds"].map((title, q) => [
    old[q][0] > bar(`${title}: area under RATE's shuffle curve`),
    old[q][1] < bar(`${title}: area under the random shuffle curve`),
  ]);
  expect(missed).toEqual([
    [false, true],
    [false, false],
  ]);
});
