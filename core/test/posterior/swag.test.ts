import { describe, expect, test } from "vitest";
import { gram, type Matrix, matrix, multiply } from "../../src/linalg/index.ts";
import { laplace, swag, swagContrast, weightsFromDraws } from "../../src/posterior/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { hiddenValues, responses } from "./last-layer.ts";

const key = keyFromSeed(4);
const [n, l, tau2] = [400, 3, 0.5];
const H = hiddenValues(n, l, 5);
const { y } = responses(H, key, { link: "identity", noiseVariance: tau2 });
const options = { link: "identity", noiseVariance: tau2, priorVariance: 4, key } as const;
const full = (covariance: Matrix | Float64Array) => (covariance as Matrix).data;

describe("on a quadratic loss", () => {
  const [exact] = laplace(H, y, options).outputs;
  const V = exact.covariance as Matrix;
  /** The covariance over rows of one row's gradient, at the mode. */
  const gradients = matrix(n, l);
  for (let i = 0; i < n; i++) {
    let residual = -y[i];
    for (let k = 0; k < l; k++) residual += H.data[i * l + k] * exact.mean[k];
    for (let k = 0; k < l; k++) gradients.data[i * l + k] = (residual * H.data[i * l + k]) / tau2;
  }
  const C = weightsFromDraws(gradients).covariance;
  const largest = (values: Float64Array) => Math.max(...values.map(Math.abs));

  test("plain steps end in the stationary covariance AΣ + ΣA − ηAΣA = ηC/S, not in the posterior's", async () => {
    const [rate, batchSize] = [0.05, 20];
    const A = gram(H).data.map((v, e) => v / tau2 / n + (e % (l + 1) === 0 ? 1 / (4 * n) : 0));
    // Σ ← (I − ηA)Σ(I − ηA) + η²C/S, over and over: the recursion of the walk itself.
    const step = matrix(
      l,
      l,
      A.map((a, e) => (e % (l + 1) === 0 ? 1 : 0) - rate * a),
    );
    let stationary = matrix(l, l);
    for (let t = 0; t < 5000; t++) {
      const moved = multiply(multiply(step, stationary), step);
      stationary = matrix(
        l,
        l,
        moved.data.map((v, e) => v + (rate ** 2 * C.data[e]) / batchSize),
      );
    }
    const { outputs } = await swag(H, y, {
      ...options,
      learningRate: rate,
      batchSize,
      snapshots: 2000,
    });
    const scale = largest(stationary.data);
    // √(2/2000) = 3% a variance, and some more for snapshots that are not independent.
    expectClose(full(outputs[0].covariance), stationary.data, { atol: 0.12 * scale });
    expectClose(outputs[0].mean, exact.mean, { atol: 0.2 * Math.sqrt(scale) });
    const resized = V.data.map((v) => (v * scale) / largest(V.data));
    expect(largest(resized.map((v, e) => v - stationary.data[e]))).toBeGreaterThan(0.24 * scale);
  });

  test("steps measured by the curvature have the sandwich V(N·C + Λ)V, whatever the batch", async () => {
    const meat = C.data.map((v, e) => v * n + (e % (l + 1) === 0 ? 1 / 4 : 0));
    const sandwich = multiply(multiply(V, matrix(l, l, meat)), V).data;
    const scale = largest(sandwich);
    for (const batchSize of [20, 80]) {
      const { outputs } = await swag(H, y, { ...options, batchSize, snapshots: 2000 });
      expectClose(full(outputs[0].covariance), sandwich, { atol: 0.12 * scale });
      expectClose(outputs[0].mean, exact.mean, { atol: 0.2 * Math.sqrt(scale) });
    }
    // Which is the posterior's as far as the residuals of these 400 rows have the variance they should.
    expectClose(sandwich, V.data, { atol: 0.3 * scale });
    expect(sandwich[1] / Math.sqrt(sandwich[0] * sandwich[l + 1])).toBeLessThan(-0.2);
  });

  test("where the prior is all there is, the walk has the prior's variance and not none", async () => {
    // The second unit never fires: nothing is known of its weight but its prior.
    const silent = matrix(
      n,
      2,
      Float64Array.from({ length: 2 * n }, (_, e) => (e % 2 === 0 ? H.data[(e / 2) * l] : 0)),
    );
    const { outputs } = await swag(silent, y, { ...options, batchSize: 80, snapshots: 2000 });
    expect(full(outputs[0].covariance)[3]).toBeGreaterThan(0.85 * 4);
    expect(full(outputs[0].covariance)[3]).toBeLessThan(1.15 * 4);
  });
});

describe("what is kept of the walk", () => {
  test("the published form has the variances whole and the last snapshots' covariances by half", async () => {
    const run = (structure: "full" | "diagonal" | { rank: number }) =>
      swag(H, y, { ...options, structure, snapshots: 50 });
    const [whole, diagonal, low] = await Promise.all([
      run("full"),
      run("diagonal"),
      run({ rank: 20 }),
    ]);
    const { data, rows } = whole.snapshots;
    const { mean, covariance } = weightsFromDraws(whole.snapshots);
    expectClose(full(whole.outputs[0].covariance), covariance.data);
    expectClose(
      diagonal.outputs[0].covariance as Float64Array,
      mean.map((_, k) => covariance.data[k * (l + 1)]),
    );
    const expected = Float64Array.from({ length: l * l }, (_, e) => {
      const [i, j] = [Math.floor(e / l), e % l];
      let sum = 0;
      for (let s = rows - 20; s < rows; s++)
        sum += (data[s * l + i] - mean[i]) * (data[s * l + j] - mean[j]);
      return sum / 38 + (i === j ? covariance.data[e] / 2 : 0);
    });
    expectClose(full(low.outputs[0].covariance), expected, { rtol: 1e-10 });
  });

  test("a contrast has the moments of the differences", async () => {
    const labels = responses(H, key, { link: "classes", classes: 3 }).y;
    const posterior = await swag(H, labels, { link: "softmax", classes: 3, key, snapshots: 500 });
    const [a, b] = [2, 0];
    const { mean, covariance } = swagContrast(posterior, a, b);
    const { mean: all, covariance: joint } = weightsFromDraws(posterior.snapshots);
    expectClose(
      mean,
      mean.map((_, k) => all[a * l + k] - all[b * l + k]),
      { rtol: 1e-9, atol: 1e-12 },
    );
    const at = (i: number, j: number) => joint.data[i * 3 * l + j];
    const expected = Float64Array.from({ length: l * l }, (_, e) => {
      const [i, j] = [Math.floor(e / l), e % l];
      return (
        at(a * l + i, a * l + j) +
        at(b * l + i, b * l + j) -
        at(a * l + i, b * l + j) -
        at(b * l + i, a * l + j)
      );
    });
    expectClose(full(covariance), expected, { rtol: 1e-8, atol: 1e-12 });
    const exact = laplace(H, labels, { link: "softmax", classes: 3 });
    expectClose(posterior.outputs[1].mean, exact.outputs[1].mean, { atol: 0.15 });
  });

  test("the same key gives the same bytes, another key another walk; it can be stopped", async () => {
    const [one, two] = await Promise.all([swag(H, y, options), swag(H, y, options)]);
    expect(two).toEqual(one);
    const other = await swag(H, y, { ...options, key: fold(key, "other") });
    expect(other.snapshots).not.toEqual(one.snapshots);
    const last: number[] = [];
    await swag(H, y, {
      ...options,
      snapshots: 20,
      onProgress: ({ done, total }) => last.push(done / total),
    });
    expect(last.at(-1)).toBe(1);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(swag(H, y, { ...options, signal })).rejects.toThrow("enough");
  });

  test("what cannot be walked is refused", async () => {
    await expect(swag(H, y, { ...options, snapshots: 1 })).rejects.toThrow("snapshots, got 1");
    await expect(swag(H, y, { ...options, batchSize: 500 })).rejects.toThrow(
      "rows per batch, got 500",
    );
    await expect(swag(H, y, { ...options, structure: { rank: 999 } })).rejects.toThrow("got 999");
    await expect(swag(H, y, { ...options, learningRate: 1e9 })).rejects.toThrow(
      "lower learningRate",
    );
  });
});

test("draws from outside have their sample moments", () => {
  const next = normals(key);
  const draws = matrix(5, 2, Float64Array.from({ length: 10 }, next));
  const { mean, covariance } = weightsFromDraws(draws);
  const at = (s: number, k: number) => draws.data[s * 2 + k];
  for (const k of [0, 1]) {
    const average = [0, 1, 2, 3, 4].reduce((sum, s) => sum + at(s, k) / 5, 0);
    expect(mean[k]).toBeCloseTo(average, 12);
  }
  const cross = [0, 1, 2, 3, 4].reduce(
    (sum, s) => sum + ((at(s, 0) - mean[0]) * (at(s, 1) - mean[1])) / 4,
    0,
  );
  expect(covariance.data[1]).toBeCloseTo(cross, 12);
  expect(() => weightsFromDraws(matrix(1, 2))).toThrow("at least 2 draws");
});
