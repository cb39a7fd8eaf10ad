import { exp } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix, multiplyTranspose } from "../linalg/index.ts";

/**
 * The covariance of f at two rows, with D the squared distance after division by the length scales:
 *
 *     rbf        σ² exp(−D/2)
 *     matern52   σ²(1 + s + s²/3) exp(−s),  s = √(5D)
 *     linear     σ² xᵀz: f is linear, with independent weights of variance σ² (centre the columns first)
 */
export type Kernel =
  | {
      readonly kind: "rbf" | "matern52";
      /** σ². */
      readonly signalVariance: number;
      /** One for all columns, or one each. */
      readonly lengthScale: number | Float64Array;
    }
  | { readonly kind: "linear"; readonly signalVariance: number };

/** The kernels a Gaussian process can have. */
export const kernelKinds: readonly Kernel["kind"][] = ["rbf", "matern52", "linear"];

/** Throws unless the kernel's numbers are positive and fit p columns. */
export function checkKernel(where: string, kernel: Kernel, p: number): void {
  if (!kernelKinds.includes(kernel.kind))
    throw new RatewiseError("unknown-name", {
      in: where,
      what: `needs a kernel of ${kernelKinds.join(", ")}, got "${kernel.kind}"`,
      option: "kernel",
    });
  const scales = kernel.kind === "linear" ? [] : lengthScales(kernel.lengthScale, p);
  if (scales.length > 0 && scales.length !== p)
    throw shapeError(
      where,
      `a length scale for all, or for each of ${p} columns`,
      `${scales.length}`,
    );
  for (const value of [kernel.signalVariance, ...scales])
    if (!(value > 0 && Number.isFinite(value)))
      throw new RatewiseError("domain", {
        in: where,
        what: `needs a signal variance and length scales that are positive and finite, got ${value}`,
      });
}

/** k(x_i, z_j), rows(X)×rows(Z). O(n·m·p). */
export function kernelMatrix(kernel: Kernel, X: Matrix, Z: Matrix = X): Matrix {
  checkKernel("kernelMatrix", kernel, X.cols);
  if (Z.cols !== X.cols)
    throw shapeError("kernelMatrix", `${X.cols} columns on both sides`, `${Z.cols}`);
  const K =
    kernel.kind === "linear"
      ? multiplyTranspose(X, Z)
      : squaredDistances(scaled(X, kernel.lengthScale), scaled(Z, kernel.lengthScale), X === Z);
  const { signalVariance } = kernel;
  for (let e = 0; e < K.data.length; e++)
    K.data[e] =
      kernel.kind === "linear"
        ? signalVariance * K.data[e]
        : signalVariance * correlation(kernel.kind, K.data[e]);
  return K;
}

/** k/σ² at a squared distance. */
export function correlation(kind: "rbf" | "matern52", squared: number): number {
  if (kind === "rbf") return exp(-0.5 * squared);
  const s = Math.sqrt(5 * squared);
  return (1 + s + (s * s) / 3) * exp(-s);
}

/** ∂(k/σ²)/∂D at a squared distance D. */
export function correlationSlope(kind: "rbf" | "matern52", squared: number): number {
  if (kind === "rbf") return -0.5 * exp(-0.5 * squared);
  const s = Math.sqrt(5 * squared);
  return (-5 / 6) * (1 + s) * exp(-s);
}

/** Columns divided by their length scales. */
export function scaled(X: Matrix, lengthScale: number | Float64Array): Matrix {
  const scales = lengthScales(lengthScale, X.cols);
  return matrix(
    X.rows,
    X.cols,
    X.data.map((value, e) => value / scales[e % X.cols]),
  );
}

export function lengthScales(lengthScale: number | Float64Array, p: number): Float64Array {
  return typeof lengthScale === "number" ? new Float64Array(p).fill(lengthScale) : lengthScale;
}

/** Σ_k(x_ik − z_jk)², from the differences themselves: exact zeros, and no digits lost to large means. */
export function squaredDistances(X: Matrix, Z: Matrix, same: boolean): Matrix {
  const out = matrix(X.rows, Z.rows);
  const p = X.cols;
  for (let i = 0; i < X.rows; i++)
    for (let j = same ? i + 1 : 0; j < Z.rows; j++) {
      let sum = 0;
      for (let k = 0; k < p; k++) sum += (X.data[i * p + k] - Z.data[j * p + k]) ** 2;
      out.data[i * Z.rows + j] = sum;
      if (same) out.data[j * Z.rows + i] = sum;
    }
  return out;
}
