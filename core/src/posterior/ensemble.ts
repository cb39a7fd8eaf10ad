import { matrix } from "../linalg/index.ts";
import { checkMembers, type LowRankGaussian } from "./low-rank-gaussian.ts";

/**
 * The moments of drawing one of K Gaussians at random and then from it: mean μ̄, factor
 * [A_k/√K …, (μ_k − μ̄)/√K …], so covariance (1/K)Σ_k(A_kA_kᵀ + (μ_k − μ̄)(μ_k − μ̄)ᵀ).
 */
export function mixtureGaussian(members: readonly LowRankGaussian[]): LowRankGaussian {
  const size = checkMembers("mixtureGaussian", members);
  const scale = 1 / Math.sqrt(members.length);
  const mean = new Float64Array(size);
  for (const member of members)
    for (let j = 0; j < size; j++) mean[j] += member.mean[j] / members.length;
  const width = members.reduce((sum, { factor }) => sum + factor.cols, members.length);
  const out = matrix(size, width);
  let first = 0;
  for (const { factor } of members) {
    for (let j = 0; j < size; j++)
      for (let k = 0; k < factor.cols; k++)
        out.data[j * width + first + k] = scale * factor.data[j * factor.cols + k];
    first += factor.cols;
  }
  for (const [k, member] of members.entries())
    for (let j = 0; j < size; j++)
      out.data[j * width + first + k] = scale * (member.mean[j] - mean[j]);
  return { mean, factor: out };
}
