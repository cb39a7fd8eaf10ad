import { addScaled, dotFrom } from "../linalg/dot.ts";
import { polish } from "./group-lasso-newton.ts";
import {
  curvatureOf,
  type GroupLassoProblem,
  isIn,
  type LassoPoint,
} from "./group-lasso-problem.ts";
import { shrinkGroup } from "./group-lasso-shrink.ts";

/** Largest violation of the KKT conditions that is left, in units of λ·w_g. */
export const TOLERANCE = 1e-7;
/** Sweeps over the groups a λ, at most. */
const MOST_SWEEPS = 10_000;
/** Sweeps over the groups that are in before Newton's method takes over. */
const SWEEPS_BEFORE_NEWTON = 5;
/** Columns up to which Newton's method is used: a Gram matrix of 50 MB. */
const MOST_POLISHED = 2500;

/**
 * Block coordinate descent over `candidates` (Yuan and Lin 2006), each block exactly in the eigenbasis of its
 * Gram matrix. Sweeps over all candidates find who is in; between them those that are in are settled by Newton's
 * method, or where they are many by sweeps alone. Ends when no candidate violates its KKT condition by more than
 * the tolerance. O(n) per column and sweep.
 *
 * @returns the largest violation that is left
 */
export function descend(
  problem: GroupLassoProblem,
  point: LassoPoint,
  lambda: number,
  candidates: readonly number[],
): number {
  const sweep = (groups: readonly number[]): number =>
    groups.reduce((worst, g) => Math.max(worst, visit(problem, point, lambda, g)), 0);
  const inside = (groups: readonly number[]): number[] =>
    groups.filter((g) => isIn(problem, point.coefficients, g));
  let sweeps = 0;
  for (;;) {
    const violation = sweep(candidates);
    if (violation <= TOLERANCE || ++sweeps >= MOST_SWEEPS) return violation;
    const entered = inside(candidates);
    const size = entered.reduce((sum, g) => sum + problem.groups[g].columns.length, 0);
    while (sweep(entered) > TOLERANCE / 2 && ++sweeps < MOST_SWEEPS) {
      if (size > MOST_POLISHED || sweeps % SWEEPS_BEFORE_NEWTON > 0) continue;
      polish(problem, point, lambda, inside(entered), TOLERANCE);
      break;
    }
  }
}

/** Minimises over one group with the others fixed. @returns its violation before. */
function visit(
  problem: GroupLassoProblem,
  { residual, coefficients }: LassoPoint,
  lambda: number,
  g: number,
): number {
  const { rows: n, columns } = problem;
  const { columns: members, first, weight } = problem.groups[g];
  const size = members.length;
  const threshold = lambda * weight;
  const slope = new Float64Array(size);
  let norm = 0;
  let squares = 0;
  for (let k = 0; k < size; k++) {
    slope[k] = dotFrom(columns, members[k] * n, residual, 0, n) / n;
    norm += coefficients[first + k] * coefficients[first + k];
    squares += slope[k] * slope[k];
  }
  norm = Math.sqrt(norm);
  if (norm === 0 && squares <= threshold * threshold) return 0;
  let violation = 0;
  if (norm === 0) violation = Math.sqrt(squares) - threshold;
  else {
    for (let k = 0; k < size; k++)
      violation += (slope[k] - (threshold * coefficients[first + k]) / norm) ** 2;
    violation = Math.sqrt(violation);
  }
  const before = coefficients.slice(first, first + size);
  const after = coefficients.subarray(first, first + size);
  shrinkGroup(curvatureOf(problem, g), slope, before, threshold, after);
  for (let k = 0; k < size; k++) {
    const step = after[k] - before[k];
    if (step !== 0) addScaled(residual, -step, columns, members[k] * n);
  }
  return violation / threshold;
}
