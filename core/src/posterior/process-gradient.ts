import { shapeError } from "../errors.ts";
import { type Matrix, matrix, multiply } from "../linalg/index.ts";
import type { GaussianProcess } from "./gaussian-process.ts";
import { correlationSlope, lengthScales, scaled, squaredDistances } from "./kernel.ts";

/**
 * ∂f̂/∂x_j of the posterior mean at every row of Z, rows×p. With D the squared distance in length scales,
 *
 *     ∂f̂(z)/∂z_j = Σ_k α_k σ² k'(D(z, x_k)) · 2(z_j − x_kj)/ℓ_j²,   linear kernel: σ² Σ_k α_k x_kj
 *
 * O(n·m·p).
 */
export function processGradients(process: GaussianProcess, Z: Matrix): Matrix {
  const { kernel, X, alpha } = process;
  const p = X.cols;
  if (Z.cols !== p) throw shapeError("processGradients", `${p} columns`, `${Z.cols}`);
  const out = matrix(Z.rows, p);
  if (kernel.kind === "linear") {
    const slope = multiply(matrix(1, X.rows, alpha), X).data;
    for (let e = 0; e < out.data.length; e++) out.data[e] = kernel.signalVariance * slope[e % p];
    return out;
  }
  const { kind, lengthScale, signalVariance } = kernel;
  const pulls = squaredDistances(scaled(Z, lengthScale), scaled(X, lengthScale), false);
  for (let e = 0; e < pulls.data.length; e++)
    pulls.data[e] = 2 * signalVariance * alpha[e % X.rows] * correlationSlope(kind, pulls.data[e]);
  const toward = multiply(pulls, X);
  const scales = lengthScales(lengthScale, p);
  for (let i = 0; i < Z.rows; i++) {
    let total = 0;
    for (let k = 0; k < X.rows; k++) total += pulls.data[i * X.rows + k];
    for (let j = 0; j < p; j++)
      out.data[i * p + j] = (total * Z.data[i * p + j] - toward.data[i * p + j]) / scales[j] ** 2;
  }
  return out;
}
