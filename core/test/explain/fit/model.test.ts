import { beforeAll, describe, expect, test } from "vitest";
import { type Table, table, writeBundle } from "../../../src/data/index.ts";
import { effectSizes } from "../../../src/effects/index.ts";
import { type Explained, explain } from "../../../src/explain/explain.ts";
import { ensembleHidden, ensembleWeights } from "../../../src/explain/fit/ensemble.ts";
import { predictTable, readModel, writeModel } from "../../../src/explain/fit/model.ts";
import { forward, outputLayer } from "../../../src/network/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";
import { expectClose } from "../../support/close.ts";

const n = 200;
let source: Table;
let explained: Explained;

beforeAll(async () => {
  const next = normals(fold(keyFromSeed(1), "table"));
  const column = (name: string) => ({
    kind: "number" as const,
    name,
    values: Float64Array.from({ length: n }, () => next()),
  });
  const [a, b, c] = ["a", "b", "c"].map(column);
  const y = {
    ...column("y"),
    values: a.values.map((value, i) => value - b.values[i] + 0.1 * next()),
  };
  source = table([a, b, c, y]);
  explained = await explain(source, { target: "y", ensemble: 2, hidden: [8, 4], workers: 0 });
});

describe("a model", () => {
  test("is plain data: the same predictions to the bit after a file and after a clone", () => {
    const { model } = explained;
    const back = readModel(writeModel(model), "m");
    expect(back).toEqual(model);
    const expected = predictTable(model, source);
    expect(predictTable(back, source)).toEqual(expected);
    expect(predictTable(structuredClone(model), source)).toEqual(expected);
    expect(new Set(expected.mean).size).toBe(n);
  });

  test("refuses a ratewise file that holds something else", () => {
    expect(() => readModel(writeBundle({ kind: "session" }), "s.ratewise")).toThrow(
      "s.ratewise: this ratewise file does not hold a model",
    );
  });

  test("predicts what the members' average does", () => {
    const { model } = explained;
    const [first, second] = model.networks.map(
      (network) => predictTable({ ...model, networks: [network] }, source).mean!,
    );
    const both = predictTable(model, source).mean!;
    expectClose(
      both,
      first.map((value, i) => (value + second[i]) / 2),
      { rtol: 1e-12, atol: 1e-12 },
    );
    expect(first).not.toEqual(second);
  });
});

test("the members' hidden units side by side give the averaged network's effects", () => {
  const { networks } = explained.model;
  const next = normals(fold(keyFromSeed(2), "X"));
  const X = { data: Float32Array.from({ length: 3 * 50 }, () => next()), rows: 50, cols: 3 };
  const { hidden, mean } = ensembleHidden(networks, X);
  const together = effectSizes(X, hidden, ensembleWeights(networks, 0));
  const apart = networks.map((network) => {
    const layer = outputLayer(network);
    const { mean, factor } = effectSizes(X, forward(network, X).hidden, {
      mean: layer.mean,
      covariance: layer.variance,
    });
    return { mean, factor };
  });
  const [a, b] = apart;
  const averaged = a.mean.map((value, j) => (value + b.mean[j]) / 2);
  // Side by side, each at half its size: the members are independent.
  const factors = [0, 1, 2].flatMap((j) =>
    [a, b].flatMap(({ factor }) =>
      Array.from(factor.data.subarray(j * factor.cols, (j + 1) * factor.cols), (v) => v / 2),
    ),
  );
  expectClose(together.mean, averaged, { rtol: 1e-10, atol: 1e-12 });
  expectClose(together.factor.data, factors, { rtol: 1e-10, atol: 1e-12 });
  const fitted = networks.map((network) => forward(network, X).mean.data);
  expectClose(
    mean.data,
    fitted[0].map((value, i) => (value + fitted[1][i]) / 2),
    { rtol: 1e-12, atol: 1e-12 },
  );
});

test("an explanation can be stopped, and hears of its progress to the end", async () => {
  const stop = new AbortController();
  const attempt = explain(source, {
    target: "y",
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("enough")),
  });
  await expect(attempt).rejects.toThrow("enough");
  const last = new Map<string, number>();
  await explain(source, {
    target: "y",
    hidden: [4],
    onProgress: ({ phase, done, total }) => last.set(phase, done / total),
  });
  expect(last).toEqual(
    new Map([
      ["train", 1],
      ["direct effects", 1],
      ["shapes of effects", 1],
    ]),
  );
});

test("hidden layers and ensembles that cannot be are refused", async () => {
  await expect(explain(source, { target: "y", hidden: [] })).rejects.toThrow(
    "needs hidden to be a list of layers of at least 1 unit, such as [32, 16], got []",
  );
  await expect(explain(source, { target: "y", ensemble: 0 })).rejects.toThrow(
    "needs ensemble to be a number of networks, at least 1, got 0",
  );
});
