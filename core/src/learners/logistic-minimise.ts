import type { Progress } from "../run.ts";
import { dot } from "./linear-columns.ts";

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
  /** Largest entry of the gradient. */
  readonly gradient: number;
}

/** Steps and gradients remembered. */
const MEMORY = 10;

/**
 * The minimum of a smooth convex function by L-BFGS (Nocedal 1980) with backtracking to Armijo's condition, from zero.
 * `evaluate` returns the value and writes the gradient. Ends when no entry of it exceeds `tolerance`.
 */
export function* minimise(
  size: number,
  evaluate: (point: Float64Array, gradient: Float64Array) => number,
  { tolerance, mostSteps, phase }: { tolerance: number; mostSteps: number; phase: string },
): Generator<Progress, Minimum> {
  let point: Float64Array = new Float64Array(size);
  let gradient: Float64Array = new Float64Array(size);
  let value = evaluate(point, gradient);
  const pairs: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  for (let step = 0; step < mostSteps && largest(gradient) > tolerance; step++) {
    const direction = descentDirection(gradient, pairs);
    const slope = dot(direction, 0, gradient, 0, size);
    const next = new Float64Array(size);
    const nextGradient = new Float64Array(size);
    let reached = value;
    let length = 1;
    for (; length > 2 ** -40; length /= 2) {
      for (let i = 0; i < size; i++) next[i] = point[i] + length * direction[i];
      reached = evaluate(next, nextGradient);
      if (reached <= value + 1e-4 * length * slope) break;
    }
    if (!(reached < value)) break; // rounding: no lower point along a descent direction
    const s = next.map((entry, i) => entry - point[i]);
    const y = nextGradient.map((entry, i) => entry - gradient[i]);
    const curvature = dot(s, 0, y, 0, size);
    if (curvature > 0) pairs.push({ s, y, rho: 1 / curvature });
    if (pairs.length > MEMORY) pairs.shift();
    [point, gradient, value] = [next, nextGradient, reached];
    yield { phase, done: step + 1, total: mostSteps };
  }
  yield { phase, done: mostSteps, total: mostSteps };
  return { point, value, gradient: largest(gradient) };
}

/** −H·gradient by the two-loop recursion. */
function descentDirection(
  gradient: Float64Array,
  pairs: readonly { s: Float64Array; y: Float64Array; rho: number }[],
): Float64Array {
  const q = gradient.map((entry) => -entry);
  const n = q.length;
  const alphas = new Float64Array(pairs.length);
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { s, y, rho } = pairs[k];
    alphas[k] = rho * dot(s, 0, q, 0, n);
    for (let i = 0; i < n; i++) q[i] -= alphas[k] * y[i];
  }
  const last = pairs.at(-1);
  const scale = last ? 1 / (last.rho * dot(last.y, 0, last.y, 0, n)) : 1;
  for (let i = 0; i < n; i++) q[i] *= scale;
  pairs.forEach(({ s, y, rho }, k) => {
    const beta = rho * dot(y, 0, q, 0, n);
    for (let i = 0; i < n; i++) q[i] += (alphas[k] - beta) * s[i];
  });
  return q;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}
