import type { GroupCurvature } from "./group-lasso-problem.ts";

/** Newton's steps for the length of the solution, at most; five are usual. */
const MOST_STEPS = 100;

/**
 * out ← argmin_b −slopeᵀ(b − b₀) + ½(b − b₀)ᵀM(b − b₀) + threshold·‖b‖ with M = Q diag(e) Qᵀ.
 *
 * With u = slope + M b₀ the answer is 0 where ‖u‖ ≤ threshold; otherwise (M + threshold/t·I) b = u, where the
 * length t solves Σ_k ũ_k²/(e_k·t + threshold)² = 1, ũ = Qᵀu. 1/√ of the left side grows with t and is
 * concave, so Newton's method on it climbs to the root from t = 0 (as in trust-region methods: Moré and Sorensen 1983).
 */
export function shrinkGroup(
  { values, vectors }: GroupCurvature,
  slope: Float64Array,
  before: Float64Array,
  threshold: number,
  out: Float64Array,
): void {
  const size = values.length;
  const u = new Float64Array(size);
  let squares = 0;
  for (let k = 0; k < size; k++) {
    let s = 0;
    let b = 0;
    for (let j = 0; j < size; j++) {
      s += vectors[k * size + j] * slope[j];
      b += vectors[k * size + j] * before[j];
    }
    u[k] = s + values[k] * b;
    squares += u[k] * u[k];
  }
  out.fill(0);
  if (squares <= threshold * threshold) return;
  const length =
    size === 1 ? (Math.abs(u[0]) - threshold) / values[0] : lengthOf(values, u, threshold);
  for (let k = 0; k < size; k++) {
    const rotated = (u[k] * length) / (values[k] * length + threshold);
    for (let j = 0; j < size; j++) out[j] += vectors[k * size + j] * rotated;
  }
}

function lengthOf(values: Float64Array, u: Float64Array, threshold: number): number {
  let t = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    let sum = 0;
    let slope = 0;
    for (let k = 0; k < values.length; k++) {
      const divisor = values[k] * t + threshold;
      const share = (u[k] / divisor) * (u[k] / divisor);
      sum += share;
      slope += (share * values[k]) / divisor;
    }
    // d/dt sum^(−½) = slope·sum^(−3/2); the root is where sum^(−½) = 1.
    const move = ((Math.sqrt(sum) - 1) * sum) / slope;
    const next = t + move;
    if (!(next > t) || !Number.isFinite(next)) return t;
    t = next;
  }
  return t;
}
