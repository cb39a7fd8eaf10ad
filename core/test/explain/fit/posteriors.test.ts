import { beforeAll, describe, expect, test } from "vitest";
import { encode } from "../../../src/data/design.ts";
import { type Table, table } from "../../../src/data/index.ts";
import { effectSizes, softmaxNoiseVariance } from "../../../src/effects/index.ts";
import { explain } from "../../../src/explain/explain.ts";
import { rateOfNetworks } from "../../../src/explain/fit/column-rates.ts";
import { predictTable, readModel, writeModel } from "../../../src/explain/fit/model.ts";
import { refitOutput } from "../../../src/explain/fit/refit-output.ts";
import type { ExplainOptions } from "../../../src/explain/options.ts";
import { type Matrix, matrix } from "../../../src/linalg/index.ts";
import {
  type Architecture,
  fit,
  forward,
  outputLayer,
  predict,
} from "../../../src/network/index.ts";
import { laplace } from "../../../src/posterior/index.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../../src/random/index.ts";
import { contrastEffects } from "../../../src/rate/contrast.ts";
import { rate } from "../../../src/rate/index.ts";
import { expectClose } from "../../support/close.ts";

const n = 240;
const names = ["a", "b", "c"];
let source: Table;

beforeAll(() => {
  const next = normals(fold(keyFromSeed(1), "table"));
  const uniform = uniforms(fold(keyFromSeed(1), "classes"));
  const columns = names.map((name) => ({
    kind: "number" as const,
    name,
    values: Float64Array.from({ length: n }, next),
  }));
  const [a, b] = columns.map(({ values }) => values);
  const score = a.map((value, i) => 2 * value - b[i] + 0.3 * next());
  const levels = ["low", "middle", "high"];
  source = table([
    ...columns,
    { kind: "number", name: "y", values: score },
    {
      kind: "category",
      name: "level",
      levels,
      codes: Int32Array.from(score, (value) =>
        uniform() < 0.05 ? 1 : value < -1 ? 0 : value < 1 ? 1 : 2,
      ),
    },
  ]);
});

const settings = { target: "y", exclude: ["level"], hidden: [8, 4], workers: 0 } as const;
const run = (options: Partial<ExplainOptions>) => explain(source, { ...settings, ...options });

describe("a last layer fitted anew", () => {
  const architecture: Architecture = {
    inputs: 3,
    layers: [{ kind: "dense", units: 5, activation: "relu" }],
    link: "identity",
  };
  const X = {
    data: Float32Array.from({ length: 3 * n }, normals(fold(keyFromSeed(3), "X"))),
    rows: n,
    cols: 3,
  };
  const y = Float64Array.from({ length: n }, (_, i) => 3 * X.data[3 * i] + 10);
  const refit = async (posterior: "laplace" | "swag") => {
    const { network } = await fit(X, y, {
      key: keyFromSeed(4),
      architecture,
      changes: { linear: false },
    });
    const options = { posterior, recipe: { priorVariance: 1 }, key: keyFromSeed(5) };
    return { network, refitted: await refitOutput(network, X, y, options) };
  };

  test("is the Laplace posterior of the network's own H, bias, noise and prior", async () => {
    const { network, refitted } = await refit("laplace");
    const { hidden } = forward(network, X);
    const { bias, noiseVariance } = outputLayer(network);
    const average = y.reduce((sum, v) => sum + v / n, 0);
    const priorVariance = y.reduce((sum, v) => sum + (v - average) ** 2 / (n - 1), 0);
    const expected = laplace(hidden, y, {
      link: "identity",
      bias: Float64Array.of(bias),
      noiseVariance: noiseVariance!,
      priorVariance,
    });
    expectClose(refitted.outputs[0].mean, expected.outputs[0].mean, { rtol: 1e-9 });
    const layer = outputLayer(refitted.network);
    expectClose(layer.mean, expected.outputs[0].mean, { rtol: 1e-6 });
    const V = expected.outputs[0].covariance as Matrix;
    expectClose(
      layer.variance,
      layer.mean.map((_, k) => V.data[k * 6]),
      { rtol: 1e-5 },
    );
    const { variance } = predict(refitted.network, X, [V]);
    const h = hidden.data.subarray(0, 5);
    let quadratic = 0;
    for (let i = 0; i < 5; i++)
      for (let j = 0; j < 5; j++) quadratic += h[i] * V.data[i * 5 + j] * h[j];
    expectClose([variance.data[0]], [quadratic], { rtol: 1e-8 });
  });

  test("by SWAG has nearly the same mean, and a covariance of its own", async () => {
    const [one, two] = [await refit("laplace"), await refit("swag")];
    const fitted = (outputs: typeof one.refitted.outputs) =>
      effectSizes(X, forward(one.network, X).hidden, outputs[0]).mean;
    expectClose(fitted(two.refitted.outputs), fitted(one.refitted.outputs), {
      rtol: 0.05,
      atol: 0.05,
    });
    expect(two.refitted.outputs[0].covariance).not.toEqual(one.refitted.outputs[0].covariance);
  });
});

describe("explain", () => {
  test.each(["variational", "laplace", "swag"] as const)(
    "with posterior %s ranks, predicts with its covariance, and survives a file",
    async (posterior) => {
      const { document, model } = await run({ posterior, ensemble: 2 });
      expect(document.model).toMatchObject({
        kind: "network",
        posterior,
        kernel: null,
        ensemble: 2,
      });
      expect(document.variables.find(({ name }) => name === "a")!.direct!.rank).toBe(1);
      expect(document.model.heldOut.score).toBeGreaterThan(0.9);
      expect(model.outputWeights?.length).toBe(posterior === "variational" ? undefined : 2);
      const expected = predictTable(model, source);
      expect(predictTable(readModel(writeModel(model), "m"), source)).toEqual(expected);
      // Half of the responses or more within a standard deviation of a new one.
      const truth = source.columns.find(({ name }) => name === "y")! as { values: Float64Array };
      const near = expected.mean!.filter((m, i) => Math.abs(m - truth.values[i]) < expected.sd![i]);
      expect(near.length).toBeGreaterThan(0.5 * n);
    },
  );

  test("says how all pairs of three classes differ, and nothing of pairs of two", async () => {
    const of = (posterior: "variational" | "laplace" | "swag") =>
      run({ target: "level", exclude: ["y"], posterior });
    for (const posterior of ["variational", "laplace", "swag"] as const) {
      const { document } = await of(posterior);
      const between = document.contrasts!.map((contrast) => contrast.between.join(" "));
      expect(between).toEqual(["high low", "high middle", "low middle"]);
      for (const { variables } of document.contrasts!) {
        expect(variables.reduce((sum, { rate }) => sum + rate!, 0)).toBeCloseTo(1, 10);
        expect(variables.map(({ name }) => name)).toEqual(names);
      }
    }
    const two = await run({});
    expect(two.document.contrasts).toBeNull();
  });

  test("a contrast is RATE of the difference of two classes' effects", async () => {
    const { model } = await run({ target: "level", exclude: ["y"] });
    const [network] = model.networks;
    const X = encode(
      model.encoding,
      source,
      Uint32Array.from({ length: n }, (_, i) => i),
    );
    const { contrasts } = rateOfNetworks([network], X, new Float64Array(n), {
      columnNames: names,
      groups: [],
      contrasts: [[0, 2]],
    });
    const { hidden } = forward(network, X);
    const [first, , third] = [0, 1, 2].map((c) => {
      const { mean, variance } = outputLayer(network, c);
      const noiseVariance = softmaxNoiseVariance;
      return effectSizes(X, hidden, { mean, covariance: variance }, { names, noiseVariance });
    });
    const expected = rate(contrastEffects(first, third)).variables.kld;
    expectClose(contrasts[0].result.variables.kld, expected, { rtol: 1e-8 });
  });

  test("by a Gaussian process ranks as the response does, and predicts with its variance", async () => {
    for (const kernel of ["rbf", "matern52", "linear"] as const) {
      const { document, model } = await run({ model: "gp", kernel });
      expect(document.recipe).toBeNull();
      expect(document.model).toMatchObject({
        kind: "gp",
        posterior: "gp",
        layers: [],
        kernel: { kind: kernel },
      });
      expect(document.model.kernel!.noiseVariance).toBeGreaterThan(0.05);
      expect(document.model.kernel!.noiseVariance).toBeLessThan(0.2);
      expect(document.model.heldOut.score).toBeGreaterThan(0.95);
      const [a, b, c] = document.variables;
      expect([a.rank, a.direct!.rank, b.direct!.rank, c.direct!.rank]).toEqual([1, 1, 2, 3]);
      const expected = predictTable(model, source);
      expect(predictTable(readModel(writeModel(model), "m"), source)).toEqual(expected);
      expect(Math.min(...expected.sd!)).toBeGreaterThan(0.2);
    }
  });

  test("a process takes a subsample on request, and only a numeric target", async () => {
    const { document } = await run({ model: "gp", subsample: 60 });
    expect(document.model.rows.train).toBe(60);
    await expect(run({ model: "gp", target: "level", exclude: ["y"] })).rejects.toThrow(
      "needs a numeric target for a Gaussian process",
    );
    const many = matrix(6000, 1).data;
    const next = normals(keyFromSeed(9));
    const column = (name: string) => ({ kind: "number" as const, name, values: many.map(next) });
    const large = table(["a", "b", "y"].map(column));
    await expect(explain(large, { target: "y", model: "gp" })).rejects.toThrow(
      "at most 4000 training rows for a Gaussian process, got 4200; subsample: 2000",
    );
  });
});
