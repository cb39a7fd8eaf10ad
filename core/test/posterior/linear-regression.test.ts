import { describe, expect, test } from "vitest";
import { effectSizes } from "../../src/effects/index.ts";
import { log } from "../../src/elementary/index.ts";
import { choleskyLogDeterminant } from "../../src/linalg/cholesky.ts";
import {
  cholesky,
  choleskySolveVector,
  matrix,
  multiplyTranspose,
} from "../../src/linalg/index.ts";
import { bayesianLinearRegression, laplace } from "../../src/posterior/index.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { hiddenValues, responses } from "./last-layer.ts";

const [n, p] = [60, 4];
const X = hiddenValues(n, p, 7);
const y = responses(X, keyFromSeed(8), { link: "identity", noiseVariance: 0.4 }).y.map(
  (v) => v + 3,
);

/** log N(y; 0, τ²I + σ²XXᵀ + w²11ᵀ) + log w√(2π): tends to the evidence under a flat prior of b as w grows. */
function evidence(sigma2: number, tau2: number, wide: number): number {
  const K = multiplyTranspose(X, X);
  for (let e = 0; e < K.data.length; e++)
    K.data[e] = sigma2 * K.data[e] + wide ** 2 + (e % (n + 1) === 0 ? tau2 : 0);
  const L = cholesky(K);
  const alpha = choleskySolveVector(L, y);
  const fit = y.reduce((sum, value, i) => sum + value * alpha[i], 0);
  return (
    -0.5 * (fit + choleskyLogDeterminant(L) + n * log(2 * Math.PI)) +
    log(wide) +
    0.5 * log(2 * Math.PI)
  );
}

describe("Bayesian linear regression", () => {
  const given = { priorVariance: 1.5, noiseVariance: 0.4 };

  test("is the Laplace posterior with the bias integrated out", () => {
    const { weights, intercept } = bayesianLinearRegression(X, y, given);
    const [expected] = laplace(X, y, { ...given, link: "identity", bias: "integrated" }).outputs;
    expectClose(weights.mean, expected.mean, { rtol: 1e-9 });
    expectClose(weights.covariance.data, (expected.covariance as typeof X).data, {
      rtol: 1e-8,
      atol: 1e-12,
    });
    expect(intercept).toBeCloseTo(expected.bias, 9);
  });

  test("its evidence is that of the n×n Gaussian with a wide prior of the intercept", () => {
    const { logEvidence } = bayesianLinearRegression(X, y, given);
    expect(logEvidence).toBeCloseTo(evidence(1.5, 0.4, 1e4), 4);
  });

  test("variances that are not given are where the evidence is largest", () => {
    const found = bayesianLinearRegression(X, y);
    const at = (a: number, b: number) =>
      bayesianLinearRegression(X, y, {
        priorVariance: found.priorVariance * a,
        noiseVariance: found.noiseVariance * b,
      }).logEvidence;
    for (const [a, b] of [
      [1.02, 1],
      [1 / 1.02, 1],
      [1, 1.02],
      [1, 1 / 1.02],
    ])
      expect(at(a, b)).toBeLessThan(found.logEvidence);
    expect(found.noiseVariance).toBeGreaterThan(0.2);
    expect(found.noiseVariance).toBeLessThan(0.8);
    const half = bayesianLinearRegression(X, y, { noiseVariance: 0.1 });
    expect(half.noiseVariance).toBe(0.1);
    expect(half.priorVariance).not.toBe(found.priorVariance);
  });

  test("the linear projection gives its coefficients back, as effects", () => {
    const { weights } = bayesianLinearRegression(X, y, given);
    const { mean, factor } = effectSizes(X, X, weights, { projection: "linear" });
    expectClose(mean, weights.mean, { rtol: 1e-9 });
    expectClose(multiplyTranspose(factor, factor).data, weights.covariance.data, {
      rtol: 1e-8,
      atol: 1e-12,
    });
  });

  test("what cannot be regressed is refused", () => {
    expect(() => bayesianLinearRegression(X, y.subarray(1))).toThrow("a response for each");
    expect(() => bayesianLinearRegression(X, new Float64Array(n))).toThrow("responses that differ");
    expect(() => bayesianLinearRegression(matrix(3, 5000), y.subarray(0, 3))).toThrow(
      "at most 4000 columns",
    );
    expect(() => bayesianLinearRegression(X, y, { noiseVariance: 0 })).toThrow("noise variance");
  });
});
