import { pow } from "../elementary/index.ts";
/** What one optimiser step needs besides the gradient. */
export interface StepOptions {
  readonly learningRate: number;
  /** The gradient is scaled down to this Euclidean norm when it is longer; Infinity leaves it. */
  readonly clipNorm: number;
}

/** Moments of the gradient, and how many steps they have seen. */
export interface AdamState {
  readonly first: Float64Array;
  readonly second: Float64Array;
  steps: number;
}

export const BETA1 = 0.9;
export const BETA2 = 0.999;
export const EPSILON = 1e-8;

export function adamState(size: number): AdamState {
  return { first: new Float64Array(size), second: new Float64Array(size), steps: 0 };
}

/**
 * One step of Adam (Kingma and Ba 2015) on `theta`, the gradient clipped by its norm first:
 *
 *     m ← β₁m + (1−β₁)g,   s ← β₂s + (1−β₂)g²,   θ ← θ − η·m̂/(√ŝ + ε),   m̂ = m/(1−β₁ᵗ), ŝ = s/(1−β₂ᵗ)
 */
export function adamStepInPlace(
  theta: Float64Array,
  gradient: Float64Array,
  state: AdamState,
  { learningRate, clipNorm }: StepOptions,
): void {
  const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
  const scale = norm > clipNorm ? clipNorm / norm : 1;
  state.steps++;
  const correction1 = 1 - pow(BETA1, state.steps);
  const correction2 = 1 - pow(BETA2, state.steps);
  for (let i = 0; i < theta.length; i++) {
    const g = gradient[i] * scale;
    state.first[i] = BETA1 * state.first[i] + (1 - BETA1) * g;
    state.second[i] = BETA2 * state.second[i] + (1 - BETA2) * g * g;
    theta[i] -=
      (learningRate * (state.first[i] / correction1)) /
      (Math.sqrt(state.second[i] / correction2) + EPSILON);
  }
}
