import { matrix } from "../linalg/index.ts";
import { checkMembers, type LowRankGaussian } from "./low-rank-gaussian.ts";

/**
 * The average of K independent Gaussians, as the averaged network has it:
 * mean μ̄ = Σμ_k/K, factor [A₁ … A_K]/K. The spread between members is not in it.
 */
export function averageGaussian(members: readonly LowRankGaussian[]): LowRankGaussian {
  const size = checkMembers("averageGaussian", members);
  const mean = averageMean(members, size);
  return { mean, factor: sideBySide(members, size, 1 / members.length, null) };
}

/**
 * The moments of drawing one of K Gaussians at random and then from it: mean μ̄, factor
 * [A_k/√K …, (μ_k − μ̄)/√K …], so covariance (1/K)Σ_k(A_kA_kᵀ + (μ_k − μ̄)(μ_k − μ̄)ᵀ).
 */
export function mixtureGaussian(members: readonly LowRankGaussian[]): LowRankGaussian {
  const size = checkMembers("mixtureGaussian", members);
  const mean = averageMean(members, size);
  return { mean, factor: sideBySide(members, size, 1 / Math.sqrt(members.length), mean) };
}

function averageMean(members: readonly LowRankGaussian[], size: number): Float64Array {
  const mean = new Float64Array(size);
  for (const member of members)
    for (let j = 0; j < size; j++) mean[j] += member.mean[j] / members.length;
  return mean;
}

/** The factors side by side, times `scale`; with a centre, one more column μ_k − centre a member. */
function sideBySide(
  members: readonly LowRankGaussian[],
  size: number,
  scale: number,
  centre: Float64Array | null,
) {
  const spread = centre ? members.length : 0;
  const width = members.reduce((sum, { factor }) => sum + factor.cols, spread);
  const out = matrix(size, width);
  let first = 0;
  for (const { factor } of members) {
    for (let j = 0; j < size; j++)
      for (let k = 0; k < factor.cols; k++)
        out.data[j * width + first + k] = scale * factor.data[j * factor.cols + k];
    first += factor.cols;
  }
  if (!centre) return out;
  members.forEach(({ mean }, k) => {
    for (let j = 0; j < size; j++) out.data[j * width + first + k] = scale * (mean[j] - centre[j]);
  });
  return out;
}
