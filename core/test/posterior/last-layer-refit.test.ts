import { describe, expect, test } from "vitest";
import { exp, log } from "../../src/elementary/index.ts";
import { choleskyLogDeterminant } from "../../src/linalg/cholesky.ts";
import { eigenvalues } from "../../src/linalg/eigh.ts";
import {
  cholesky,
  choleskyInverse,
  choleskySolveVector,
  gram,
  type Matrix,
  matrix,
  multiplyTranspose,
  transposeMultiplyVector,
} from "../../src/linalg/index.ts";
import { bayesianLinearRegression, laplace, refitLastLayer } from "../../src/posterior/index.ts";
import { evidencePrecision } from "../../src/posterior/prior-precision.ts";
import { expectClose } from "../support/close.ts";
import { hiddenValues } from "./last-layer.ts";

const l = 3;
const n = 60;
const H = hiddenValues(n, l, 4);
const noise = hiddenValues(n, 1, 5).data;
const weights = matrix(1, l, Float64Array.of(0.7, -1.2, 0.4));
const bias = Float64Array.of(0.3);
const f = Float64Array.from({ length: n }, (_, i) =>
  weights.data.reduce((sum, w, k) => sum + w * H.data[i * l + k], bias[0]),
);
const numbers = f.map((value, i) => value + 0.5 * noise[i]);
const labels = f.map((value, i) => (value + noise[i] > 0 ? 1 : 0));
const covarianceOf = (covariance: Matrix | Float64Array) => (covariance as Matrix).data;

/** log N(y; b, τ²I + σ²HHᵀ). */
function logEvidence(y: Float64Array, b: number, sigma2: number, tau2: number): number {
  const K = multiplyTranspose(H, H);
  for (let e = 0; e < K.data.length; e++) K.data[e] *= sigma2;
  for (let i = 0; i < n; i++) K.data[i * (n + 1)] += tau2;
  const L = cholesky(K);
  const r = y.map((value) => value - b);
  const fit = choleskySolveVector(L, r).reduce((sum, value, i) => sum + value * r[i], 0);
  return -0.5 * (fit + choleskyLogDeterminant(L) + n * log(2 * Math.PI));
}

describe("a regression with its intercept held fixed", () => {
  const fitted = bayesianLinearRegression(H, numbers, { intercept: bias[0] });

  test("has the evidence of its definition", () => {
    const { priorVariance, noiseVariance, logEvidence: found } = fitted;
    expect(found).toBeCloseTo(logEvidence(numbers, bias[0], priorVariance, noiseVariance), 8);
    expect(fitted.intercept).toBe(bias[0]);
  });

  test("takes the variances where that evidence is largest", () => {
    const { priorVariance, noiseVariance, logEvidence: best } = fitted;
    for (const [a, b] of [
      [1.1, 1],
      [1 / 1.1, 1],
      [1, 1.1],
      [1, 1 / 1.1],
    ])
      expect(logEvidence(numbers, bias[0], priorVariance * a, noiseVariance * b)).toBeLessThan(
        best,
      );
  });
});

describe("the refit of a last layer of numbers", () => {
  test("is the conjugate posterior of its definition, the network's bias taken off", () => {
    const [lambda, tau2] = [2, 0.4];
    const { posterior, around } = refitLastLayer(H, numbers, {
      link: "identity",
      network: { weights, bias },
      priorPrecision: lambda,
      noiseVariance: tau2,
    });
    const precision = gram(H);
    for (let e = 0; e < precision.data.length; e++) precision.data[e] /= tau2;
    for (let k = 0; k < l; k++) precision.data[k * (l + 1)] += lambda;
    const V = choleskyInverse(cholesky(precision));
    const right = transposeMultiplyVector(
      H,
      numbers.map((value) => (value - bias[0]) / tau2),
    );
    expect(around).toBe("mode");
    expectClose(covarianceOf(posterior.outputs[0].covariance), V.data, { rtol: 1e-10 });
    expectClose(posterior.outputs[0].mean, choleskySolveVector(cholesky(precision), right), {
      rtol: 1e-10,
    });
  });

  test("with the bias integrated is the regression under a flat prior", () => {
    const expected = bayesianLinearRegression(H, numbers);
    const { posterior, priorPrecision, noiseVariance } = refitLastLayer(H, numbers, {
      link: "identity",
      bias: "integrated",
    });
    expect(priorPrecision).toBeCloseTo(1 / expected.priorVariance, 10);
    expect(noiseVariance).toBeCloseTo(expected.noiseVariance, 10);
    expectClose(posterior.outputs[0].mean, expected.weights.mean, { rtol: 1e-8 });
    expect(posterior.outputs[0].bias).toBeCloseTo(expected.intercept, 8);
  });

  test("without a response lies around the network's own weights, and needs τ²", () => {
    const network = { weights, bias };
    expect(() => refitLastLayer(H, null, { link: "identity", network })).toThrow(
      /needs a response or a noise variance/,
    );
    expect(() => refitLastLayer(H, null, { link: "logistic", network, noiseVariance: 1 })).toThrow(
      /needs no noise variance for classes, got 1/,
    );
    const { posterior, priorPrecision, noiseVariance, around } = refitLastLayer(H, null, {
      link: "identity",
      network,
      noiseVariance: 0.25,
    });
    expect([around, noiseVariance]).toEqual(["network", 0.25]);
    expect([...posterior.outputs[0].mean]).toEqual([...weights.data]);
    const e = eigenvalues(gram(H)).map((value) => value / 0.25);
    const squared = weights.data.reduce((sum, w) => sum + w * w, 0);
    expect(priorPrecision).toBeCloseTo(evidencePrecision(e, squared), 10);
  });
});

test("the precision by evidence is where Laplace's evidence is largest", () => {
  const e = Float64Array.of(0, 0.3, 2, 50);
  const evidence = (lambda: number) =>
    e.reduce((sum, value) => sum + log(lambda) / 2 - log(value + lambda) / 2, -0.5 * lambda * 3);
  const best = evidencePrecision(e, 3);
  for (const factor of [0.9, 0.999, 1.001, 1.1])
    expect(evidence(best * factor)).toBeLessThan(evidence(best));
});

describe("the refit of a last layer of classes", () => {
  const network = { weights, bias };

  test("stays at the network's weights, with the curvature there and no use for the response", () => {
    const settings = { link: "logistic", network, priorPrecision: 1.5 } as const;
    const { posterior, around } = refitLastLayer(H, labels, settings);
    const without = refitLastLayer(H, null, settings);
    const s = f.map((value) => exp(value) / (1 + exp(value)) ** 2);
    const hessian = gram(
      matrix(
        n,
        l,
        H.data.map((h, e) => h * Math.sqrt(s[Math.floor(e / l)])),
      ),
    );
    for (let k = 0; k < l; k++) hessian.data[k * (l + 1)] += 1.5;
    expect(around).toBe("network");
    expect([...posterior.outputs[0].mean]).toEqual([...weights.data]);
    expect(posterior.outputs[0].bias).toBe(bias[0]);
    expectClose(
      covarianceOf(posterior.outputs[0].covariance),
      choleskyInverse(cholesky(hessian)).data,
      { rtol: 1e-10 },
    );
    expect(without.posterior).toEqual(posterior);
  });

  test("at the mode is Laplace's own, its precision settled by the evidence there", () => {
    const { posterior, priorPrecision } = refitLastLayer(H, labels, {
      link: "logistic",
      network,
      around: "mode",
    });
    const own = laplace(H, labels, { link: "logistic", priorVariance: 1 / priorPrecision, bias });
    expectClose(posterior.outputs[0].mean, own.outputs[0].mean, { rtol: 1e-8 });
    // The evidence's own fixed point: λ‖w‖² directions are determined by the rows.
    const { mean, covariance } = posterior.outputs[0];
    const trace = [0, 1, 2].reduce((sum, k) => sum + covarianceOf(covariance)[k * (l + 1)], 0);
    const squared = mean.reduce((sum, w) => sum + w * w, 0);
    expect(priorPrecision * squared).toBeCloseTo(l - priorPrecision * trace, 5);
  });

  test("with the bias integrated is the limit of a wide prior on it", () => {
    const wide = matrix(n, l + 1);
    for (let i = 0; i < n; i++) {
      wide.data.set(H.data.subarray(i * l, (i + 1) * l), i * (l + 1));
      wide.data[i * (l + 1) + l] = 1;
    }
    const { posterior } = refitLastLayer(H, null, {
      link: "logistic",
      network,
      bias: "integrated",
      priorPrecision: 1.5,
    });
    const s = f.map((value) => exp(value) / (1 + exp(value)) ** 2);
    const hessian = gram(
      matrix(
        n,
        l + 1,
        wide.data.map((h, e) => h * Math.sqrt(s[Math.floor(e / (l + 1))])),
      ),
    );
    for (let k = 0; k < l; k++) hessian.data[k * (l + 2)] += 1.5;
    const V = choleskyInverse(cholesky(hessian));
    const part = Float64Array.from(
      { length: l * l },
      (_, e) => V.data[Math.floor(e / l) * (l + 1) + (e % l)],
    );
    expectClose(covarianceOf(posterior.outputs[0].covariance), part, { rtol: 1e-9 });
  });

  test("of a softmax stays at the network's weights too, and integrates biases that may move together", () => {
    const three = {
      weights: matrix(3, l, hiddenValues(3, l, 9).data),
      bias: Float64Array.of(0.1, -0.2, 0),
    };
    for (const treatment of ["fixed", "integrated"] as const) {
      const { posterior, priorPrecision } = refitLastLayer(H, null, {
        link: "softmax",
        classes: 3,
        network: three,
        bias: treatment,
      });
      expect(posterior.outputs.map(({ mean }) => [...mean])).toEqual(
        [0, 1, 2].map((c) => [...three.weights.data.subarray(c * l, (c + 1) * l)]),
      );
      expect(priorPrecision).toBeGreaterThan(0);
      expect(posterior.joint!.rows).toBe(9);
    }
  });

  test("at the mode needs a response", () => {
    expect(() => refitLastLayer(H, null, { link: "logistic", network, around: "mode" })).toThrow(
      /needs a response/,
    );
  });
});
