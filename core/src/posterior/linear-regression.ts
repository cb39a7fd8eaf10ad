import { exp, log } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import {
  eigh,
  firstNonFinite,
  gram,
  type Matrix,
  matrix,
  multiplyTranspose,
  multiplyVector,
  transposeMultiplyVector,
} from "../linalg/index.ts";
import { checkVariance } from "./output-weights.ts";
import { minimise } from "./quasi-newton.ts";
import { checkRowWeights, countedRows } from "./row-counts.ts";

export interface LinearRegressionOptions {
  /** σ² of the coefficients; left out, it maximises the evidence. */
  readonly priorVariance?: number;
  /** τ²; left out, it maximises the evidence. */
  readonly noiseVariance?: number;
  /** b, held fixed; left out, it is integrated out under a flat prior. */
  readonly intercept?: number;
  /** What each row counts: 2 as the row twice. Default 1. */
  readonly weights?: Float64Array | undefined;
}

/** A Bayesian linear regression: plain data. The coefficients are weights for H = X. */
export interface LinearRegression {
  readonly kind: "linear-regression";
  /** w ~ N(mean, covariance): coefficients of the columns of X. */
  readonly weights: { readonly mean: Float64Array; readonly covariance: Matrix };
  /** E b: the mean response less that of the columns, or b as it was given. */
  readonly intercept: number;
  readonly priorVariance: number;
  readonly noiseVariance: number;
  /** log p(y | X) with w integrated out and, under a flat prior, b. */
  readonly logEvidence: number;
}

/** Columns up to which the p×p covariance is formed: 128 MB. */
const MOST_COLUMNS = 4000;

/**
 * y = b + Xw + ε with w ~ N(0, σ²I), ε ~ N(0, τ²) and b flat. With C the centring matrix and
 * XᵀCX = Q diag(e) Qᵀ, z = QᵀXᵀCy:
 *
 *     w | y ~ N(V XᵀCy/τ², V),   V = Q diag(1/(1/σ² + e/τ²)) Qᵀ
 *     −2 log p(y) = (n−1)log 2πτ² + log n + Σ log(1 + σ²e/τ²) + (yᵀCy − Σ z²σ²/(τ² + σ²e))/τ²
 *
 * Rows with weights c count c times: n is then Σc, and sums over rows are weighted. A fixed b is taken off y instead, without C: n in place of n − 1, and no log n. Variances that are not given maximise the evidence, by its gradient in their logarithms. O(n·p² + p³); a
 * table of more columns than rows is better served by the same model as a Gaussian process with a linear kernel.
 */
export function bayesianLinearRegression(
  X: Matrix,
  y: Float64Array,
  options: LinearRegressionOptions = {},
): LinearRegression {
  const where = "bayesianLinearRegression";
  check(where, X, y);
  const { cols: p } = X;
  const { intercept, weights } = options;
  if (weights) checkRowWeights(where, weights, X.rows);
  const n = weights ? weights.reduce((sum, weight) => sum + weight, 0) : X.rows;
  const count = (i: number) => (weights ? weights[i] : 1);
  const columnMeans = new Float64Array(p);
  if (intercept === undefined)
    for (let e = 0; e < X.data.length; e++)
      columnMeans[e % p] += (count(Math.floor(e / p)) * X.data[e]) / n;
  const deviations = matrix(
    X.rows,
    p,
    X.data.map((value, e) => value - columnMeans[e % p]),
  );
  const centred = weights ? countedRows(deviations, weights) : deviations;
  const average = intercept ?? y.reduce((sum, value, i) => sum + (count(i) * value) / n, 0);
  const response = y.map((value, i) => (value - average) * Math.sqrt(count(i)));
  const { values, vectors } = eigh(gram(centred));
  const e = values.map((value) => Math.max(0, value));
  const z = transposeMultiplyVector(vectors, transposeMultiplyVector(centred, response));
  const total = response.reduce((sum, value) => sum + value * value, 0);
  const degrees = intercept === undefined ? n - 1 : n;
  const spread = total / degrees;
  if (!(spread > 0))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs responses that differ, got ${y[0]} in every row`,
    });
  const model = { n, degrees, e, z, total };
  const { priorVariance, noiseVariance } = chooseVariances(where, model, spread, options);
  const variances = e.map((value) => 1 / (1 / priorVariance + value / noiseVariance));
  const mean = multiplyVector(
    vectors,
    z.map((value, k) => (variances[k] * value) / noiseVariance),
  );
  const half = matrix(
    p,
    p,
    vectors.data.map((value, at) => value * Math.sqrt(variances[at % p])),
  );
  return {
    kind: "linear-regression",
    weights: { mean, covariance: multiplyTranspose(half, half) },
    intercept: mean.reduce((sum, weight, j) => sum - weight * columnMeans[j], average),
    priorVariance,
    noiseVariance,
    logEvidence: -negativeEvidence(model, priorVariance, noiseVariance).value,
  };
}

interface Spectrum {
  readonly n: number;
  /** n − 1 where b is integrated out, otherwise n. */
  readonly degrees: number;
  readonly e: Float64Array;
  readonly z: Float64Array;
  readonly total: number;
}

function chooseVariances(
  where: string,
  model: Spectrum,
  spread: number,
  options: LinearRegressionOptions,
): { priorVariance: number; noiseVariance: number } {
  const given = [options.priorVariance, options.noiseVariance];
  const names = ["prior variance", "noise variance"];
  given.forEach((value, k) => {
    if (value !== undefined) checkVariance(where, names[k], value);
  });
  const mostE = model.e[model.e.length - 1];
  // Half the spread explained, half not.
  const guess = [
    mostE > 0 ? (spread * model.n) / (2 * model.e.reduce((s, v) => s + v, 0)) : 1,
    spread / 2,
  ];
  const open = [0, 1].filter((k) => given[k] === undefined);
  const at = (free: Float64Array): [number, number] => {
    const full = given.map((value, k) => value ?? guess[k]);
    open.forEach((k, i) => {
      full[k] = exp(free[i]);
    });
    return [full[0], full[1]];
  };
  const steps = minimise(
    (free) => {
      const { value, gradient } = negativeEvidence(model, ...at(free));
      return { value, gradient: Float64Array.from(open, (k) => gradient[k]) };
    },
    Float64Array.from(open, (k) => log(guess[k])),
    { iterations: 200, tolerance: 1e-7, longestStep: 2 },
  );
  let step = steps.next();
  while (!step.done) step = steps.next();
  const [priorVariance, noiseVariance] = at(step.value.at);
  return { priorVariance, noiseVariance };
}

/** −log p(y) and its slope in (log σ², log τ²). */
function negativeEvidence({ n, degrees, e, z, total }: Spectrum, sigma2: number, tau2: number) {
  let determinant = 0;
  let explained = 0;
  let bySigma = 0;
  let byTau = 0;
  for (let k = 0; k < e.length; k++) {
    const d = tau2 + sigma2 * e[k];
    determinant += log(d / tau2);
    explained += (z[k] ** 2 * sigma2) / d;
    bySigma += (sigma2 * e[k]) / d - (z[k] ** 2 * sigma2) / d ** 2;
    byTau += -(sigma2 * e[k]) / d + (z[k] ** 2 * sigma2) / d ** 2;
  }
  const residual = (total - explained) / tau2;
  return {
    value:
      0.5 *
      (degrees * log(2 * Math.PI * tau2) + (degrees < n ? log(n) : 0) + determinant + residual),
    gradient: [0.5 * bySigma, 0.5 * (degrees + byTau - residual)],
  };
}

function check(where: string, X: Matrix, y: Float64Array): void {
  if (y.length !== X.rows || X.rows < 3 || X.cols < 1)
    throw shapeError(
      where,
      "a response for each of at least 3 rows",
      `${y.length} for ${X.rows}×${X.cols}`,
    );
  if (X.cols > MOST_COLUMNS)
    throw new RatewiseError("memory", {
      in: where,
      what: `needs at most ${MOST_COLUMNS} columns, got ${X.cols}`,
      advice: "fit a Gaussian process with a linear kernel",
      columns: X.cols,
    });
  if (firstNonFinite(X.data) >= 0 || firstNonFinite(y) >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: "needs finite numbers",
      advice: "drop the rows without",
    });
}
