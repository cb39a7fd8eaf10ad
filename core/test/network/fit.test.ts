import { describe, expect, test } from "vitest";
import {
  type Architecture,
  type FitOptions,
  fit,
  forward,
  type LayerSpec,
  outputLayer,
  predict,
} from "../../src/network/index.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { naiveTrainer } from "./naive/naive-trainer.ts";

const P = 6;
const N = 600;

/** y depends on the first two columns alone: their sum and product. */
function rows(n: number, seed: number) {
  const next = normals(keyFromSeed(seed));
  const data = Float64Array.from({ length: n * P }, next);
  const signal = Float64Array.from({ length: n }, (_, i) => {
    const [a, b] = data.subarray(i * P, i * P + 2);
    return a + b + a * b;
  });
  return { X: { data, rows: n, cols: P }, signal, y: signal.map((f) => f + 0.3 * next()) };
}

const layers: LayerSpec[] = [
  { kind: "dense", units: 12, activation: "relu" },
  { kind: "dense", units: 6, activation: "tanh" },
];
const regression: Architecture = { inputs: P, layers, link: "identity" };
const quick: FitOptions = {
  key: keyFromSeed(1),
  architecture: regression,
  recipe: "paper",
  changes: { epochs: 40, patience: 40, learningRate: 0.01, batchSize: 32, keep: "best" },
  trainer: naiveTrainer,
};

const train = rows(N, 1);
const fresh = rows(400, 2);
const residualShare = (predicted: Float64Array, y: Float64Array) => {
  const mean = y.reduce((s, x) => s + x, 0) / y.length;
  const total = y.reduce((s, x) => s + (x - mean) ** 2, 0);
  return y.reduce((s, x, i) => s + (x - predicted[i]) ** 2, 0) / total;
};

describe("fit", () => {
  test("learns a sum and a product, in the units of the response", async () => {
    const scaled = train.y.map((v) => 100 + 7 * v);
    const { network, history, validationRows } = await fit(train.X, scaled, quick);
    const { mean, noiseVariance } = predict(network, fresh.X);
    expect(
      residualShare(
        mean.data,
        fresh.signal.map((f) => 100 + 7 * f),
      ),
    ).toBeLessThan(0.1);
    expect(history[39].trainingLoss).toBeLessThan(history[0].trainingLoss);
    const held = new Set(validationRows);
    const fitted = scaled.filter((_, i) => !held.has(i));
    const centre = fitted.reduce((sum, v) => sum + v, 0) / fitted.length;
    const variance = fitted.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (fitted.length - 1);
    expectClose([noiseVariance!], [0.5 * variance], { rtol: 1e-5 }); // as the recipe fixes it
  });

  test("learns τ² when asked", async () => {
    const changes = { ...quick.changes, noiseVariance: "learned" as const };
    const { network } = await fit(train.X, train.y, { ...quick, changes });
    expect(outputLayer(network).noiseVariance!).toBeGreaterThan(0.05);
    expect(outputLayer(network).noiseVariance!).toBeLessThan(0.25);
  });

  test("forward's mean is the hidden layer times the output layer", async () => {
    const { network } = await fit(train.X, train.y, { ...quick, changes: { epochs: 1 } });
    const { hidden, mean } = forward(network, fresh.X);
    const { mean: m, bias } = outputLayer(network);
    const byHand = Float64Array.from({ length: 400 }, (_, i) =>
      m.reduce((sum, w, k) => sum + w * hidden.data[i * 6 + k], bias),
    );
    expectClose(mean.data, byHand, { rtol: 1e-6, atol: 1e-6 });
  });

  test("gives class probabilities for the logistic and the softmax link alike", async () => {
    const labels = train.signal.map((f) => (f > 0 ? 1 : 0));
    const truth = fresh.signal.map((f) => (f > 0 ? 1 : 0));
    for (const link of ["logistic", "softmax"] as const) {
      const architecture: Architecture =
        link === "softmax" ? { inputs: P, layers, link, classes: 2 } : { inputs: P, layers, link };
      const { network } = await fit(train.X, labels, { ...quick, architecture });
      const { probabilities, noiseVariance } = predict(network, fresh.X);
      expect(noiseVariance).toBeNull();
      let hits = 0;
      for (let i = 0; i < 400; i++) {
        expectClose([probabilities!.data[2 * i] + probabilities!.data[2 * i + 1]], [1]);
        if (probabilities!.data[2 * i + 1] > 0.5 === (truth[i] === 1)) hits++;
      }
      expect(hits / 400).toBeGreaterThan(0.9);
    }
  });

  test("stops when the score has not improved for `patience` epochs", async () => {
    const changes = { ...quick.changes, epochs: 200, patience: 3, learningRate: 0.05 };
    const { history, score } = await fit(train.X, train.y, { ...quick, changes });
    const losses = history.map((e) => e.validationLoss);
    expect(history.length).toBeLessThan(200);
    expect(losses.indexOf(Math.min(...losses))).toBe(losses.length - 4);
    expect(score).toBe(Math.min(...losses));
  });

  test("where epochs have many steps, fewer of them are waited for, but three", async () => {
    const steps = Math.ceil((0.7 * N) / 32);
    for (const [patientSteps, waited] of [
      [6 * steps - 1, 6],
      [1, 3],
      [1000 * steps, 9],
    ]) {
      const more = { epochs: 200, patience: 9, patientSteps, learningRate: 0.05 };
      const changes = { ...quick.changes, ...more };
      const { history } = await fit(train.X, train.y, { ...quick, changes });
      const losses = history.map((e) => e.validationLoss);
      expect(losses.indexOf(Math.min(...losses))).toBe(losses.length - 1 - waited);
    }
  });

  test("keeps the last weights on request and can watch the training loss", async () => {
    const changes = { ...quick.changes, epochs: 5, keep: "last", monitor: "training" } as const;
    const { history, score } = await fit(train.X, train.y, {
      ...quick,
      changes: { ...changes, validationFraction: 0 },
    });
    expect(score).toBe(history[4].trainingLoss);
    expect(history[4].validationLoss).toBeNaN();
  });

  test("a strong input penalty leaves only the inputs that matter", async () => {
    const changes = { ...quick.changes, penalties: [0, 1, 2] };
    const { network, penalty } = await fit(train.X, train.y, { ...quick, changes });
    expect(penalty).toBeGreaterThan(0);
    const norms = Array.from({ length: P }, (_, j) =>
      Math.hypot(...network.parameters.subarray(j * 12, (j + 1) * 12)),
    );
    expect(Math.min(norms[0], norms[1])).toBeGreaterThan(5 * Math.max(...norms.slice(2)));
  });

  test("the same key gives the same bytes, another key others", async () => {
    const changes = { ...quick.changes, epochs: 2 };
    const run = (seed: number) =>
      fit(train.X, train.y, { ...quick, changes, key: keyFromSeed(seed) });
    const [a, b, c] = await Promise.all([run(1), run(1), run(2)]);
    expect(a.network.parameters).toEqual(b.network.parameters);
    expect(a.network.parameters).not.toEqual(c.network.parameters);
  });

  test("reports progress to the end and stops on abort", async () => {
    const events: number[] = [];
    const changes = { epochs: 3, patience: 1 };
    await fit(train.X, train.y, {
      ...quick,
      changes,
      onProgress: ({ done, total }) => events.push(done / total),
    });
    expect(events.at(-1)).toBe(1);
    const controller = new AbortController();
    const stopped = fit(train.X, train.y, { ...quick, signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
  });

  test("a diverging loss says what to lower", async () => {
    const changes = { ...quick.changes, learningRate: 1e30 };
    await expect(fit(train.X, train.y, { ...quick, changes })).rejects.toThrow(
      /needs a finite loss, got NaN in epoch \d+; lower learningRate/,
    );
  });

  test("wrong inputs are named", async () => {
    const X = { ...train.X, data: train.X.data.slice() };
    X.data[P + 2] = Number.NaN;
    await expect(fit(X, train.y, quick)).rejects.toThrow("got NaN in row 1, column 2");
    const labels = train.y.map(() => 2);
    const architecture: Architecture = { inputs: P, layers, link: "logistic" };
    await expect(fit(train.X, labels, { ...quick, architecture })).rejects.toThrow(
      "classes from 0 to 1, got 2 in row 0",
    );
    await expect(fit(train.X, train.y.subarray(1), quick)).rejects.toThrow("one response a row");
  });
});
