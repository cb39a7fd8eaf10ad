import { afterAll, describe, expect, test } from "vitest";
import { encode } from "../../src/data/design.ts";
import { type Column, table } from "../../src/data/index.ts";
import { areaUnderRoc, rSquared, standardErrorOfMean } from "../../src/evaluate/index.ts";
import { influenceOnRSquared } from "../../src/evaluate/standard-error.ts";
import { explain } from "../../src/explain/explain.ts";
import { predictTable } from "../../src/explain/fit/model.ts";
import type { ExplainOptions } from "../../src/explain/options.ts";
import { weightedMean } from "../../src/linalg/moments.ts";
import { predict } from "../../src/network/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

afterAll(closeWorkers);

const n = 200;
const next = normals(fold(keyFromSeed(13), "weights and splits"));
const draw = () => Float64Array.from({ length: n }, next);
const numbers = (name: string, values: ArrayLike<number>): Column => ({
  kind: "number",
  name,
  values: Float64Array.from(values),
});
const [a, b] = [draw(), draw()];
const w = Float64Array.from({ length: n }, (_, i) => 0.25 + (i % 5));
const y = a.map((value, i) => (i % 5 > 2 ? 2 * value : b[i]) + 0.3 * next());
const site = Int32Array.from({ length: n }, (_, i) => (3 * i) % 20);
const source = (weights: ArrayLike<number> = w, ...more: Column[]) =>
  table([numbers("a", a), numbers("b", b), numbers("w", weights), ...more, numbers("y", y)]);
const quick: ExplainOptions = { target: "y", hidden: [4], weights: "w" };

describe("folds", () => {
  const asked: ExplainOptions = { ...quick, folds: 4 };

  test("each network counts its own rows by their weights, and hangs on none of its fold's", async () => {
    for (const posterior of ["variational", "laplace"] as const) {
      const first = await explain(source(), { ...asked, posterior });
      const changed = w.slice();
      for (const row of first.prepared.folds![0]) changed[row] = 9 - changed[row];
      const second = await explain(source(changed), { ...asked, posterior });
      const parameters = ({ model }: typeof first) =>
        model.networks.map((one, k) => [one.parameters, model.outputWeights?.[k]]);
      expect(parameters(second)[0]).toEqual(parameters(first)[0]);
      for (const k of [1, 2, 3]) expect(parameters(second)[k]).not.toEqual(parameters(first)[k]);
    }
  });

  test("rows are scored by their weights, beside the weighted mean of the rows that the network saw", async () => {
    const { document, model, prepared } = await explain(source(), asked);
    const X = encode(prepared.encoding, prepared.source, prepared.rows.train);
    const [predicted, naive] = [new Float64Array(n), new Float64Array(n)];
    prepared.folds!.forEach((rows, k) => {
      const { mean } = predict(model.networks[k], X);
      const others = Uint32Array.from(y, (_, i) => i).filter((i) => !rows.includes(i));
      const average = weightedMean(
        Float64Array.from(others, (i) => y[i]),
        Float64Array.from(others, (i) => w[i]),
      );
      for (const row of rows) [predicted[row], naive[row]] = [mean.data[row], average];
    });
    const { scores } = document;
    expectClose(
      [scores.score, scores.baseline],
      [rSquared(predicted, y, w), rSquared(naive, y, w)],
      {
        rtol: 1e-9,
      },
    );
    expect(Math.abs(scores.score - rSquared(predicted, y))).toBeGreaterThan(0.001);
    expectClose(
      [scores.upper! - scores.score],
      [1.95996398454005 * standardErrorOfMean(influenceOnRSquared(predicted, y, w), null, w)],
      { rtol: 1e-9 },
    );
  });
});

test("rows held out by groups keep their weights, and groups are what varies", async () => {
  const groups: Column = {
    kind: "category",
    name: "site",
    levels: Array.from({ length: 20 }, (_, g) => `s${g}`),
    codes: site,
  };
  const { document, model, prepared } = await explain(source(w, groups), {
    ...quick,
    splitBy: "site",
  });
  const { rows, test: held, train } = prepared;
  expect([...held.weights!]).toEqual([...rows.test].map((row) => w[row]));
  expect([...train.weights!]).toEqual([...rows.train].map((row) => w[row]));
  const mean = predictTable(model, source(w, groups)).mean!;
  const predicted = Float64Array.from(rows.test, (row) => mean[row]);
  const own = Int32Array.from(rows.test, (row) => site[row]);
  const { scores } = document;
  expectClose([scores.score], [rSquared(predicted, held.y, held.weights)], { rtol: 1e-9 });
  const influence = influenceOnRSquared(predicted, held.y, held.weights);
  expectClose(
    [scores.upper! - scores.score],
    [1.95996398454005 * standardErrorOfMean(influence, own, held.weights)],
    { rtol: 1e-9 },
  );
  expect(document.excluded).toEqual([
    { name: "w", reason: "weighs the rows" },
    { name: "site", reason: "its groups divide the rows" },
  ]);
});

describe("a test table", () => {
  const more = (weights: ArrayLike<number>) =>
    table([numbers("w", weights), ...source().columns.filter(({ name }) => name !== "w")]);

  test("is scored by its own column of weights", async () => {
    const own = w.map((weight, i) => (i % 2 === 0 ? weight : 0.01));
    const { document, model } = await explain(source(), { ...quick, test: more(own) });
    const { mean } = predictTable(model, more(own));
    expectClose([document.scores.score], [rSquared(mean!, y, own)], { rtol: 1e-9 });
  });

  test("without that column, or with a weight below 0, is refused", async () => {
    const without = table([numbers("a", a), numbers("b", b), numbers("y", y)]);
    await expect(explain(source(), { ...quick, test: without })).rejects.toThrow(
      'the test table: has no column "w"',
    );
    const below = more(w.map((weight, i) => (i === 6 ? -1 : weight)));
    await expect(explain(source(), { ...quick, test: below })).rejects.toThrow(
      '"w" is -1 in row 7 of the test table',
    );
  });
});

test("classes that count the same are scored so: areas, log loss, F1 and the test of calibration", async () => {
  const yes = Int32Array.from(y, (value) => Number(value > 1));
  const classes = table([
    numbers("a", a),
    numbers("b", b),
    { kind: "category", name: "y", levels: ["no", "yes"], codes: yes },
  ]);
  const { document, model, prepared } = await explain(classes, {
    target: "y",
    hidden: [4],
    classWeights: "balanced",
  });
  const { rows, test: held, classWeights } = prepared;
  const P = predictTable(model, classes).probabilities!;
  const ofYes = Float64Array.from(rows.test, (row) => P[2 * row + 1]);
  expect(document.scores).toMatchObject({ metric: "logLoss" });
  const scores = document.scores as Extract<typeof document.scores, { metric: "logLoss" }>;
  const sum = (of: (i: number) => number) =>
    held.y.reduce((total, _, i) => total + held.weights![i] * of(i), 0);
  expect([...held.weights!]).toEqual([...held.y].map((label) => classWeights![label]));
  const loss = (i: number) => -Math.log(held.y[i] === 1 ? ofYes[i] : 1 - ofYes[i]);
  expectClose([scores.logLoss], [sum(loss) / sum(() => 1)], { rtol: 1e-9 });
  expectClose([scores.baseline], [Math.LN2], { rtol: 1e-9 });
  // Within a class all rows count the same, so the area is that without weights.
  expectClose([scores.auc!], [areaUnderRoc(ofYes, held.y)], { rtol: 1e-9 });
  const [right, named, came] = [
    sum((i) => Number(ofYes[i] > 0.5 && held.y[i] === 1)),
    sum((i) => Number(ofYes[i] > 0.5)),
    sum((i) => held.y[i]),
  ];
  expectClose([scores.f1], [(2 * right) / (named + came)], { rtol: 1e-9 });
  const plain = held.y.filter((label, i) => label === 1 && ofYes[i] > 0.5).length;
  expect(document.calibration.confusion![1][1]).toBe(plain);
  // Probabilities of rows that count by class say nothing against themselves; asked of plain rows they would.
  expect(document.calibration.probabilities!.test.pValue).toBeGreaterThan(0.001);
});
