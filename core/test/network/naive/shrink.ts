import type { PenaltyGroups } from "../../../src/network/penalty.ts";

/**
 * The proximal step of λ Σ_g √|g|·‖W_g‖ after a gradient step of length η:
 * W_g ← W_g · max(0, 1 − η·λ·√|g|/‖W_g‖), |g| the number of its stretches.
 */
export function shrinkInPlace(
  theta: Float64Array,
  { offsets, starts, ends }: PenaltyGroups,
  etaLambda: number,
): void {
  if (etaLambda === 0) return;
  for (let g = 0; g + 1 < offsets.length; g++) {
    let squares = 0;
    for (let s = offsets[g]; s < offsets[g + 1]; s++)
      for (let i = starts[s]; i < ends[s]; i++) squares += theta[i] * theta[i];
    const threshold = etaLambda * Math.sqrt(offsets[g + 1] - offsets[g]);
    const norm = Math.sqrt(squares);
    const keep = norm > threshold ? 1 - threshold / norm : 0;
    for (let s = offsets[g]; s < offsets[g + 1]; s++)
      for (let i = starts[s]; i < ends[s]; i++) theta[i] *= keep;
  }
}
