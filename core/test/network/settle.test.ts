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

  test("of two classes maximise the bound too, where the classes are nearly told apart", async () => {
    const { X, y } = rows(300, "train");
    const labels = y.map((value) => Number(value > 0));
    const two = { inputs: 3, layers, link: "logistic" as const };
    const { network } = await fit(X, labels, {
      key,
      architecture: two,
      changes: { linear: false, foldedRows: 0 },
    });
    const { hidden, mean } = forward(network, X);
    const { variance } = outputLayer(network);
    const priorVariance = recipe("standard").priorVariance;
    // E log p by the trapezoidal rule over ±8 standard deviations, less KL.
    const bound = (v: Float64Array) => {
      let value = 0;
      for (let i = 0; i < 300; i++) {
        let square = 0;
        for (let k = 0; k < 8; k++) square += hidden.data[8 * i + k] ** 2 * v[k];
        const sd = Math.sqrt(square);
        const sign = 2 * labels[i] - 1;
        for (let z = -8; z <= 8; z += 0.1)
          value -=
            (0.1 * Math.exp(-0.5 * z * z) * Math.log1p(Math.exp(-sign * (mean.data[i] + z * sd)))) /
            Math.sqrt(2 * Math.PI);
      }
      for (const own of v) value -= 0.5 * (own / priorVariance - Math.log(own));
      return value;
    };
    const best = bound(variance);
    for (let k = 0; k < 8; k++)
      for (const factor of [0.6, 1.6])
        expect(bound(variance.map((v, at) => (at === k ? v * factor : v)))).toBeLessThan(best);
    // At the mean alone the curvature says much less of the weights.
    const plain = Float64Array.from({ length: 8 }, (_, k) => {
      let precision = 1 / priorVariance;
      for (let i = 0; i < 300; i++) {
        const chance = 1 / (1 + Math.exp(-mean.data[i]));
        precision += hidden.data[8 * i + k] ** 2 * chance * (1 - chance);
      }
      return 1 / precision;
    });
    expect(bound(plain)).toBeLessThan(best);
  });

  test.each([
    ["the rows trained on", false],
    ["all rows when these were trained on in the end", true],
  ])(
    "of classes are a fixed point of the curvatures expected under them, over %s",
    async (_, trainAgain) => {
      const { X, y } = rows(300, "train");
      const three = { inputs: 3, layers, link: "softmax" as const, classes: 3 };
      const labels = y.map((value) => (value < 0 ? 0 : value < 1 ? 1 : 2));
      const { network, validationRows } = await fit(X, labels, {
        key,
        architecture: three,
        changes: { trainAgain, linear: false, foldedRows: 0 },
      });
      const { hidden } = forward(network, X);
      const { probabilities, mean, variance } = predict(network, X);
      expect(probabilities!.cols).toBe(3);
      const held = new Set(trainAgain ? [] : validationRows);
      for (let c = 0; c < 3; c++) {
        const { variance: settled } = outputLayer(network, c);
        for (let k = 0; k < 8; k++) {
          let precision = 1 / recipe("standard").priorVariance;
          for (let i = 0; i < 300; i++) {
            if (held.has(i)) continue;
            const f = (o: number) => mean.data[3 * i + o];
            const v = (o: number) => variance.data[3 * i + o];
            const [a, b] = [0, 1, 2].filter((o) => o !== c);
            const share = 1 / (1 + Math.exp(f(b) - f(a)));
            const spread = v(c) + share ** 2 * v(a) + (1 - share) ** 2 * v(b);
            const scale = 1 / Math.sqrt(1 + (Math.PI * spread) / 8);
            const logit = scale * (f(c) - Math.log(Math.exp(f(a)) + Math.exp(f(b))));
            const chance = 1 / (1 + Math.exp(-logit));
            precision += hidden.data[8 * i + k] ** 2 * scale * chance * (1 - chance);
          }
          expect(Math.abs(settled[k] * precision - 1)).toBeLessThan(0.02);
        }
      }
    },
  );
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
