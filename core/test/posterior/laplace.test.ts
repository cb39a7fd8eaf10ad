import { describe, expect, test } from "vitest";
import { exp, log } from "../../src/elementary/index.ts";
import {
  cholesky,
  choleskyInverse,
  choleskySolveVector,
  gram,
  identity,
  type Matrix,
  matrix,
  transposeMultiplyVector,
} from "../../src/linalg/index.ts";
import {
  functionVariances,
  type LaplacePosterior,
  laplace,
  laplaceContrast,
} from "../../src/posterior/index.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { hiddenValues, numericHessian, responses } from "./last-layer.ts";

const l = 4;
const H = hiddenValues(120, l, 1);
const full = (covariance: Matrix | Float64Array) => covariance as Matrix;
const key = keyFromSeed(2);

/** −log p(y, w) from its definition, biases fixed at `bias`; w holds class after class. */
function negativeLogPosterior(
  y: Float64Array,
  classes: number,
  priorVariance: number,
  bias: ArrayLike<number> = new Float64Array(classes),
) {
  const outputs = classes === 2 ? 1 : classes;
  return (w: Float64Array): number => {
    let loss = 0;
    for (const weight of w) loss += weight ** 2 / (2 * priorVariance);
    for (let i = 0; i < y.length; i++) {
      const f = Array.from({ length: outputs }, (_, c) => {
        let sum = bias[c];
        for (let k = 0; k < l; k++) sum += H.data[i * l + k] * w[c * l + k];
        return sum;
      });
      const odds = classes === 2 ? [1, exp(f[0])] : f.map(exp);
      loss -= log(odds[y[i]] / odds.reduce((sum, o) => sum + o, 0));
    }
    return loss;
  };
}

function gradient(f: (at: Float64Array) => number, at: Float64Array): Float64Array {
  return at.map((_, k) => {
    const [up, down] = [1e-5, -1e-5].map((h) => f(at.map((v, j) => (j === k ? v + h : v))));
    return (up - down) / 2e-5;
  });
}

describe("a Gaussian likelihood", () => {
  const [tau2, sigma2] = [0.3, 2];
  const { y } = responses(H, key, { link: "identity", noiseVariance: tau2 });
  const conjugate = (rows: Matrix, r: Float64Array) => {
    const A = gram(rows);
    for (let e = 0; e < A.data.length; e++)
      A.data[e] = A.data[e] / tau2 + identity(rows.cols).data[e] / sigma2;
    const L = cholesky(A);
    const right = transposeMultiplyVector(rows, r).map((v) => v / tau2);
    return { mean: choleskySolveVector(L, right), covariance: choleskyInverse(L).data };
  };
  const options = { link: "identity", priorVariance: sigma2, noiseVariance: tau2 } as const;

  test("is the conjugate answer, around a fixed bias", () => {
    const expected = conjugate(
      H,
      y.map((value) => value - 0.7),
    );
    const { outputs, joint } = laplace(H, y, { ...options, bias: Float64Array.of(0.7) });
    expectClose(outputs[0].mean, expected.mean, { rtol: 1e-10 });
    expectClose(full(outputs[0].covariance).data, expected.covariance, {
      rtol: 1e-10,
      atol: 1e-14,
    });
    expect([outputs[0].bias, joint]).toEqual([0.7, null]);
  });

  test("with the bias integrated out is the conjugate answer on centred rows", () => {
    const means = transposeMultiplyVector(H, new Float64Array(H.rows).fill(1 / H.rows));
    const centred = matrix(
      H.rows,
      l,
      H.data.map((v, e) => v - means[e % l]),
    );
    const average = y.reduce((sum, v) => sum + v / y.length, 0);
    const expected = conjugate(
      centred,
      y.map((v) => v - average),
    );
    const { outputs } = laplace(H, y, { ...options, bias: "integrated" });
    expectClose(outputs[0].mean, expected.mean, { rtol: 1e-9 });
    expectClose(full(outputs[0].covariance).data, expected.covariance, { rtol: 1e-9, atol: 1e-13 });
    const b = average - expected.mean.reduce((sum, m, k) => sum + m * means[k], 0);
    expect(outputs[0].bias).toBeCloseTo(b, 9);
  });

  test("the diagonal has one over the diagonal of the precision", () => {
    const { outputs } = laplace(H, y, { ...options, structure: "diagonal" });
    const A = gram(H);
    const expected = Float64Array.from(
      { length: l },
      (_, k) => 1 / (A.data[k * (l + 1)] / tau2 + 1 / sigma2),
    );
    expectClose(outputs[0].covariance as Float64Array, expected, { rtol: 1e-12 });
  });

  test("needs a noise variance", () => {
    expect(() => laplace(H, y, { link: "identity" })).toThrow("needs a noise variance");
  });
});

describe("two classes", () => {
  const y = responses(H, key, { link: "classes", classes: 2 }).y;
  const loss = negativeLogPosterior(y, 2, 1.5);
  const posterior = laplace(H, y, { link: "logistic", priorVariance: 1.5 });
  const [{ mean, covariance }] = posterior.outputs;

  test("the mean is where the posterior is largest", () => {
    expectClose(gradient(loss, mean), new Float64Array(l), { atol: 1e-7 });
    expect(Math.max(...mean.map(Math.abs))).toBeGreaterThan(0.1);
  });

  test("the covariance is the inverse Hessian by differences, and its quadratic form the variance of f", () => {
    const expected = choleskyInverse(cholesky(numericHessian(loss, mean)));
    expectClose(full(covariance).data, expected.data, { rtol: 1e-4, atol: 1e-6 });
    const row = H.data.subarray(0, l);
    let variance = 0;
    for (let a = 0; a < l; a++)
      for (let b = 0; b < l; b++) variance += row[a] * expected.data[a * l + b] * row[b];
    expect(functionVariances(H, covariance)[0]).toBeCloseTo(variance, 5);
  });

  test("classes that a plane separates have a mode, far out but finite", () => {
    const separable = Float64Array.from({ length: H.rows }, (_, i) => (H.data[i * l] > 0 ? 1 : 0));
    const [weights] = laplace(H, separable, { link: "logistic", priorVariance: 1e4 }).outputs;
    expect(weights.mean[0]).toBeGreaterThan(10);
    const far = negativeLogPosterior(separable, 2, 1e4);
    expectClose(gradient(far, weights.mean), new Float64Array(l), { atol: 1e-5 });
  });
});

describe("several classes", () => {
  const C = 3;
  const y = responses(H, key, { link: "classes", classes: C }).y;
  const options = { link: "softmax", classes: C, priorVariance: 0.8 } as const;
  const posterior = laplace(H, y, options);
  const mode = Float64Array.from(posterior.outputs.flatMap((output) => [...output.mean]));
  const loss = negativeLogPosterior(y, C, 0.8);
  const hessian = numericHessian(loss, mode);
  /** V_aa + V_bb − V_ab − V_ba of an inverse in which class a is block i and class b block j. */
  const contrastOf = (V: Matrix, i: number, j: number) =>
    Float64Array.from({ length: l * l }, (_, e) => {
      const [r, c] = [Math.floor(e / l), e % l];
      const at = (a: number, b: number) => V.data[(a * l + r) * V.cols + b * l + c];
      return at(i, i) + at(j, j) - at(i, j) - at(j, i);
    });

  test("the mode and the joint covariance are those of the posterior's own Hessian", () => {
    expectClose(gradient(loss, mode), new Float64Array(C * l), { atol: 1e-7 });
    expectClose(posterior.joint!.data, choleskyInverse(cholesky(hessian)).data, {
      rtol: 1e-3,
      atol: 1e-5,
    });
    expect(posterior.diagnostics).toEqual([]);
  });

  test("the contrast of two classes has the variance that the full Hessian gives it", () => {
    const expected = contrastOf(choleskyInverse(cholesky(hessian)), 2, 0);
    const { mean, covariance } = laplaceContrast(posterior, H, 2, 0);
    expectClose(full(covariance).data, expected, { rtol: 1e-3, atol: 1e-5 });
    expectClose(
      mean,
      mode.slice(2 * l, 3 * l).map((v, k) => v - mode[k]),
    );
    // Neither the sum of the two classes' variances, nor that of their conditional ones.
    const sums = [0, l + 1].map(
      (at) =>
        full(posterior.outputs[2].covariance).data[at] +
        full(posterior.outputs[0].covariance).data[at],
    );
    expect(Math.abs(full(covariance).data[0] - sums[0])).toBeGreaterThan(0.1 * sums[0]);
  });

  test("without the joint covariance a class is given the others, and a contrast has the two-class Hessian", () => {
    // What more than 2,000 weights get; here by hand, so that the whole Hessian can be seen.
    const large: LaplacePosterior = { ...posterior, joint: null };
    const pair = matrix(2 * l, 2 * l);
    for (let r = 0; r < 2 * l; r++)
      for (let c = 0; c < 2 * l; c++)
        pair.data[r * 2 * l + c] = hessian.data[(l + r) * C * l + l + c];
    const expected = contrastOf(choleskyInverse(cholesky(pair)), 0, 1);
    expectClose(full(laplaceContrast(large, H, 1, 2).covariance).data, expected, {
      rtol: 1e-3,
      atol: 1e-5,
    });
  });

  test("two classes of a softmax have the contrast of the logistic link with twice the prior variance", () => {
    const labels = y.map((label) => Math.min(label, 1));
    const two = laplace(H, labels, { link: "softmax", classes: 2, priorVariance: 0.8 });
    const [one] = laplace(H, labels, { link: "logistic", priorVariance: 1.6 }).outputs;
    for (const joint of [two.joint, null]) {
      const { mean, covariance } = laplaceContrast({ ...two, joint }, H, 1, 0);
      expectClose(mean, one.mean, { rtol: 1e-7, atol: 1e-9 });
      expectClose(full(covariance).data, full(one.covariance).data, { rtol: 1e-6, atol: 1e-9 });
    }
  });

  test("the diagonal has a 2×2 Hessian a unit in its contrasts", () => {
    const diagonal = laplace(H, y, { ...options, structure: "diagonal" });
    expect(diagonal.diagnostics.map(({ code }) => code)).toEqual(["conditional-class-variances"]);
    const at = (r: number, c: number) => hessian.data[r * C * l + c];
    const expected = Float64Array.from({ length: l }, (_, k) => {
      const [a, b, cross] = [at(k, k), at(l + k, l + k), at(k, l + k)];
      return (a + b + 2 * cross) / (a * b - cross * cross);
    });
    expectClose(laplaceContrast(diagonal, H, 0, 1).covariance as Float64Array, expected, {
      rtol: 1e-3,
    });
    expectClose(
      diagonal.outputs[1].covariance as Float64Array,
      Float64Array.from({ length: l }, (_, k) => 1 / at(l + k, l + k)),
      { rtol: 1e-3 },
    );
  });

  test("with biases integrated out, two classes of a softmax still have the logistic link's contrast", () => {
    const labels = y.map((label) => Math.min(label, 1));
    const two = laplace(H, labels, {
      link: "softmax",
      classes: 2,
      priorVariance: 0.8,
      bias: "integrated",
    });
    const [one] = laplace(H, labels, {
      link: "logistic",
      priorVariance: 1.6,
      bias: "integrated",
    }).outputs;
    for (const joint of [two.joint, null]) {
      const { mean, covariance, bias } = laplaceContrast({ ...two, joint }, H, 1, 0);
      expectClose(mean, one.mean, { rtol: 1e-7, atol: 1e-9 });
      expectClose(full(covariance).data, full(one.covariance).data, { rtol: 1e-6, atol: 1e-9 });
      expect(bias).toBeCloseTo(one.bias, 7);
    }
    const [fixed] = laplace(H, labels, { link: "logistic", priorVariance: 1.6 }).outputs;
    expect(full(one.covariance).data[0]).toBeGreaterThan(1.05 * full(fixed.covariance).data[0]);
  });

  test("more than 2,000 weights have no joint covariance, and say so", () => {
    const wide = hiddenValues(30, 700, 3);
    const labels = Float64Array.from({ length: 30 }, (_, i) => i % 3);
    const { joint, diagnostics } = laplace(wide, labels, { link: "softmax", classes: 3 });
    expect([joint, diagnostics.length]).toEqual([null, 1]);
  });

  test("classes that are not there are refused", () => {
    expect(() => laplace(H, y, { link: "softmax" })).toThrow("at least 2 classes");
    expect(() => laplace(H, y, { link: "softmax", classes: 2 })).toThrow(
      "classes from 0 to 1, got 2",
    );
    expect(() => laplaceContrast(posterior, H, 1, 1)).toThrow("two different classes");
  });
});
