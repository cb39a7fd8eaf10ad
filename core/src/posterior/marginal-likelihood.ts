import { log } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { choleskyLogDeterminant } from "../linalg/cholesky.ts";
import {
  choleskyInverse,
  choleskySolveVector,
  type Matrix,
  multiplyTranspose,
  tryCholesky,
} from "../linalg/index.ts";
import {
  checkKernel,
  correlation,
  correlationSlope,
  type Kernel,
  lengthScales,
  scaled,
  squaredDistances,
} from "./kernel.ts";
import { checkVariance } from "./output-weights.ts";

/** log p(y) of a Gaussian process and its slope in the logarithms of the hyper-parameters. */
export interface MarginalLikelihood {
  readonly value: number;
  readonly gradient: {
    readonly signalVariance: number;
    readonly noiseVariance: number;
    /** One for all columns, or one each, as the kernel has them; null for a linear kernel. */
    readonly lengthScale: number | Float64Array | null;
  };
}

/**
 * For y ~ N(0, K_y), K_y = K + τ²I (Rasmussen and Williams 2006, (2.30) and (5.9)):
 *
 *     log p(y) = −½ yᵀα − Σ log L_ii − ½ n log 2π,   α = K_y⁻¹y,   K_y = L Lᵀ
 *     ∂log p/∂log θ = ½ Σ_ij (αα ᵀ − K_y⁻¹)_ij ∂K_ij/∂log θ
 *
 * O(n³), and three n×n matrices. `distances` spares their computation where the length scale is one for all columns.
 *
 * @param distances squared distances of the rows of X in its own units
 */
export function marginalLikelihood(
  X: Matrix,
  y: Float64Array,
  kernel: Kernel,
  noiseVariance: number,
  distances?: Matrix,
): MarginalLikelihood {
  const where = "marginalLikelihood";
  if (y.length !== X.rows || X.rows === 0)
    throw shapeError(where, `a response for each of at least 1 rows`, `${y.length} for ${X.rows}`);
  checkKernel(where, kernel, X.cols);
  checkVariance(where, "noise variance", noiseVariance);
  const n = X.rows;
  const { signalVariance } = kernel;
  const D = distancesFor(kernel, X, distances);
  const K = D.data.map((d) =>
    kernel.kind === "linear" ? signalVariance * d : signalVariance * correlation(kernel.kind, d),
  );
  for (let i = 0; i < n; i++) K[i * (n + 1)] += noiseVariance;
  const factored = tryCholesky({ data: K, rows: n, cols: n });
  if (factored.result !== "ok")
    throw new RatewiseError("not-positive-definite", {
      in: where,
      what: `needs a positive definite covariance, got pivot ${factored.pivot} of ${n} not positive`,
      advice: `raise the noise variance (now ${noiseVariance})`,
      pivot: factored.pivot,
    });
  const alpha = choleskySolveVector(factored.value, y);
  const inverse = choleskyInverse(factored.value);
  let fit = 0;
  let signal = 0;
  let trace = 0;
  for (let i = 0; i < n; i++) {
    fit += y[i] * alpha[i];
    trace += alpha[i] ** 2 - inverse.data[i * (n + 1)];
    for (let j = 0; j < n; j++) {
      const W = alpha[i] * alpha[j] - inverse.data[i * n + j];
      signal += W * (i === j ? K[i * n + j] - noiseVariance : K[i * n + j]);
    }
  }
  return {
    value: -0.5 * fit - 0.5 * choleskyLogDeterminant(factored.value) - 0.5 * n * log(2 * Math.PI),
    gradient: {
      signalVariance: 0.5 * signal,
      noiseVariance: 0.5 * noiseVariance * trace,
      lengthScale: kernel.kind === "linear" ? null : lengthSlope(kernel, X, D, alpha, inverse),
    },
  };
}

/** Products xᵀz of a linear kernel, otherwise squared distances in length scales. */
function distancesFor(kernel: Kernel, X: Matrix, distances: Matrix | undefined): Matrix {
  if (kernel.kind === "linear") return multiplyTranspose(X, X);
  const { lengthScale } = kernel;
  if (distances && typeof lengthScale === "number")
    return { ...distances, data: distances.data.map((d) => d / lengthScale ** 2) };
  const Z = scaled(X, lengthScale);
  return squaredDistances(Z, Z, true);
}

/** −Σ_ij W_ij σ² k'(D_ij) d_ijk² with d_ijk the scaled difference in column k, summed over k for a shared scale. */
function lengthSlope(
  kernel: Exclude<Kernel, { kind: "linear" }>,
  X: Matrix,
  D: Matrix,
  alpha: Float64Array,
  inverse: Matrix,
): number | Float64Array {
  const { rows: n, cols: p } = X;
  const each = typeof kernel.lengthScale !== "number";
  const scales = lengthScales(kernel.lengthScale, p);
  const slopes = new Float64Array(each ? p : 1);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const at = i * n + j;
      const W = alpha[i] * alpha[j] - inverse.data[at];
      // Twice, for both triangles, and −2·½ from ∂D/∂log ℓ.
      const pull = -2 * W * kernel.signalVariance * correlationSlope(kernel.kind, D.data[at]);
      if (!each) slopes[0] += pull * D.data[at];
      else
        for (let k = 0; k < p; k++)
          slopes[k] += pull * ((X.data[i * p + k] - X.data[j * p + k]) / scales[k]) ** 2;
    }
  return each ? slopes : slopes[0];
}
