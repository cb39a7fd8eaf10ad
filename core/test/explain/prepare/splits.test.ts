import { describe, expect, test } from "vitest";
import { encode } from "../../../src/data/design.ts";
import { type Column, type Table, table } from "../../../src/data/index.ts";
import { rSquared } from "../../../src/evaluate/index.ts";
import { type ExplainOptions, explain, predictTable } from "../../../src/explain/index.ts";
import type { Prepared } from "../../../src/explain/prepare/prepared.ts";
import { meanOf } from "../../../src/linalg/moments.ts";
import { predict } from "../../../src/network/index.ts";
import { keyFromSeed, normals } from "../../../src/random/index.ts";
import { expectClose } from "../../support/close.ts";

const n = 240;
const next = normals(keyFromSeed(1));
const numbers = (name: string, values: Iterable<number>): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
const draw = (count = n) => Float64Array.from({ length: count }, next);

/** 24 patients with ten rows each: what is measured of a patient is the same in all rows, and y is the patient's own level. */
const level = draw(24);
const of = [draw(24), draw(24)];
const patient = (i: number) => (7 * i) % 24;
const patients = table([
  numbers(
    "a",
    Float64Array.from({ length: n }, (_, i) => of[0][patient(i)]),
  ),
  numbers(
    "b",
    Float64Array.from({ length: n }, (_, i) => of[1][patient(i)]),
  ),
  {
    kind: "category",
    name: "patient",
    levels: Array.from({ length: 24 }, (_, p) => `p${p}`),
    codes: Int32Array.from({ length: n }, (_, i) => patient(i)),
  },
  numbers(
    "y",
    Float64Array.from({ length: n }, (_, i) => level[patient(i)] + 0.1 * next()),
  ),
]);

const [a, b] = [draw(), draw()];
const signal = a.map((value, i) => 2 * value + b[i] + 0.5 * next());
const dates: Column = {
  kind: "category",
  name: "day",
  levels: Array.from({ length: 60 }, (_, d) =>
    new Date(Date.UTC(2024, 0, 1 + d)).toISOString().slice(0, 10),
  ),
  codes: Int32Array.from({ length: n }, (_, i) => (11 * i) % 60),
};
const plain = (y: Float64Array = signal, ...more: Column[]): Table =>
  table([numbers("a", a), numbers("b", b), ...more, numbers("y", y)]);
const quick: ExplainOptions = { target: "y", hidden: [4] };

describe("a split by groups", () => {
  test("keeps a patient's rows together, does not learn from the patient's name, and tells what chance would hide", async () => {
    const chance = await explain(patients, { ...quick, exclude: ["patient"] });
    const apart = await explain(patients, { ...quick, splitBy: "patient" });
    const { prepared, document } = apart;
    const [left, out] = [prepared.rows.train, prepared.rows.test].map(
      (rows) => new Set(Array.from(rows, patient)),
    );
    expect([...out].filter((p) => left.has(p))).toEqual([]);
    expect(document.model.split).toEqual({
      kind: "groups",
      fraction: 0.3,
      column: "patient",
      groups: { train: left.size, test: out.size },
    });
    expect(document.excluded).toContainEqual({
      name: "patient",
      reason: "its groups divide the rows",
    });
    expect(document.variables.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(chance.document.scores.score).toBeGreaterThan(document.scores.score + 0.2);
    // Ten rows of a patient say hardly more than one.
    const width = ({ scores }: typeof document) => scores.upper! - scores.lower!;
    expect(width(document)).toBeGreaterThan(2 * width(chance.document));
    // In training too: what is held back is other patients.
    expect(prepared.structure.train).toEqual({
      kind: "groups",
      values: Int32Array.from(prepared.rows.train, patient),
    });
  });

  test("needs two groups, a group in every row, and a column that is not the target", async () => {
    const one = { kind: "category", name: "g", levels: ["x"], codes: new Int32Array(n) } as const;
    await expect(explain(plain(signal, one), { ...quick, splitBy: "g" })).rejects.toThrow(
      'needs at least 2 different groups in column "g", got 1',
    );
    const gap = { ...one, codes: Int32Array.from({ length: n }, (_, i) => (i === 5 ? -1 : 0)) };
    await expect(explain(plain(signal, gap), { ...quick, splitBy: "g" })).rejects.toThrow(
      'needs a group in every row in use, got 1 missing in column "g"',
    );
    await expect(explain(plain(), { ...quick, splitBy: "y" })).rejects.toThrow("the target");
    await expect(explain(plain(), { ...quick, splitBy: "z" })).rejects.toThrow('no column "z"');
  });
});

describe("a split by time", () => {
  test("holds out the latest days, here and in training, with ties together", async () => {
    const { document, prepared } = await explain(plain(signal, dates), { ...quick, time: "day" });
    const day = (row: number) => dates.kind === "category" && dates.codes[row];
    expect(prepared.rows.test).toHaveLength(72);
    for (const row of prepared.rows.test) expect(day(row)).toBeGreaterThanOrEqual(42);
    for (const row of prepared.rows.train) expect(day(row)).toBeLessThan(42);
    expect(document.model.split).toEqual({
      kind: "time",
      fraction: 0.3,
      column: "day",
      from: "2024-02-12",
    });
    expect(document.excluded).toContainEqual({ name: "day", reason: "its times divide the rows" });
    expect([document.scores.lower, document.scores.upper]).toEqual([null, null]);
    expect(prepared.structure.train!.kind).toBe("time");
  });

  test("a column of numbers divides likewise, and is a predictor where it is kept", async () => {
    const year = numbers(
      "year",
      Float64Array.from({ length: n }, (_, i) => 2000 + (i % 10)),
    );
    const asked = { ...quick, time: "year", keep: ["year"] };
    const { document, prepared } = await explain(plain(signal, year), asked);
    for (const row of prepared.rows.test) expect(row % 10).toBeGreaterThanOrEqual(7);
    expect(document.variables.map(({ name }) => name)).toEqual(["a", "b", "year"]);
    expect(document.model.split).toMatchObject({ kind: "time", from: 2007 });
    await expect(
      explain(plain(signal, dates), { ...quick, time: "day", keep: ["day"] }),
    ).rejects.toThrow('needs numbers in column "day" to keep it as a predictor, got texts');
  });
});

describe("folds", () => {
  const asked: ExplainOptions = { ...quick, folds: 4 };

  /** Out-of-fold predictions, put together by hand. */
  function outOfFold(prepared: Prepared, networks: Parameters<typeof predict>[0][]) {
    const X = encode(prepared.encoding, prepared.source, prepared.rows.train);
    const out = new Float64Array(X.rows);
    prepared.folds!.forEach((rows, k) => {
      const { mean } = predict(networks[k], X);
      for (const row of rows) out[row] = mean.data[row];
    });
    return out;
  }

  test("a network a fold, which are the ensemble; score, calibration and predictions are those of the network that did not see the row", async () => {
    const { document, model, prepared } = await explain(plain(), asked);
    expect([model.networks.length, document.model.ensemble]).toEqual([4, 4]);
    expect(document.model.split).toEqual({ kind: "folds", folds: 4 });
    expect(document.model.rows).toEqual({ train: n, test: n });
    expect(prepared.folds!.map((rows) => rows.length)).toEqual([60, 60, 60, 60]);
    const predicted = outOfFold(prepared, [...model.networks]);
    expectClose([document.scores.score], [rSquared(predicted, signal)], { rtol: 1e-9 });
    const naive = new Float64Array(n);
    for (const rows of prepared.folds!) {
      const others = signal.filter((_, i) => !rows.includes(i));
      for (const row of rows) naive[row] = meanOf(others);
    }
    expectClose([document.scores.baseline], [rSquared(naive, signal)], { rtol: 1e-9 });
    expect(document.scores.rows).toBe(n);
    document.predictions.row.forEach((row, at) => {
      expect(document.predictions.observed[at]).toBe(signal[row - 1]);
      expectClose([document.predictions.predicted[at] as number], [predicted[row - 1]]);
    });
    // The model is all of them.
    const { mean } = predictTable(model, plain());
    expect(rSquared(mean!, signal)).toBeGreaterThan(document.scores.score);
  });

  test("no network hangs on a response of its own fold", async () => {
    const first = await explain(plain(), asked);
    const [held] = first.prepared.folds!;
    const y = signal.slice();
    for (const row of held) y[row] = 100 - 3 * y[row];
    const second = await explain(plain(y), asked);
    expect(second.prepared.folds).toEqual(first.prepared.folds);
    const parameters = ({ model }: typeof first) => model.networks.map((one) => one.parameters);
    expect(parameters(second)[0]).toEqual(parameters(first)[0]);
    for (const k of [1, 2, 3]) expect(parameters(second)[k]).not.toEqual(parameters(first)[k]);
  });

  test("nor does a last layer that was fitted anew", async () => {
    const laplace = { ...asked, posterior: "laplace" } as const;
    const first = await explain(plain(), laplace);
    const y = signal.slice();
    for (const row of first.prepared.folds![0]) y[row] = 100 - 3 * y[row];
    const second = await explain(plain(y), laplace);
    const weights = ({ model }: typeof first) => model.outputWeights!;
    expect(weights(second)[0]).toEqual(weights(first)[0]);
    expect(weights(second)[1]).not.toEqual(weights(first)[1]);
  });

  test("classes keep their shares, and probabilities are out of fold too", async () => {
    const codes = Int32Array.from(signal, (value) => Number(value > 1.5));
    const source = table([
      numbers("a", a),
      numbers("b", b),
      { kind: "category", name: "y", levels: ["no", "yes"], codes },
    ]);
    const { document, prepared } = await explain(source, asked);
    for (const rows of prepared.folds!) {
      const share = meanOf(Float64Array.from(rows, (row) => codes[row]));
      expect(Math.abs(share - meanOf(Float64Array.from(codes)))).toBeLessThan(1 / 60);
    }
    const [first, second] = document.calibration.confusion!;
    expect(first[0] + first[1] + second[0] + second[1]).toBe(n);
    expect(document.scores).toMatchObject({ metric: "logLoss", rows: n });
    expect(document.calibration.probabilities!.bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(
      n,
    );
  });

  test("the number of workers changes nothing", async () => {
    const [one, two] = [
      await explain(plain(), { ...asked, workers: 1 }),
      await explain(plain(), { ...asked, workers: 2 }),
    ];
    expect(two.document).toEqual(one.document);
  });
});

describe("a test table", () => {
  const more = table([
    numbers("b", b.slice(0, 50)),
    numbers(
      "y",
      signal.slice(0, 50).map((value) => value + 1),
    ),
    numbers("a", a.slice(0, 50)),
  ]);
  const asked: ExplainOptions = { ...quick, test: more };

  test("is what the score is of, and nothing is learnt from it", async () => {
    const { document, model } = await explain(plain(), asked);
    expect(document.model.rows).toEqual({ train: n, test: 50 });
    expect(document.model.split).toEqual({ kind: "file" });
    const { mean } = predictTable(model, more);
    const truth = signal.slice(0, 50).map((value) => value + 1);
    expectClose([document.scores.score], [rSquared(mean!, truth)], { rtol: 1e-9 });
    expect([...document.predictions.row].sort((x, y) => x - y)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    const other = table([numbers("a", draw(30)), numbers("b", draw(30)), numbers("y", draw(30))]);
    const again = await explain(plain(), { ...quick, test: other });
    expect(again.model.networks).toEqual(model.networks);
    expect(again.document.dataHash).not.toBe(document.dataHash);
    expect(again.document.shapes).toEqual(document.shapes);
  });

  test("is refused where columns, kinds, classes or levels are not those of the first", async () => {
    const cut = (table_: Table, ...names: string[]): Table => ({
      ...table_,
      columns: table_.columns.filter(({ name }) => !names.includes(name)),
    });
    await expect(explain(plain(), { ...quick, test: cut(more, "a") })).rejects.toThrow(
      'the test table: has no column "a"; its columns are b, y',
    );
    const colours = (levels: string[], rows: number): Column => ({
      kind: "category",
      name: "colour",
      levels,
      codes: Int32Array.from({ length: rows }, (_, i) => i % levels.length),
    });
    const test_ = table([...more.columns, colours(["red", "pink"], 50)]);
    await expect(
      explain(plain(signal, colours(["red", "blue"], n)), { ...quick, test: test_ }),
    ).rejects.toThrow(
      'the test table: column "colour" is "pink" in row 2, a level that the table to learn from does not have',
    );
    const classes = (levels: string[], rows: number) => ({ ...colours(levels, rows), name: "y" });
    await expect(
      explain(table([numbers("a", a), numbers("b", b), classes(["red", "blue"], n)]), {
        ...quick,
        test: table([...cut(more, "y").columns, classes(["red", "pink"], 50)]),
      }),
    ).rejects.toThrow('the test table: the target "y" is "pink" in some rows');
    const gaps = table([
      ...cut(more, "a").columns,
      numbers("a", new Float64Array(50).fill(Number.NaN)),
    ]);
    await expect(explain(plain(), { ...quick, test: gaps })).rejects.toThrow(
      "the test table: has no row with a target and every predictor",
    );
    await expect(explain(plain(), { ...quick, test: gaps, missing: "error" })).rejects.toThrow(
      '"a" is missing in row 1 of the test table',
    );
  });
});

test("one way to split excludes another", async () => {
  const refused = (options: Partial<ExplainOptions>) =>
    expect(explain(plain(signal, dates), { ...quick, ...options })).rejects;
  await refused({ splitBy: "day", time: "day" }).toThrow("splitBy and time exclude one another");
  await refused({ folds: 3, test: plain() }).toThrow("folds and test exclude one another");
  await refused({ folds: 3, testFraction: 0.2 }).toThrow("testFraction and folds exclude");
  await refused({ folds: 3, ensemble: 5 }).toThrow("ensemble and folds exclude one another");
  await refused({ folds: 1 }).toThrow("needs from 2 to 120 folds of 240 rows, got 1");
  await refused({ folds: 3, model: "gp" }).toThrow("needs a network for folds");
});
