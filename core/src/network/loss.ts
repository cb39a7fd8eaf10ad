import { exp, log } from "../elementary/index.ts";
import type { Layout } from "./layout.ts";
import { negativeLogLikelihood } from "./likelihood.ts";
import { outputNoiseInto, type StepNoise } from "./noise.ts";

export interface LossOptions {
  /** σ_p² of the prior N(0, σ_p² I) of the output weights. */
  readonly priorVariance: number;
  /** N, the number of training rows the prior's weight is shared among. */
  readonly totalRows: number;
  /** Whether τ² has a gradient (identity link only). */
  readonly learnNoise: boolean;
}

/** Added to the variance of f, so that its root has a slope where the hidden layer is dead. */
const VARIANCE_FLOOR = 1e-12;

/**
 * The variational loss of a batch from its last hidden layer H, in double precision and plain loops. Adds its gradient in the output
 * layer's parameters to `gradient`.
 *
 *     mean over rows of w_i·(−log p(y_i | f_i)) + KL(q ‖ N(0, σ_p² I))/N,   q = N(m, diag v), w the rows' weights
 *     f_i = h_iᵀm + b + ε_i √(Σ_k h_ik² v_k)                          (local reparameterisation, one draw per row)
 */
export function outputLoss(
  layout: Layout,
  theta: Float64Array,
  H: Float64Array,
  y: Float64Array,
  options: LossOptions,
  noise: StepNoise,
  gradient: Float64Array,
  /** What is known of f beforehand, rows×outputs; default nothing. */
  offsets?: Float64Array,
  /** One a row; default ones. */
  weights?: Float64Array,
): {
  loss: number;
  /** dL/dH, rows×l. */
  slopes: Float64Array;
} {
  const { link, hidden: l, outputs } = layout;
  const rows = y.length;
  const epsilon = new Float64Array(rows * outputs);
  outputNoiseInto(epsilon, noise);
  const logNoise = layout.logNoise < 0 ? 0 : theta[layout.logNoise];
  const slopes = new Float64Array(rows * l);
  const f = new Float64Array(outputs);
  const sd = new Float64Array(outputs);
  const slope = new Float64Array(outputs);
  let loss = 0;
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < outputs; c++) {
      let mean = theta[layout.bias + c];
      let variance = VARIANCE_FLOOR;
      for (let k = 0; k < l; k++) {
        const h = H[i * l + k];
        mean += h * theta[layout.mean + c * l + k];
        variance += h * h * exp(2 * theta[layout.logSd + c * l + k]);
      }
      sd[c] = Math.sqrt(variance);
      f[c] = mean + epsilon[i * outputs + c] * sd[c] + (offsets?.[i * outputs + c] ?? 0);
    }
    const weight = weights?.[i] ?? 1;
    loss += (weight * negativeLogLikelihood(link, f, y[i], logNoise, slope)) / rows;
    for (let c = 0; c < outputs; c++) {
      const dMean = (weight * slope[c]) / rows;
      const dVariance = (dMean * epsilon[i * outputs + c]) / (2 * sd[c]);
      gradient[layout.bias + c] += dMean;
      for (let k = 0; k < l; k++) {
        const h = H[i * l + k];
        const at = c * l + k;
        const v = exp(2 * theta[layout.logSd + at]);
        gradient[layout.mean + at] += h * dMean;
        gradient[layout.logSd + at] += 2 * v * h * h * dVariance;
        slopes[i * l + k] += theta[layout.mean + at] * dMean + 2 * h * v * dVariance;
      }
    }
    if (layout.logNoise >= 0 && options.learnNoise)
      gradient[layout.logNoise] += (weight * (0.5 - 0.5 * slope[0] * (f[0] - y[i]))) / rows;
  }
  loss += divergence(layout, theta, options, gradient);
  return { loss, slopes };
}

/** KL(q ‖ prior)/N = Σ ½((m² + v)/σ_p² − 1 − log(v/σ_p²))/N; adds its gradient. */
function divergence(
  { mean, logSd, hidden, outputs }: Layout,
  theta: Float64Array,
  { priorVariance, totalRows }: LossOptions,
  gradient: Float64Array,
): number {
  let sum = 0;
  for (let k = 0; k < outputs * hidden; k++) {
    const m = theta[mean + k];
    const v = exp(2 * theta[logSd + k]);
    sum += 0.5 * ((m * m + v) / priorVariance - 1 - log(v / priorVariance));
    gradient[mean + k] += m / priorVariance / totalRows;
    gradient[logSd + k] += (v / priorVariance - 1) / totalRows;
  }
  return sum / totalRows;
}
