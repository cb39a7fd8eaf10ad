import { extrapolate, type Snapshot } from "./group-lasso-extrapolate.ts";
import { polish } from "./group-lasso-newton.ts";
import { curvatureOf, type GroupLassoProblem, type QuadraticState } from "./group-lasso-problem.ts";
import { shrinkGroup } from "./group-lasso-shrink.ts";
import { addScaled, dot, sumOf, weightedDot } from "./linear-columns.ts";

export interface DescentOptions {
  /** Largest violation of the KKT conditions allowed, in units of λ. */
  readonly tolerance: number;
  readonly mostSweeps: number;
}

/** Sweeps between two extrapolations, or before Newton's method takes over. */
const MEMORY = 5;
/** Columns up to which Newton's method is used: a Gram matrix of 50 MB. */
const MOST_POLISHED = 2500;

/**
 * Block coordinate descent over `candidates` (Yuan and Lin 2006), each block exactly in the eigenbasis of its
 * Gram matrix. Sweeps over all candidates find who is in; between them those that are in are settled by Newton's
 * method, or where they are many by sweeps with Anderson extrapolation (Bertrand and Massias 2021). Ends when no
 * candidate violates its KKT condition by more than the tolerance. O(n) a column and sweep.
 *
 * @returns the largest violation that is left
 */
export function descend(
  problem: GroupLassoProblem,
  state: QuadraticState,
  candidates: readonly number[],
  { tolerance, mostSweeps }: DescentOptions,
): number {
  const curvatureScale = state.rowWeights ? largest(state.rowWeights) : 1;
  let sweeps = 0;
  for (;;) {
    const violation = sweep(problem, state, candidates, curvatureScale);
    if (violation <= tolerance || ++sweeps >= mostSweeps) return violation;
    const entered = candidates.filter((g) => isIn(problem, state, g));
    const size = entered.reduce((sum, g) => sum + problem.groups[g].columns.length, 0);
    const history: Snapshot[] = [];
    for (;;) {
      if (size > MOST_POLISHED) history.push(snapshotOf(state));
      if (history.length > MEMORY) {
        extrapolate(problem, state, entered, history);
        history.length = 0;
      }
      const left = sweep(problem, state, entered, curvatureScale);
      if (left <= tolerance / 2 || ++sweeps >= mostSweeps) break;
      if (size > MOST_POLISHED || sweeps % MEMORY > 0) continue;
      polish(
        problem,
        state,
        entered.filter((g) => isIn(problem, state, g)),
        tolerance,
      );
      break;
    }
  }
}

function snapshotOf({ coefficients, residual, intercept }: QuadraticState): Snapshot {
  return { coefficients: coefficients.slice(), residual: residual.slice(), intercept };
}

function isIn({ groups }: GroupLassoProblem, { coefficients }: QuadraticState, g: number): boolean {
  const { first, columns } = groups[g];
  for (let k = 0; k < columns.length; k++) if (coefficients[first + k] !== 0) return true;
  return false;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]);
  return most;
}

/** One visit of each group; returns the largest violation met, before the visit mended it. */
function sweep(
  problem: GroupLassoProblem,
  state: QuadraticState,
  groups: readonly number[],
  curvatureScale: number,
): number {
  let worst = state.fitIntercept ? moveIntercept(state) : 0;
  for (const g of groups) worst = Math.max(worst, visit(problem, state, g, curvatureScale));
  return worst;
}

function moveIntercept(state: QuadraticState): number {
  const { residual, rowWeights, lambda } = state;
  const n = residual.length;
  const slope = rowWeights ? dot(residual, 0, rowWeights, 0, n) : sumOf(residual);
  const step = slope / (rowWeights ? sumOf(rowWeights) : n);
  state.intercept += step;
  for (let i = 0; i < n; i++) residual[i] -= step;
  return Math.abs(slope) / n / lambda;
}

/** Minimises over one group with the others fixed, or over a bound of it where rows have weights. */
function visit(
  problem: GroupLassoProblem,
  state: QuadraticState,
  g: number,
  curvatureScale: number,
): number {
  const { rows: n, columns } = problem;
  const { columns: members, first, weight } = problem.groups[g];
  const { residual, rowWeights, coefficients } = state;
  const size = members.length;
  const threshold = state.lambda * weight;
  const slope = new Float64Array(size);
  let norm = 0;
  let squares = 0;
  for (let k = 0; k < size; k++) {
    slope[k] =
      (rowWeights
        ? weightedDot(columns, members[k] * n, residual, rowWeights, n)
        : dot(columns, members[k] * n, residual, 0, n)) / n;
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
  shrinkGroup(curvatureOf(problem, g), curvatureScale, slope, before, threshold, after);
  for (let k = 0; k < size; k++) {
    const step = after[k] - before[k];
    if (step !== 0) addScaled(residual, -step, columns, members[k] * n);
  }
  return violation / threshold;
}
