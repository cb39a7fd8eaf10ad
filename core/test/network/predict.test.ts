import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import {
  type Architecture,
  type Network,
  type Prediction,
  predict,
} from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { predictEnsemble } from "../../src/network/predict-ensemble.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

function networkOf(link: Architecture["link"], classes?: number): Network {
  const architecture: Architecture = {
    inputs: 2,
    layers: [],
    link,
    ...(classes ? { classes } : {}),
  };
  const parameters = Float32Array.from(initialParameters(architecture, keyFromSeed(1)));
  const { logSd, outputs } = layoutOf(architecture);
  // Uncertain enough that averaging over the weights is visible.
  for (let k = 0; k < 2 * outputs; k++) parameters[logSd + k] = Math.log(0.6 + 0.3 * k);
  return { kind: "network", architecture, parameters };
}

const X = matrix(3, 2, Float64Array.of(1, 2, -0.5, 1, 0.3, -2));

/** Averages over draws of the weights of p(class | f). */
function averaged({ architecture, parameters }: Network, classes: number): Float64Array {
  const { mean, logSd, bias, outputs } = layoutOf(architecture);
  const out = new Float64Array(3 * classes);
  const next = normals(fold(keyFromSeed(5), classes));
  const draws = 40_000;
  for (let s = 0; s < draws; s++) {
    const w = Float64Array.from(
      { length: outputs * 2 },
      (_, k) => parameters[mean + k] + Math.exp(parameters[logSd + k]) * next(),
    );
    for (let i = 0; i < 3; i++) {
      const f = Array.from(
        { length: outputs },
        (_, c) =>
          parameters[bias + c] + X.data[2 * i] * w[2 * c] + X.data[2 * i + 1] * w[2 * c + 1],
      );
      const logits = outputs === 1 ? [0, f[0]] : f;
      const total = logits.reduce((sum, value) => sum + Math.exp(value), 0);
      logits.forEach((value, c) => {
        out[i * classes + c] += Math.exp(value) / total / draws;
      });
    }
  }
  return out;
}

describe("predictive distributions", () => {
  test("the variance of f is Σ h²v", () => {
    const network = networkOf("identity");
    const { logSd } = layoutOf(network.architecture);
    const v = [0, 1].map((k) => Math.exp(2 * network.parameters[logSd + k]));
    const { variance, noiseVariance, probabilities } = predict(network, X);
    const expected = [0, 1, 2].map(
      (i) => X.data[2 * i] ** 2 * v[0] + X.data[2 * i + 1] ** 2 * v[1],
    );
    expectClose(variance.data, expected, { rtol: 1e-6 });
    expect(noiseVariance).toBe(1);
    expect(probabilities).toBeNull();
  });

  test("probabilities average over the weights, which pulls them to the middle", () => {
    const network = networkOf("logistic");
    const { probabilities, mean } = predict(network, X);
    expectClose(probabilities!.data, averaged(network, 2), { atol: 0.02 });
    const certain = 1 / (1 + Math.exp(-Math.abs(mean.data[2])));
    expect(Math.max(probabilities!.data[4], probabilities!.data[5])).toBeLessThan(certain - 0.05);
  });

  test("so do those of a softmax, roughly", () => {
    const network = networkOf("softmax", 3);
    expectClose(predict(network, X).probabilities!.data, averaged(network, 3), { atol: 0.06 });
  });
});

test("an ensemble averages predictions and adds the spread between its members", () => {
  const member = (f: number, v: number, p: number): Prediction => ({
    mean: matrix(1, 1, Float64Array.of(f)),
    variance: matrix(1, 1, Float64Array.of(v)),
    noiseVariance: null,
    probabilities: matrix(1, 2, Float64Array.of(1 - p, p)),
  });
  const both = predictEnsemble([member(1, 0.5, 0.6), member(3, 1.5, 0.8)]);
  expectClose(both.mean.data, [2]);
  expectClose(both.variance.data, [1 + 1]);
  expectClose(both.probabilities!.data, [0.3, 0.7]);
  const noisy = { ...member(1, 1, 0.5), noiseVariance: 2, probabilities: null };
  expect(predictEnsemble([noisy, { ...noisy, noiseVariance: 4 }]).noiseVariance).toBe(3);
  expect(() => predictEnsemble([])).toThrow("at least one member");
});
