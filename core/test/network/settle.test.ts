import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import { fit, forward, outputLayer, predict } from "../../src/network/index.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { recipe } from "../../src/network/recipe.ts";
import { settleVariances } from "../../src/network/settle.ts";
import { fold, keyFromSeed, normalInto, normals } from "../../src/random/index.ts";

const key = keyFromSeed(1);
const noiseSd = 0.4;
/** y = sin-like function of two inputs plus noise. */
function rows(n: number, label: string) {
  const X = matrix(n, 3);
  normalInto(X.data, fold(key, label, "X"));
  const next = normals(fold(key, label, "noise"));
  const y = Float64Array.from({ length: n }, (_, i) => {
    const [a, b] = [X.data[3 * i], X.data[3 * i + 1]];
    return a + Math.max(0, b) + noiseSd * next();
  });
  return { X, y };
}
const layers = [{ kind: "dense" as const, units: 8, activation: "relu" as const }];
const regression = { inputs: 3, layers, link: "identity" as const };

describe("the settled variances", () => {
  test("maximise the bound: moving any of them lowers it", async () => {
    const { X, y } = rows(300, "train");
    const changes = { noiseVariance: 0.2, settle: false, linear: false } as const;
    const { network: trained } = await fit(X, y, { key, architecture: regression, changes });
    const layout = layoutOf(regression);
    const priorVariance = 0.7;
    const network = settleVariances(trained, layout, {
      X,
      rows: null,
      priorVariance,
      noiseVariance: null,
    });
    const { mean, variance, noiseVariance } = outputLayer(network);
    const { hidden } = forward(network, X);
    // The part of E log p − KL that depends on v, from their definitions.
    const bound = (v: Float64Array) => {
      let value = 0;
      for (let k = 0; k < 8; k++) {
        for (let i = 0; i < 300; i++)
          value -= (hidden.data[i * 8 + k] ** 2 * v[k]) / (2 * noiseVariance!);
        value -=
          0.5 *
          (v[k] / priorVariance +
            mean[k] ** 2 / priorVariance -
            1 -
            Math.log(v[k] / priorVariance));
      }
      return value;
    };
    const best = bound(variance);
    for (let k = 0; k < 8; k++)
      for (const factor of [0.8, 1.25])
        expect(bound(variance.map((v, at) => (at === k ? v * factor : v)))).toBeLessThan(best);
    expect(network.parameters.subarray(0, layout.logSd)).toEqual(
      trained.parameters.subarray(0, layout.logSd),
    );
  });

  test("give 90% intervals that cover 85 to 95% of new responses, which the steps alone do not", async () => {
    const { X, y } = rows(400, "train");
    const fresh = rows(4000, "fresh");
    const coverage = async (settle: boolean) => {
      const { network } = await fit(X, y, {
        key,
        architecture: regression,
        changes: { settle, leastSteps: 1 },
      });
      const { mean, variance, noiseVariance } = predict(network, fresh.X);
      const inside = fresh.y.filter(
        (value, i) =>
          Math.abs(value - mean.data[i]) < 1.6449 * Math.sqrt(variance.data[i] + noiseVariance!),
      );
      return inside.length / fresh.y.length;
    };
    const settled = await coverage(true);
    expect(settled).toBeGreaterThan(0.85);
    expect(settled).toBeLessThan(0.95);
    expect(await coverage(false)).toBeGreaterThan(0.97);
  });

  test.each([
    ["the rows trained on", false],
    ["all rows when these were trained on in the end", true],
  ])("of classes use the curvature of their own logit, over %s", async (_, trainAgain) => {
    const { X, y } = rows(300, "train");
    const three = { inputs: 3, layers, link: "softmax" as const, classes: 3 };
    const labels = y.map((value) => (value < 0 ? 0 : value < 1 ? 1 : 2));
    const { network, validationRows } = await fit(X, labels, {
      key,
      architecture: three,
      changes: { trainAgain, linear: false, foldedRows: 0 },
    });
    const { hidden } = forward(network, X);
    const { probabilities, mean } = predict(network, X);
    expect(probabilities!.cols).toBe(3);
    const held = new Set(trainAgain ? [] : validationRows);
    for (let c = 0; c < 3; c++) {
      const { variance } = outputLayer(network, c);
      for (let k = 0; k < 8; k++) {
        let precision = 1 / recipe("standard").priorVariance;
        for (let i = 0; i < 300; i++) {
          if (held.has(i)) continue;
          const logits = [0, 1, 2].map((o) => Math.exp(mean.data[3 * i + o]));
          const chance = logits[c] / (logits[0] + logits[1] + logits[2]);
          precision += hidden.data[8 * i + k] ** 2 * chance * (1 - chance);
        }
        expect(Math.abs(variance[k] * precision - 1)).toBeLessThan(1e-4);
      }
    }
  });
});

test("with few rows the batches are halved until an epoch has its steps, down to 16 rows", async () => {
  const { X, y } = rows(200, "train");
  const batches: number[] = [];
  const stop = new Error("enough");
  for (const leastSteps of [1, 4, 1000]) {
    const attempt = fit(X, y, {
      key,
      architecture: regression,
      changes: { leastSteps, validationFraction: 0 },
      trainer: ({ batchSize }) => {
        batches.push(batchSize);
        throw stop;
      },
    });
    await expect(attempt).rejects.toBe(stop);
  }
  expect(batches).toEqual([128, 32, 16]);
});
