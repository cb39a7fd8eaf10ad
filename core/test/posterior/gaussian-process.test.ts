import { describe, expect, test } from "vitest";
import { effectSizes, projectCovariance } from "../../src/effects/index.ts";
import {
  cholesky,
  choleskySolve,
  fromRows,
  type Matrix,
  matrix,
  multiply,
  multiplyTranspose,
  rowBlock,
  transposeMultiply,
} from "../../src/linalg/index.ts";
import {
  bayesianLinearRegression,
  fitGaussianProcess,
  type Kernel,
  kernelMatrix,
  predictProcess,
  processWeights,
} from "../../src/posterior/index.ts";
import { marginalLikelihood } from "../../src/posterior/marginal-likelihood.ts";
import { processGradients } from "../../src/posterior/process-gradient.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { rate } from "../../src/rate/index.ts";
import { divergence, exactly } from "../rate/definition.ts";
import { expectClose } from "../support/close.ts";

const next = normals(fold(keyFromSeed(1), "process"));
const draw = (rows: number, cols: number) =>
  matrix(rows, cols, Float64Array.from({ length: rows * cols }, next));
const [n, p] = [30, 3];
const X = draw(n, p);
const y = Float64Array.from({ length: n }, (_, i) => {
  const [a, b, c] = X.data.subarray(i * p, (i + 1) * p);
  return a * b + 0.5 * c + 0.2 * next();
});
const kernels: Kernel[] = [
  { kind: "rbf", signalVariance: 1.2, lengthScale: 1.4 },
  { kind: "rbf", signalVariance: 0.7, lengthScale: Float64Array.of(0.8, 1.5, 3) },
  { kind: "matern52", signalVariance: 2, lengthScale: 1.1 },
  { kind: "matern52", signalVariance: 1, lengthScale: Float64Array.of(2, 0.9, 1.3) },
  { kind: "linear", signalVariance: 0.6 },
];
const tau2 = 0.15;

/** Mean and covariance of f at Z from the definition: K_zx(K + τ²I)⁻¹… */
function conditioned(kernel: Kernel, Z: Matrix) {
  const K = kernelMatrix(kernel, X);
  for (let i = 0; i < n; i++) K.data[i * (n + 1)] += tau2;
  const cross = kernelMatrix(kernel, X, Z);
  const solved = choleskySolve(cholesky(K), cross);
  const own = kernelMatrix(kernel, Z);
  const taken = transposeMultiply(cross, solved);
  return {
    mean: multiply(transposeMultiply(solved, matrix(n, 1, y)), matrix(1, 1, Float64Array.of(1)))
      .data,
    covariance: own.data.map((v, e) => v - taken.data[e]),
  };
}

describe.each(
  kernels.map(
    (kernel) =>
      [`${kernel.kind} ${"lengthScale" in kernel ? kernel.lengthScale : ""}`, kernel] as const,
  ),
)("a process with kernel %s", (_, kernel) => {
  test("has the slopes of its marginal likelihood that differences have", () => {
    const { gradient } = marginalLikelihood(X, y, kernel, tau2);
    const at = (change: (k: Kernel, factor: number) => [Kernel, number], factor: number) =>
      marginalLikelihood(X, y, ...change(kernel, factor)).value;
    const slope = (change: (k: Kernel, factor: number) => [Kernel, number]) =>
      (at(change, 1 + 1e-5) - at(change, 1 / (1 + 1e-5))) / (2 * Math.log1p(1e-5));
    const close = { rtol: 1e-6, atol: 1e-7 };
    expectClose(
      [gradient.signalVariance, gradient.noiseVariance],
      [
        slope((k, f) => [{ ...k, signalVariance: k.signalVariance * f }, tau2]),
        slope((k, f) => [k, tau2 * f]),
      ],
      close,
    );
    if (kernel.kind === "linear") return expect(gradient.lengthScale).toBeNull();
    const { lengthScale } = kernel;
    if (typeof lengthScale === "number")
      return expectClose(
        [gradient.lengthScale as number],
        [slope((k, f) => [{ ...k, lengthScale: lengthScale * f } as Kernel, tau2])],
        close,
      );
    expectClose(
      gradient.lengthScale as Float64Array,
      lengthScale.map((_, j) =>
        slope((k, f) => [
          { ...k, lengthScale: lengthScale.map((s, at) => (at === j ? s * f : s)) } as Kernel,
          tau2,
        ]),
      ),
      close,
    );
  });

  test("has the mean and covariance of the definition, at its rows and at others", async () => {
    const process = await fitGaussianProcess(X, y, {
      kernel,
      noiseVariance: tau2,
      optimise: false,
    });
    const { hidden, weights } = processWeights(process);
    const expected = conditioned(kernel, X);
    expectClose(
      multiply(hidden, matrix(weights.mean.length, 1, weights.mean)).data,
      expected.mean,
      { atol: 1e-9 },
    );
    const half = matrix(
      n,
      hidden.cols,
      hidden.data.map((v, e) => v * Math.sqrt(weights.covariance[e % hidden.cols])),
    );
    expectClose(multiplyTranspose(half, half).data, expected.covariance, { atol: 1e-9 });
    const Z = draw(7, p);
    const elsewhere = conditioned(kernel, Z);
    const { mean, variance } = predictProcess(process, Z);
    expectClose(mean, elsewhere.mean, { atol: 1e-9 });
    expectClose(
      variance,
      mean.map((_, i) => elsewhere.covariance[i * 8]),
      { atol: 1e-9 },
    );
    const value = marginalLikelihood(X, y, kernel, tau2).value;
    expect(process.logMarginalLikelihood).toBeCloseTo(value, 9);
  });

  test("has the derivatives of its mean that differences have", async () => {
    const process = await fitGaussianProcess(X, y, {
      kernel,
      noiseVariance: tau2,
      optimise: false,
    });
    const Z = draw(4, p);
    const moved = (j: number, h: number) =>
      predictProcess(
        process,
        matrix(
          4,
          p,
          Z.data.map((v, e) => (e % p === j ? v + h : v)),
        ),
      ).mean;
    const expected = matrix(4, p);
    for (let j = 0; j < p; j++) {
      const [up, down] = [moved(j, 1e-5), moved(j, -1e-5)];
      for (let i = 0; i < 4; i++) expected.data[i * p + j] = (up[i] - down[i]) / 2e-5;
    }
    expectClose(processGradients(process, Z).data, expected.data, { rtol: 1e-6, atol: 1e-8 });
  });

  test("finds hyper-parameters where the likelihood is flat, and higher than at the start", async () => {
    const process = await fitGaussianProcess(X, y, { kernel, noiseVariance: tau2 });
    const { value, gradient } = marginalLikelihood(X, y, process.kernel, process.noiseVariance);
    expect(value).toBeGreaterThan(marginalLikelihood(X, y, kernel, tau2).value);
    const { signalVariance, noiseVariance, lengthScale } = gradient;
    const scales =
      lengthScale === null
        ? []
        : typeof lengthScale === "number"
          ? [lengthScale]
          : [...lengthScale];
    expect(process.converged).toBe(true);
    for (const slope of [signalVariance, noiseVariance, ...scales])
      expect(Math.abs(slope)).toBeLessThan(1e-4);
  });
});

test("a linear kernel is Bayesian linear regression without an intercept", async () => {
  const centredX = X.data.map((v, e) => {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += X.data[i * p + (e % p)] / n;
    return v - mean;
  });
  const average = y.reduce((sum, v) => sum + v / n, 0);
  const Z = matrix(n, p, centredX);
  const process = await fitGaussianProcess(Z, y, {
    kernel: { kind: "linear", signalVariance: 0.6 },
    noiseVariance: tau2,
    optimise: false,
    offset: average,
  });
  const { weights, intercept } = bayesianLinearRegression(Z, y, {
    priorVariance: 0.6,
    noiseVariance: tau2,
  });
  const { mean } = predictProcess(process, Z);
  expectClose(
    mean,
    multiply(Z, matrix(p, 1, weights.mean)).data.map((v) => v + intercept),
    { rtol: 1e-8 },
  );
  expectClose(processGradients(process, rowBlock(Z, 0, 1)).data, weights.mean, { rtol: 1e-8 });
});

test("RATE of a Gaussian process is that of its dense effects, by brute force: n = 60, p = 8", async () => {
  const [rows, cols] = [60, 8];
  const wide = draw(rows, cols);
  const response = Float64Array.from({ length: rows }, (_, i) => {
    const x = wide.data.subarray(i * cols, (i + 1) * cols);
    return x[0] + x[1] * x[2] + 0.3 * next();
  });
  const kernel: Kernel = { kind: "rbf", signalVariance: 1, lengthScale: 2.5 };
  const process = await fitGaussianProcess(wide, response, {
    kernel,
    noiseVariance: 0.1,
    optimise: false,
  });
  const { hidden, weights } = processWeights(process);
  const effects = effectSizes(wide, hidden, weights, { noiseVariance: 0.1 });
  const shares = rate(effects).variables;

  // Everything dense: P = XᵀC/(n−1), Σ_f = K − K(K + τ²I)⁻¹K, Ω = PΣ_fPᵀ + τ² diag(PPᵀ).
  const P = matrix(cols, rows);
  for (let j = 0; j < cols; j++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += wide.data[i * cols + j] / rows;
    for (let i = 0; i < rows; i++)
      P.data[j * rows + i] = (wide.data[i * cols + j] - mean) / (rows - 1);
  }
  const K = kernelMatrix(kernel, wide);
  const noisy = matrix(
    rows,
    rows,
    K.data.map((v, e) => (e % (rows + 1) === 0 ? v + 0.1 : v)),
  );
  const L = cholesky(noisy);
  const taken = multiply(K, choleskySolve(L, K));
  const sigma = matrix(
    rows,
    rows,
    K.data.map((v, e) => v - taken.data[e]),
  );
  const f = multiply(K, choleskySolve(L, matrix(rows, 1, response)));
  const omega = multiplyTranspose(multiply(P, sigma), P);
  const PP = multiplyTranspose(P, P);
  const dense = {
    names: effects.names,
    mean: multiply(P, f).data,
    factor: cholesky(omega),
    noise: Float64Array.from({ length: cols }, (_, j) => 0.1 * PP.data[j * (cols + 1)]),
  };
  const definition = exactly(dense);
  const expected = dense.names.map((_, j) => divergence(definition, [j]).kld);
  expectClose(shares.kld, expected, { rtol: 1e-6 });
  expect(shares.rank[0]).toBe(1);
  // The covariance projection of Q is what the streaming accumulators make of it too.
  expectClose(projectCovariance(wide, hidden).hidden.data, multiply(P, hidden).data, {
    atol: 1e-12,
  });
});

test("what is too large, or no process at all, is refused", async () => {
  const kernel = kernels[0];
  const fit = (Z: Matrix, r: Float64Array, k: Kernel = kernel, noiseVariance = tau2) =>
    fitGaussianProcess(Z, r, { kernel: k, noiseVariance });
  await expect(fit(matrix(4001, 1), new Float64Array(4001))).rejects.toThrow(
    "at most 4000 rows, got 4001; take a subsample",
  );
  await expect(fit(X, y.subarray(1))).rejects.toThrow("a response for each");
  await expect(fit(X, y, { ...kernel, signalVariance: -1 })).rejects.toThrow("positive and finite");
  await expect(
    fit(X, y, { kind: "rbf", signalVariance: 1, lengthScale: Float64Array.of(1, 2) }),
  ).rejects.toThrow("each of 3 columns");
  await expect(fit(X, y, { kind: "cosine" } as unknown as Kernel)).rejects.toThrow('got "cosine"');
  await expect(fit(fromRows([[1], [Number.NaN]]), Float64Array.of(1, 2))).rejects.toThrow("finite");
});
