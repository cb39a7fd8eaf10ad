import { describe, expect, test } from "vitest";
import { activate, activationSlope, erf } from "../../src/network/activation.ts";
import type { Architecture } from "../../src/network/architecture.ts";
import { layoutOf } from "../../src/network/layout.ts";
import type { LossOptions } from "../../src/network/loss.ts";
import { outputNoiseInto } from "../../src/network/noise.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { dropoutInto } from "./naive/dropout.ts";
import { lossAndGradient } from "./naive/loss-and-gradient.ts";

const options: LossOptions = { priorVariance: 2, totalRows: 10, learnNoise: true };
const noise = { key: keyFromSeed(1), step: 0 };

/** No hidden layer, one input: θ = (m, log sd, b[, log τ²]). */
const lossOf = (link: Architecture["link"], theta: number[], x: number, y: number) =>
  lossAndGradient(
    layoutOf({ inputs: 1, layers: [], link }),
    Float64Array.from(theta),
    { X: Float64Array.of(x), y: Float64Array.of(y), rows: 1 },
    options,
    noise,
  ).loss;

describe("the variational loss", () => {
  const epsilon = new Float64Array(1);
  outputNoiseInto(epsilon, noise);
  const [m, logSd, b, x] = [0.7, -1.2, 0.3, 1.9];
  const v = Math.exp(2 * logSd);
  const f = x * m + b + epsilon[0] * Math.sqrt(x * x * v);
  const divergence = (0.5 * ((m * m + v) / 2 - 1 - Math.log(v / 2))) / 10;

  test("is the Gaussian −log density at the drawn f plus KL/N", () => {
    const logNoise = -0.4;
    const nll = 0.5 * (Math.log(2 * Math.PI) + logNoise + (1.1 - f) ** 2 / Math.exp(logNoise));
    expectClose([lossOf("identity", [m, logSd, b, logNoise], x, 1.1)], [nll + divergence], {
      rtol: 1e-10,
    });
  });

  test("is the Bernoulli −log density for the logistic link", () => {
    const nll = -Math.log(1 / (1 + Math.exp(f)));
    expectClose([lossOf("logistic", [m, logSd, b], x, 0)], [nll + divergence], { rtol: 1e-10 });
  });

  test("is finite with finite slopes where the hidden layer is dead", () => {
    const { loss, gradient } = lossAndGradient(
      layoutOf({ inputs: 1, layers: [], link: "logistic" }),
      Float64Array.of(m, logSd, b),
      { X: Float64Array.of(0), y: Float64Array.of(1), rows: 1 },
      options,
      noise,
    );
    expect([loss, ...gradient].every(Number.isFinite)).toBe(true);
  });

  test("a fixed τ² has no slope", () => {
    const { gradient } = lossAndGradient(
      layoutOf({ inputs: 1, layers: [], link: "identity" }),
      Float64Array.of(m, logSd, b, 0),
      { X: Float64Array.of(x), y: Float64Array.of(1), rows: 1 },
      { ...options, learnNoise: false },
      noise,
    );
    expect(gradient[3]).toBe(0);
    expect(gradient[2]).not.toBe(0);
  });
});

describe("noise", () => {
  test("output draws are standard normal and change with the step", () => {
    const draws = new Float64Array(40_001);
    outputNoiseInto(draws, noise);
    const moment = (k: number) => draws.reduce((s, x) => s + x ** k, 0) / draws.length;
    expectClose([moment(1), moment(2), moment(3), moment(4)], [0, 1, 0, 3], { atol: 0.1 });
    const other = new Float64Array(40_001);
    outputNoiseInto(other, { ...noise, step: 1 });
    const product = draws.reduce((s, x, i) => s + x * other[i], 0) / draws.length;
    expect(Math.abs(product)).toBeLessThan(0.02);
  });

  test("dropout keeps a share 1 − rate at 1/(1 − rate)", () => {
    const mask = new Float64Array(40_000);
    dropoutInto(mask, 0.3, 2, noise);
    const kept = mask.filter((x) => x > 0);
    expect(kept.every((x) => x === 1 / 0.7)).toBe(true);
    expect(Math.abs(kept.length / mask.length - 0.7)).toBeLessThan(0.01);
  });
});

describe("activations", () => {
  test("erf matches known values", () => {
    expectClose(
      [erf(0.1), erf(0.5), erf(1), erf(2), erf(3.5), erf(-1)],
      [
        0.1124629160182849, 0.5204998778130465, 0.8427007929497149, 0.9953222650189527,
        0.9999992569016276, -0.8427007929497149,
      ],
      { rtol: 1e-14 },
    );
    expect(erf(7)).toBe(1);
  });

  test("known values of each", () => {
    const at = (kind: Parameters<typeof activate>[0]) => [activate(kind, -1.5), activate(kind, 2)];
    expectClose(at("relu"), [0, 2]);
    expectClose(at("tanh"), [Math.tanh(-1.5), Math.tanh(2)]);
    expectClose(at("sigmoid"), [1 / (1 + Math.exp(1.5)), 1 / (1 + Math.exp(-2))]);
    expectClose(at("gelu"), [-0.1002108, 1.95449974], { rtol: 1e-7 });
    expectClose(at("identity"), [-1.5, 2]);
    expect(activationSlope("relu", 0, 0)).toBe(0);
  });
});
