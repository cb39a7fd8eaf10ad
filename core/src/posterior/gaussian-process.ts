import { log } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { cholesky, choleskySolveVector, firstNonFinite, type Matrix } from "../linalg/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import { checkKernel, type Kernel, kernelMatrix } from "./kernel.ts";
import { checkVariance } from "./output-weights.ts";
import { type Hyperparameters, ITERATIONS, searchHyperparameters } from "./process-search.ts";

/** A Gaussian process regression: plain data. */
export interface GaussianProcess {
  readonly kind: "gaussian-process";
  readonly kernel: Kernel;
  /** τ². */
  readonly noiseVariance: number;
  /** The mean of f before any data. */
  readonly offset: number;
  readonly X: Matrix;
  /** α = (K + τ²I)⁻¹(y − offset). */
  readonly alpha: Float64Array;
  readonly logMarginalLikelihood: number;
  /** Whether the hyper-parameters are where the likelihood is largest, to the tolerance; null when they were given. */
  readonly converged: boolean | null;
}

export interface GaussianProcessOptions extends RunOptions {
  /** The kernel, or where the search for its hyper-parameters starts. */
  readonly kernel: Kernel;
  /** τ², or where the search starts. */
  readonly noiseVariance: number;
  /** Whether the marginal likelihood decides the hyper-parameters; default true. */
  readonly optimise?: boolean;
  /** The mean of f before any data; default 0. */
  readonly offset?: number;
}

/** Rows up to which a Gaussian process is fitted: its n×n matrices then take 128 MB each. */
export const MOST_PROCESS_ROWS = 4000;

/**
 * y = offset + f + ε, f ~ GP(0, kernel), ε ~ N(0, τ²). The hyper-parameters maximise the marginal
 * likelihood from where they start, by its gradient; other starts may lead to other maxima. O(n³) per
 * evaluation and about five n×n matrices, so at most 4,000 rows: take a subsample of more, or a network.
 */
export function fitGaussianProcess(
  X: Matrix,
  y: Float64Array,
  options: GaussianProcessOptions,
): Promise<GaussianProcess> {
  return drive(fitSteps(X, y, options), options);
}

function* fitSteps(
  X: Matrix,
  y: Float64Array,
  options: GaussianProcessOptions,
): Generator<Progress, GaussianProcess> {
  const { offset = 0, optimise = true } = options;
  checkRows(X, y);
  checkKernel("fitGaussianProcess", options.kernel, X.cols);
  checkVariance("fitGaussianProcess", "noise variance", options.noiseVariance);
  const centred = y.map((value) => value - offset);
  const found = optimise ? yield* search(X, centred, options) : { ...options, converged: null };
  const { kernel, noiseVariance, converged } = found;
  const K = kernelMatrix(kernel, X);
  for (let i = 0; i < X.rows; i++) K.data[i * (X.rows + 1)] += noiseVariance;
  const L = cholesky(K);
  const alpha = choleskySolveVector(L, centred);
  let value = -0.5 * X.rows * log(2 * Math.PI);
  for (let i = 0; i < X.rows; i++)
    value -= 0.5 * centred[i] * alpha[i] + log(L.data[i * (X.rows + 1)]);
  yield { phase: "gaussian process", done: ITERATIONS, total: ITERATIONS };
  return {
    kind: "gaussian-process",
    kernel,
    noiseVariance,
    offset,
    X,
    alpha,
    logMarginalLikelihood: value,
    converged,
  };
}

function* search(
  X: Matrix,
  y: Float64Array,
  start: Hyperparameters,
): Generator<Progress, Hyperparameters & { readonly converged: boolean }> {
  const steps = searchHyperparameters(X, y, start);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield { phase: "gaussian process", done: step.value, total: ITERATIONS };
  }
}

function checkRows(X: Matrix, y: Float64Array): void {
  const where = "fitGaussianProcess";
  if (y.length !== X.rows || X.rows < 2)
    throw shapeError(where, "a response for each of at least 2 rows", `${y.length} for ${X.rows}`);
  if (X.rows > MOST_PROCESS_ROWS)
    throw new RatewiseError("memory", {
      in: where,
      what: `needs at most ${MOST_PROCESS_ROWS} rows, got ${X.rows}`,
      advice: "take a subsample of them, or a network",
      rows: X.rows,
    });
  if (firstNonFinite(X.data) >= 0 || firstNonFinite(y) >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: "needs finite numbers",
      advice: "drop the rows without",
    });
}
