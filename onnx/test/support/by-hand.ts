import { type Matrix, matrix } from "@ratewise/core";
import {
  cholesky,
  choleskyInverse,
  gram,
  multiply,
  multiplyTranspose,
  multiplyVector,
  transposeMultiply,
  transposeMultiplyVector,
} from "@ratewise/core/linalg";

/** How the last layer was refitted. */
export interface HandSettings {
  readonly priorPrecision: number;
  readonly noiseVariance: number;
  /** b to take off the response; undefined where it is integrated out, by centring. */
  readonly bias?: number;
}

/**
 * RATE of the covariance effects of a conjugate refit, from the definitions: V = (λI + HᵀH/τ²)⁻¹, m = VHᵀ(y − b)/τ²,
 * P = XᵀC/(n−1), Ω = PHVHᵀPᵀ + τ² diag(PPᵀ), δ_j = (Ω⁻¹)_jj − 1/Ω_jj, RATE ∝ μ_j²δ_j. Nothing is spared: p×p matrices are formed.
 */
export function rateByHand(
  X: Matrix,
  H: Matrix,
  y: Float64Array,
  { priorPrecision, noiseVariance, bias }: HandSettings,
): Float64Array {
  const used = bias === undefined ? centred(H) : H;
  const average = y.reduce((sum, value) => sum + value / y.length, 0);
  const response = y.map((value) => (value - (bias ?? average)) / noiseVariance);
  const precision = gram(used);
  for (let e = 0; e < precision.data.length; e++) precision.data[e] /= noiseVariance;
  for (let k = 0; k < H.cols; k++) precision.data[k * (H.cols + 1)] += priorPrecision;
  const V = choleskyInverse(cholesky(precision));
  const m = multiplyVector(V, transposeMultiplyVector(used, response));
  const P = centred(X); // its transpose over n − 1
  const B = transposeMultiply(P, H);
  for (let e = 0; e < B.data.length; e++) B.data[e] /= X.rows - 1;
  const mu = multiplyVector(B, m);
  const omega = multiplyTranspose(multiply(B, V), B);
  const spread = gram(P);
  const p = X.cols;
  for (let j = 0; j < p; j++)
    omega.data[j * (p + 1)] += (noiseVariance * spread.data[j * (p + 1)]) / (X.rows - 1) ** 2;
  const lambda = choleskyInverse(cholesky(omega));
  const kld = mu.map(
    (value, j) => 0.5 * value ** 2 * (lambda.data[j * (p + 1)] - 1 / omega.data[j * (p + 1)]),
  );
  const total = kld.reduce((sum, value) => sum + value, 0);
  return kld.map((value) => value / total);
}

function centred({ rows, cols, data }: Matrix): Matrix {
  const mean = new Float64Array(cols);
  for (let e = 0; e < data.length; e++) mean[e % cols] += data[e] / rows;
  return matrix(
    rows,
    cols,
    data.map((value, e) => value - mean[e % cols]),
  );
}
