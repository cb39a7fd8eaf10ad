import {
  fold,
  type Kernel,
  type Key,
  keyFromSeed,
  type Matrix,
  matrix,
  normals,
  uniforms,
} from "@ratewise/core";
import * as elementary from "@ratewise/core/elementary";
import { cholesky, multiplyVector, rowBlock } from "@ratewise/core/linalg";
import {
  bayesianLinearRegression,
  fitGaussianProcess,
  functionVariances,
  kernelMatrix,
  laplace,
  laplaceContrast,
  type OutputWeights,
  predictProcess,
  swag,
  swagContrast,
  weightsFromDraws,
} from "@ratewise/core/posterior";
import { normalInto } from "@ratewise/core/random";
import { type CoverageRow, coverage } from "./coverage.ts";

const ROWS = 200;
const FRESH = 500;
const INPUTS = 5;
const HIDDEN = 16;
const NOISE = 0.5;
const CLASSES = 3;
/** What the prior and the weights that are drawn have. */
const PRIOR = 1;

/** Data drawn from each model with its own prior, and how often its 90% intervals hold the truth. */
export async function modelHolds(seed: number): Promise<CoverageRow[]> {
  const key = fold(keyFromSeed(seed), "calibration");
  return [
    ...(await regressionLayers(fold(key, "regression"))),
    ...(await classLayers(fold(key, "classes"))),
    linearRegression(fold(key, "linear")),
    await gaussianProcess(fold(key, "process")),
  ].map((row) => ({ setting: "model holds", seed, ...row }));
}

type Coverage = Pick<CoverageRow, "posterior" | "of" | "coverage">;

/** f = Hw with H a layer of random rectified units; the last layer is all there is to learn. */
async function regressionLayers(key: Key): Promise<Coverage[]> {
  const { H, fresh } = hiddenLayer(key);
  const w = drawn(fold(key, "weights"), HIDDEN);
  const noise = drawn(fold(key, "noise"), ROWS);
  const y = multiplyVector(H, w).map((f, i) => f + Math.sqrt(NOISE) * noise[i]);
  const options = { link: "identity", noiseVariance: NOISE, priorVariance: PRIOR } as const;
  const full = laplace(H, y, options).outputs[0];
  const fitted: [string, Pick<OutputWeights, "mean" | "covariance">][] = [
    ["laplace, full", full],
    // For the identity link this is also where mean-field variational inference ends.
    [
      "laplace, diagonal; variational",
      laplace(H, y, { ...options, structure: "diagonal" }).outputs[0],
    ],
    ["swag", (await swag(H, y, { ...options, key: fold(key, "swag") })).outputs[0]],
    ["draws (500)", weightsFromDraws(gaussianDraws(full, 500, fold(key, "draws")))],
  ];
  const truth = multiplyVector(fresh, w);
  return fitted.map(([posterior, weights]) => ({
    posterior: `${posterior}: regression`,
    of: "f",
    coverage: coverage(
      multiplyVector(fresh, weights.mean),
      functionVariances(fresh, weights.covariance),
      truth,
    ),
  }));
}

async function classLayers(key: Key): Promise<Coverage[]> {
  const { H, fresh } = hiddenLayer(key);
  const weights = Array.from({ length: CLASSES }, (_, c) => drawn(fold(key, "weights", c), HIDDEN));
  const y = drawClasses(H, weights, fold(key, "labels"));
  const options = { link: "softmax", classes: CLASSES, priorVariance: PRIOR } as const;
  const full = laplace(H, y, options);
  const diagonal = laplace(H, y, { ...options, structure: "diagonal" });
  const walked = await swag(H, y, { ...options, key: fold(key, "swag") });
  const [a, b] = [1, 0];
  const contrasts: [string, OutputWeights][] = [
    ["laplace, full", laplaceContrast(full, H, a, b)],
    ["laplace, two-class Hessian", laplaceContrast({ ...full, joint: null }, H, a, b)],
    ["laplace, diagonal", laplaceContrast(diagonal, H, a, b)],
    ["swag", swagContrast(walked, a, b)],
  ];
  const [first, second] = [a, b].map((c) => multiplyVector(fresh, weights[c]));
  const truth = first.map((f, i) => f - second[i]);
  return contrasts.map(([posterior, { mean, covariance }]) => ({
    posterior: `${posterior}: 3 classes`,
    of: "contrast",
    coverage: coverage(multiplyVector(fresh, mean), functionVariances(fresh, covariance), truth),
  }));
}

/** Variances by evidence, the intercept known to be near 0 in its own uncertainty. */
function linearRegression(key: Key): Coverage {
  const X = matrix(60 + FRESH, INPUTS, drawn(fold(key, "X"), (60 + FRESH) * INPUTS));
  const w = drawn(fold(key, "weights"), INPUTS);
  const noise = drawn(fold(key, "noise"), 60);
  const [train, fresh] = [rowBlock(X, 0, 60), rowBlock(X, 60, 60 + FRESH)];
  const y = multiplyVector(train, w).map((f, i) => 2 + f + Math.sqrt(NOISE) * noise[i]);
  const { weights, intercept, noiseVariance } = bayesianLinearRegression(train, y);
  // The intercept has variance τ²/n at the mean of the rows, which is close to 0.
  const variance = functionVariances(fresh, weights.covariance).map((v) => v + noiseVariance / 60);
  return {
    posterior: "linear regression, variances by evidence",
    of: "f",
    coverage: coverage(
      multiplyVector(fresh, weights.mean).map((f) => f + intercept),
      variance,
      multiplyVector(fresh, w).map((f) => f + 2),
    ),
  };
}

/** A function drawn from the process; hyper-parameters by marginal likelihood from a start elsewhere. */
async function gaussianProcess(key: Key): Promise<Coverage> {
  const all = 150 + 200;
  const X = matrix(all, 2, drawn(fold(key, "X"), all * 2));
  const kernel: Kernel = { kind: "matern52", signalVariance: 1.5, lengthScale: 1.2 };
  const K = kernelMatrix(kernel, X);
  for (let i = 0; i < all; i++) K.data[i * (all + 1)] += 1e-9;
  const f = multiplyVector(cholesky(K), drawn(fold(key, "f"), all));
  const noise = drawn(fold(key, "noise"), 150);
  const y = f.slice(0, 150).map((value, i) => value + Math.sqrt(0.1) * noise[i]);
  const process = await fitGaussianProcess(rowBlock(X, 0, 150), y, {
    kernel: { kind: "matern52", signalVariance: 1, lengthScale: 2 },
    noiseVariance: 0.3,
  });
  const { mean, variance } = predictProcess(process, rowBlock(X, 150, all));
  return {
    posterior: "Gaussian process, by marginal likelihood",
    of: "f",
    coverage: coverage(mean, variance, f.slice(150)),
  };
}

function hiddenLayer(key: Key): { H: Matrix; fresh: Matrix } {
  const all = ROWS + FRESH;
  const X = matrix(all, INPUTS, drawn(fold(key, "X"), all * INPUTS));
  const H = matrix(all, HIDDEN);
  for (let k = 0; k < HIDDEN; k++) {
    const unit = multiplyVector(X, drawn(fold(key, "unit", k), INPUTS));
    for (let i = 0; i < all; i++) H.data[i * HIDDEN + k] = Math.max(0, unit[i]) / Math.sqrt(INPUTS);
  }
  return { H: rowBlock(H, 0, ROWS), fresh: rowBlock(H, ROWS, all) };
}

function drawClasses(H: Matrix, weights: readonly Float64Array[], key: Key): Float64Array {
  const logits = weights.map((w) => multiplyVector(H, w));
  const next = uniforms(key);
  return Float64Array.from({ length: H.rows }, (_, i) => {
    const odds = logits.map((f) => elementary.exp(f[i]));
    let left = next() * odds.reduce((sum, o) => sum + o, 0);
    for (let c = 0; c < odds.length - 1; c++) {
      left -= odds[c];
      if (left < 0) return c;
    }
    return odds.length - 1;
  });
}

function gaussianDraws({ mean, covariance }: OutputWeights, count: number, key: Key): Matrix {
  const L = cholesky(covariance as Matrix);
  const next = normals(key);
  const out = matrix(count, mean.length);
  for (let s = 0; s < count; s++) {
    const z = Float64Array.from({ length: mean.length }, next);
    out.data.set(
      multiplyVector(L, z).map((value, k) => value + mean[k]),
      s * mean.length,
    );
  }
  return out;
}

function drawn(key: Key, count: number): Float64Array {
  const out = new Float64Array(count);
  normalInto(out, key);
  return out;
}
