import { solveLowerTriangular } from "../linalg/cholesky.ts";
import { cholesky, eigh, type Matrix, transposeMultiplyVector } from "../linalg/index.ts";
import { selectColumns } from "../linalg/matrix.ts";
import type { GaussianProcess } from "./gaussian-process.ts";
import { type Kernel, kernelMatrix } from "./kernel.ts";

/** f at the rows of the fit as f = offset + H w, w ~ N(mean, diag(covariance)): what effect sizes take. */
export interface ProcessWeights {
  /** Q, n×r, the eigenvectors of K. */
  readonly hidden: Matrix;
  readonly weights: { readonly mean: Float64Array; readonly covariance: Float64Array };
}

/**
 * The posterior of f at the rows it was fitted to, K = Q diag(e) Qᵀ:
 *
 *     w = Qᵀ(f − offset) ~ N( e∘Qᵀα, diag(τ²e/(e + τ²)) )
 *
 * Eigenvalues that are zero to rounding are left out. O(n³).
 */
export function processWeights(process: GaussianProcess): ProcessWeights {
  const { kernel, X, noiseVariance: tau2, alpha } = process;
  const { values, vectors } = eigh(kernelMatrix(kernel, X));
  const n = X.rows;
  const zero = n * Number.EPSILON * Math.max(values[n - 1], 0);
  const kept = [...values.keys()].filter((k) => values[k] > zero);
  const hidden = kept.length === n ? vectors : selectColumns(vectors, kept);
  const e = Float64Array.from(kept, (k) => values[k]);
  const mean = transposeMultiplyVector(hidden, alpha).map((value, k) => e[k] * value);
  return {
    hidden,
    weights: { mean, covariance: e.map((value) => (tau2 * value) / (value + tau2)) },
  };
}

/** Mean and variance of f (without τ²) at new rows. O(n³) once, O(n²) per row. */
export function predictProcess(
  process: GaussianProcess,
  Z: Matrix,
): { mean: Float64Array; variance: Float64Array } {
  const { kernel, X, noiseVariance, alpha, offset } = process;
  const K = kernelMatrix(kernel, X);
  for (let i = 0; i < X.rows; i++) K.data[i * (X.rows + 1)] += noiseVariance;
  const cross = kernelMatrix(kernel, X, Z);
  const half = solveLowerTriangular(cholesky(K), cross);
  const variance = Float64Array.from({ length: Z.rows }, (_, i) => priorVarianceAt(kernel, Z, i));
  for (let e = 0; e < half.data.length; e++) variance[e % Z.rows] -= half.data[e] ** 2;
  return {
    mean: transposeMultiplyVector(cross, alpha).map((value) => value + offset),
    variance: variance.map((value) => Math.max(0, value)),
  };
}

function priorVarianceAt(kernel: Kernel, Z: Matrix, row: number): number {
  if (kernel.kind !== "linear") return kernel.signalVariance;
  const x = Z.data.subarray(row * Z.cols, (row + 1) * Z.cols);
  return kernel.signalVariance * x.reduce((sum, value) => sum + value * value, 0);
}
