import { dot } from "../linalg/dot.ts";

/** A smooth function of a few numbers, with its slope. */
export interface Objective {
  readonly value: number;
  readonly gradient: Float64Array;
}

export interface Minimum {
  readonly at: Float64Array;
  readonly value: number;
  readonly iterations: number;
  /** Whether the slope vanished, to the tolerance, before the iterations ended. */
  readonly converged: boolean;
}

export interface MinimiseOptions {
  readonly iterations: number;
  /** The largest entry of the gradient at which to stop. */
  readonly tolerance: number;
  /** No entry moves further in one step: the parameters here are logarithms. */
  readonly longestStep: number;
}

/**
 * Minimises by Broyden, Fletcher, Goldfarb and Shanno's rule with a backtracking search (Nocedal and Wright
 * 2006, Algorithm 6.1). Yields once per iteration. Values that are not finite count as too large. O(d²) per step.
 */
export function* minimise(
  evaluate: (at: Float64Array) => Objective,
  start: Float64Array,
  { iterations, tolerance, longestStep }: MinimiseOptions,
): Generator<number, Minimum> {
  const d = start.length;
  let at: Float64Array = start.slice();
  let here = evaluate(at);
  let inverse = identityOf(d);
  let done = 0;
  for (; done < iterations && largest(here.gradient) > tolerance; done++) {
    yield done;
    let direction = times(inverse, here.gradient).map((value) => -value);
    let slope = dot(direction, here.gradient);
    if (!(slope < 0)) {
      inverse = identityOf(d);
      direction = here.gradient.map((value) => -value);
      slope = dot(direction, here.gradient);
    }
    const shrink = Math.min(1, longestStep / largest(direction));
    let next: { at: Float64Array; objective: Objective } | null = null;
    for (let step = shrink; step > 1e-10 * shrink; step /= 2) {
      const tried = at.map((value, k) => value + step * direction[k]);
      const objective = evaluate(tried);
      if (objective.value <= here.value + 1e-4 * step * slope) {
        next = { at: tried, objective };
        break;
      }
    }
    if (!next) break;
    const moved = next.at.map((value, k) => value - at[k]);
    const turned = next.objective.gradient.map((value, k) => value - here.gradient[k]);
    if (dot(moved, turned) > 0) inverse = updated(inverse, moved, turned, done === 0);
    ({ at } = next);
    here = next.objective;
  }
  return {
    at,
    value: here.value,
    iterations: done,
    converged: largest(here.gradient) <= tolerance,
  };
}

/** (I − ρsyᵀ)B(I − ρysᵀ) + ρssᵀ, ρ = 1/yᵀs; the first time B is scaled to the curvature seen. */
function updated(
  B: readonly Float64Array[],
  s: Float64Array,
  y: Float64Array,
  first: boolean,
): Float64Array[] {
  const sy = dot(s, y);
  const scale = first ? sy / dot(y, y) : 1;
  const base = B.map((row) => row.map((value) => value * scale));
  const By = times(base, y);
  const factor = (1 + dot(y, By) / sy) / sy;
  return base.map((row, i) =>
    row.map((value, j) => value + factor * s[i] * s[j] - (By[i] * s[j] + s[i] * By[j]) / sy),
  );
}

const identityOf = (d: number): Float64Array[] =>
  Array.from({ length: d }, (_, i) =>
    Float64Array.from({ length: d }, (_, j) => (i === j ? 1 : 0)),
  );
const times = (A: readonly Float64Array[], x: Float64Array): Float64Array =>
  Float64Array.from(A, (row) => dot(row, x));
const largest = (a: Float64Array): number => a.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
