import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Table, table } from "../../../src/data/index.ts";
import {
  attributeTableRows,
  compareExplained,
  type Explained,
  explain,
  predictTable,
  readModel,
  readSaliencyModel,
  writeModel,
} from "../../../src/explain/index.ts";
import { closeWorkers } from "../../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

afterAll(closeWorkers);

/** Incomes in thousands: products of what the columns say, times noise. */
function incomes(n: number, label: string, ...more: number[]): Table {
  const next = normals(fold(keyFromSeed(21), label));
  const columns = ["years", "city", "noise"].map((name) => ({
    kind: "number" as const,
    name,
    values: Float64Array.from({ length: n }, () => next()),
  }));
  const [years, city] = columns.map(({ values }) => values);
  const income = years.map((x, i) => Math.exp(3 + 0.8 * x + 0.4 * city[i] + 0.4 * next()));
  more.forEach((value, i) => {
    income[i] = value;
  });
  return table([...columns, { kind: "number", name: "income", values: income }]);
}

const valuesOf = (source: Table, name: string): Float64Array => {
  const column = source.columns.find((each) => each.name === name)!;
  return column.kind === "number" ? column.values : new Float64Array();
};

describe("a target whose logarithm was learned", () => {
  const source = incomes(1200, "rows");
  const asked = { target: "income", hidden: [16, 8] };
  let explained: Explained;
  let plain: Explained;
  beforeAll(async () => {
    explained = await explain(source, { ...asked, stability: true });
    plain = await explain(source, { ...asked, targetScale: "as-is" });
  });

  test("is named in the result, with what was tried, and in one line", () => {
    const { model, diagnostics, options } = explained.document;
    expect(model.targetScale).toMatchObject({ kind: "log", shift: 0, tried: { better: "log" } });
    const lines = diagnostics.filter(({ code }) => code === "target-logarithm");
    expect(lines.map(({ message }) => message)).toEqual([
      "The network learned the logarithm of income, which suits rows held back from training better. RATE and direct are about that logarithm; scores, predictions and curves are in the unit of income.",
    ]);
    expect(options.targetScale).toBeUndefined();
    expect(plain.document.options.targetScale).toBe("as-is");
    expect(plain.document.model.targetScale).toEqual({
      kind: "as-is",
      shift: null,
      smear: null,
      tried: null,
    });
    expect(plain.document.diagnostics.some(({ code }) => code === "target-logarithm")).toBe(false);
  });

  test("is scored and predicted in its own unit, better than as it is", () => {
    expect(explained.document.model.heldOut.score).toBeGreaterThan(
      plain.document.model.heldOut.score + 0.01,
    );
    const fresh = incomes(2000, "fresh");
    const { mean, sd } = predictTable(explained.model, fresh);
    const y = valuesOf(fresh, "income");
    const average = (values: Float64Array) => values.reduce((a, b) => a + b / values.length, 0);
    // Means, not medians: e^f alone would be lower by e^(−0.08).
    expect(Math.abs(average(mean!) / average(y) - 1)).toBeLessThan(0.05);
    // Noise of 0.4 on the log scale: 0.417 of the mean.
    const ratio = average(sd!.map((value, i) => value / mean![i]));
    expect(Math.abs(ratio - 0.417)).toBeLessThan(0.05);
    const { observed, predicted } = explained.document.predictions;
    expect(observed.every((value) => Number(value) > 0)).toBe(true);
    const errors = observed.map((value, i) => Math.abs(Number(value) / Number(predicted[i]) - 1));
    expect(errors.reduce((a, b) => a + b / errors.length, 0)).toBeLessThan(0.5);
  });

  test("has intervals of its logarithm taken back, which hold as often as they say", () => {
    const { prepared, model, document } = explained;
    const { logarithm } = predictTable(model, source);
    const [level, width] = [0.8, 1.2815515655446];
    const inside = Array.from(prepared.rows.test, (row) => {
      const low = Math.exp(logarithm!.mean[row] - width * logarithm!.sd[row]);
      const high = Math.exp(logarithm!.mean[row] + width * logarithm!.sd[row]);
      const y = valuesOf(source, "income")[row];
      return y >= low && y <= high;
    });
    const found = document.calibration.intervals!.find((each) => each.level === level)!;
    expect(found.covered).toBeCloseTo(inside.filter(Boolean).length / inside.length, 10);
    expect(found.between[0]).toBeLessThan(level);
    expect(found.between[1]).toBeGreaterThan(level);
  });

  test("is curved in its own unit: e^(0.8 x) of years", () => {
    const { shapes } = explained.document;
    const { values, curves } = shapes.find(({ name }) => name === "years")!;
    const at = (x: number) => {
      const near = values.map((value) => Math.abs(Number(value) - x));
      return near.indexOf(Math.min(...near));
    };
    const [low, high] = [at(-1), at(1)];
    const grown = curves[0].mean[high] / curves[0].mean[low];
    const expected = Math.exp(0.8 * (Number(values[high]) - Number(values[low])));
    expect(Math.abs(grown / expected - 1)).toBeLessThan(0.15);
  });

  test("is predicted the same by a model that was written and read, and by one without the scale otherwise", () => {
    const model = readModel(writeModel(explained.model), "model.ratewise");
    expect(predictTable(model, source)).toEqual(predictTable(explained.model, source));
    const { targetScale, ...older } = model;
    expect(targetScale!.kind).toBe("log");
    const { mean, sd, ...rest } = predictTable(older, source);
    expect(Object.keys(rest)).toEqual(["probabilities"]);
    const { logarithm } = predictTable(model, source);
    expect([mean, sd]).toEqual([logarithm!.mean, logarithm!.sd]);
  });

  test("is attributed on the network's scale, which is named", async () => {
    const rows = Uint32Array.of(0, 1, 2);
    const [{ base, predictions, values }] = await attributeTableRows(
      explained.model,
      source,
      rows,
      { steps: 1000 },
    );
    const { logarithm } = predictTable(explained.model, source);
    for (const i of rows) {
      expect(predictions[i]).toBeCloseTo(logarithm!.mean[i], 4);
      const sum = values.data.subarray(3 * i, 3 * i + 3).reduce((s, v) => s + v);
      expect(base + sum).toBeCloseTo(predictions[i], 2);
    }
    const read = (model: Explained["model"]) => readSaliencyModel(writeModel(model), "m").logarithm;
    expect([read(explained.model), read(plain.model)]).toEqual(["log(income)", null]);
  });

  test("is ranked with the noise of its logarithm, here and in compare", async () => {
    const { variables } = explained.document;
    expect(variables.map(({ direct }) => direct!.rank)).toEqual([1, 2, 3]);
    expect(variables[0].rankInterval).toEqual([1, 1]);
    const { document } = await compareExplained(explained, { methods: ["rate", "permutation"] });
    const shares = document.variables.map(({ scores }) => scores.rate);
    shares.forEach((value, v) => {
      expect(value).toBeCloseTo(variables[v].rate!, 10);
    });
  });
});

test("an ensemble has one scale, chosen by its first member, whatever does the work", async () => {
  const source = incomes(400, "ensemble");
  const asked = { target: "income", hidden: [8, 4], ensemble: 2 } as const;
  const here = await explain(source, { ...asked, workers: 0 });
  const elsewhere = await explain(source, { ...asked, workers: 2 });
  expect(here.document.model.targetScale.kind).toBe("log");
  expect(elsewhere.document).toEqual(here.document);
  expect(elsewhere.model).toEqual(here.model);
});

describe("a logarithm that is asked for", () => {
  const ask = (source: Table, more: object = {}) =>
    explain(source, { target: "income", hidden: [4], targetScale: "log", ...more });

  test("is refused where there is none: below 0, of classes, by a Gaussian process", async () => {
    await expect(ask(incomes(60, "negative", 3, -2))).rejects.toThrow(
      'explain: needs values of at least 0 in "income" to learn their logarithm, got -2 in row 2; use targetScale: "as-is"',
    );
    const [first, second] = incomes(60, "classes").columns;
    const codes = Int32Array.from({ length: 60 }, (_, i) => i % 2);
    const classes = table([
      first,
      second,
      { kind: "category", name: "income", levels: ["low", "high"], codes },
    ]);
    await expect(ask(classes)).rejects.toThrow(
      'needs a numeric target to learn its logarithm, but "income" has classes',
    );
    await expect(ask(incomes(60, "process"), { model: "gp" })).rejects.toThrow(
      "needs a network to learn logarithms, got a Gaussian process",
    );
  });

  test("is learned although nobody would have tried, with a shift where there are zeros", async () => {
    const zeros = new Array<number>(30).fill(0);
    const { document } = await ask(incomes(90, "zeros", ...zeros));
    const { targetScale } = document.model;
    expect([targetScale.kind, targetScale.tried]).toEqual(["log", null]);
    expect(targetScale.shift).toBeGreaterThan(0);
    const line = document.diagnostics.find(({ code }) => code === "target-logarithm")!;
    expect(line.message).toMatch(
      /^The network learned the logarithm of income \+ [0-9.]+, as asked\./,
    );
  });
});
