import { afterAll, describe, expect, test } from "vitest";
import { type Column, table } from "../../src/data/index.ts";
import { explain } from "../../src/explain/explain.ts";
import { predictRows } from "../../src/explain/fit/model.ts";
import type { ExplainOptions } from "../../src/explain/options.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

afterAll(closeWorkers);

const n = 300;
const next = normals(fold(keyFromSeed(17), "choices and splits"));
const numbers = (name: string, values: ArrayLike<number>): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
const draw = () => Float64Array.from({ length: n }, next);
const [a, b] = [draw(), draw()];
const SAW = [1, -1, 1, -1, 1, -1, 1, -1];
const hour = Float64Array.from({ length: n }, (_, i) => (5 * i + (i >> 3)) % 8);
const w = Float64Array.from({ length: n }, (_, i) => 0.25 + (i % 4));
const income = a.map((value, i) => Math.exp(2 + value + 1.5 * SAW[hour[i]] + 0.3 * next()));
const source = (y: ArrayLike<number> = income) =>
  table([
    numbers("a", a),
    numbers("b", b),
    numbers("hour", hour),
    numbers("w", w),
    numbers("y", y),
  ]);
const quick: ExplainOptions = { target: "y", hidden: [8], exclude: ["w"] };

describe("folds", () => {
  test("choose neither the scale nor expansions: every row is tested", async () => {
    const { document: whole } = await explain(source(), quick);
    expect(whole.model.targetScale.kind).toBe("log");
    expect(whole.model.expansions.map(({ name }) => name)).toEqual(["hour"]);
    for (const targetScale of [undefined, "auto"] as const) {
      const { document } = await explain(source(), {
        ...quick,
        folds: 3,
        ...(targetScale && { targetScale }),
      });
      expect(document.model.targetScale).toMatchObject({ kind: "as-is", tried: null });
      expect(document.model.expansions).toEqual([]);
      expect(document.model.tried.some(({ log, expanded }) => log || expanded > 0)).toBe(false);
    }
  });

  test("learn a logarithm that is asked for, and take it back by what each fold's own rows say", async () => {
    const asked = { ...quick, folds: 3, targetScale: "log" } as const;
    const first = await explain(source(), asked);
    const { document, model, prepared } = first;
    expect(document.model.targetScale).toMatchObject({ kind: "log", shift: 0, tried: null });
    expect(document.scores.score).toBeGreaterThan(0.3);
    // 80% of the intervals of the logarithm hold about as many values.
    const covered = document.calibration.intervals!.find(({ level }) => level === 0.8)!.covered;
    expect(Math.abs(covered - 0.8)).toBeLessThan(0.1);
    // The largest income is in one fold, whose network cannot know how large it is: nothing of that fold's predictions changes with it.
    const y = income.slice();
    for (const row of prepared.folds![0]) y[row] *= 50;
    const second = await explain(source(y), asked);
    const predictions = ({ document: { predictions } }: typeof first) =>
      new Map(predictions.row.map((row, at) => [row - 1, predictions.predicted[at]]));
    const [before, after] = [predictions(first), predictions(second)];
    for (const row of prepared.folds![0]) expect(after.get(row)).toBe(before.get(row));
    const others = prepared.folds![1];
    expect(others.some((row) => after.get(row) !== before.get(row))).toBe(true);
    // The model is all networks, which may predict what any of them has seen.
    expect(model.targetScale!.largest).toBe(Math.max(...income));
    expect(model.targetScale!.smallest).toBe(Math.min(...income));
  });

  test("refuse logarithms of zeros, whose shift would hang on rows that are tested", async () => {
    const y = income.map((value, i) => (i === 6 ? 0 : value));
    const asked = { ...quick, folds: 3, targetScale: "log" } as const;
    await expect(explain(source(y), asked)).rejects.toThrow(
      'needs values above 0 in "y" to learn their logarithm with folds, got 0 in row 7; use targetScale: "as-is"',
    );
  });
});

describe("weights", () => {
  const { exclude: _, ...asked } = { ...quick, weights: "w" };

  test("count where scale and expansions are chosen, and in the coverage of a logarithm", async () => {
    const { document, model, prepared } = await explain(source(), asked);
    expect(document.model.targetScale.kind).toBe("log");
    expect(document.model.expansions.map(({ name }) => name)).toEqual(["hour"]);
    const plain = await explain(source(), quick);
    expect(document.model.targetScale.tried!.asIs).not.toBe(
      plain.document.model.targetScale.tried!.asIs,
    );
    const { logarithm } = predictRows({ ...model }, prepared.test.X);
    const { y, weights } = prepared.test;
    let [inside, whole] = [0, 0];
    y.forEach((value, i) => {
      whole += weights![i];
      const off = Math.abs(Math.log(value) - logarithm!.mean[i]);
      if (off <= 1.2815515655446 * logarithm!.sd[i]) inside += weights![i];
    });
    const found = document.calibration.intervals!.find(({ level }) => level === 0.8)!;
    expect(found.covered).toBeCloseTo(inside / whole, 10);
  });

  test("go to all members of an ensemble that share the first one's choices", async () => {
    const { model, document } = await explain(source(), { ...asked, ensemble: 2, workers: 2 });
    expect(model.networks.map(({ architecture }) => architecture.inputs)).toEqual([11, 11]);
    const plain = await explain(source(), { ...quick, ensemble: 2, workers: 2 });
    expect(plain.model.networks[1].architecture.inputs).toBe(11);
    expect(plain.model.networks[1].parameters).not.toEqual(model.networks[1].parameters);
    expect(document.model.targetScale.kind).toBe("log");
  });
});

test("groups and a test table go with both choices", async () => {
  const groups = numbers(
    "site",
    Array.from({ length: n }, (_, i) => (3 * i) % 25),
  );
  const grouped = table([...source().columns, groups]);
  const { document } = await explain(grouped, { ...quick, splitBy: "site" });
  expect(document.model.split.kind).toBe("groups");
  expect(document.model.targetScale.kind).toBe("log");
  expect(document.scores.score).toBeGreaterThan(0.5);
  const { document: filed } = await explain(source(), { ...quick, test: source() });
  expect(filed.model.expansions.map(({ name }) => name)).toEqual(["hour"]);
  expect(filed.scores.rows).toBe(n);
  const negative = source(income.map((value, i) => (i === 3 ? -1 : value)));
  await expect(explain(source(), { ...quick, test: negative, targetScale: "log" })).rejects.toThrow(
    "got -1 in row 4 of the test table",
  );
});
