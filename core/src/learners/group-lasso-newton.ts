import {
  choleskySolveVector,
  type Matrix,
  matrix,
  multiplyVector,
  outerGram,
  tryCholesky,
} from "../linalg/index.ts";
import type { GroupLassoProblem, QuadraticState } from "./group-lasso-problem.ts";
import { addScaled, dot, sumOf } from "./linear-columns.ts";

/** Newton's steps from one Gram matrix, at most. */
const MOST_STEPS = 30;
const MOST_HALVINGS = 8;
/** A factor is used again while each step leaves at most this share of the violation. */
const KEEP = 0.3;
/** A diagonal so much larger keeps a coefficient at zero. */
const HELD = 2 ** 40;

/** A group among the coefficients that are moved. */
interface Block {
  readonly first: number;
  readonly size: number;
  /** λ·w_g; 0 for the intercept, which is free. */
  readonly threshold: number;
}

/**
 * Newton's method over the groups that are in, where the objective is smooth: with G = X_AᵀWX_A/n,
 *
 *     (G + λ diag_g w_g(I/‖b_g‖ − b_g b_gᵀ/‖b_g‖³)) δ = X_AᵀWr/n − λ w_g b_g/‖b_g‖.
 *
 * A single coefficient that would change its sign becomes 0; a step is halved until the objective falls. It does what hundreds of
 * sweeps over correlated columns would, in O(n·a² + a³) for a columns, and leaves the rest to the next sweep.
 */
export function polish(
  problem: GroupLassoProblem,
  state: QuadraticState,
  groups: readonly number[],
  tolerance: number,
): void {
  const { rows: n, columns } = problem;
  const { residual, rowWeights, coefficients, lambda } = state;
  const blocks: Block[] = [];
  const members: number[] = [];
  for (const g of groups) {
    const { columns: own, weight } = problem.groups[g];
    blocks.push({ first: members.length, size: own.length, threshold: lambda * weight });
    members.push(...own);
  }
  const { fitIntercept } = state;
  if (fitIntercept) blocks.push({ first: members.length, size: 1, threshold: 0 });
  const a = members.length + (fitIntercept ? 1 : 0);
  const XA = matrix(a, n);
  const roots = rowWeights?.map((weight) => Math.sqrt(weight));
  const start = new Float64Array(a);
  const slope = new Float64Array(a);
  const weighted = rowWeights ? residual.map((value, i) => value * rowWeights[i]) : residual;
  groups.forEach((g, at) => {
    const { first } = problem.groups[g];
    for (let k = 0; k < blocks[at].size; k++) {
      const row = blocks[at].first + k;
      const from = members[row] * n;
      start[row] = coefficients[first + k];
      slope[row] = dot(columns, from, weighted, 0, n) / n;
      for (let i = 0; i < n; i++) XA.data[row * n + i] = columns[from + i] * (roots ? roots[i] : 1);
    }
  });
  if (fitIntercept) {
    start[a - 1] = state.intercept;
    slope[a - 1] = sumOf(weighted) / n;
    for (let i = 0; i < n; i++) XA.data[(a - 1) * n + i] = roots ? roots[i] : 1;
  }
  const G = outerGram(XA);
  for (let e = 0; e < G.data.length; e++) G.data[e] /= n;
  const end = newtonSteps(G.data, a, blocks, start, slope, { tolerance, lambda });
  if (fitIntercept) {
    const step = end[a - 1] - state.intercept;
    state.intercept = end[a - 1];
    for (let i = 0; i < n; i++) residual[i] -= step;
  }
  groups.forEach((g, at) => {
    const { first } = problem.groups[g];
    for (let k = 0; k < blocks[at].size; k++) {
      const row = blocks[at].first + k;
      coefficients[first + k] = end[row];
      const step = end[row] - start[row];
      if (step !== 0) addScaled(residual, -step, columns, members[row] * n);
    }
  });
}

/** The point reached from b₀, where the smooth part is −slopeᵀ(b − b₀) + ½(b − b₀)ᵀG(b − b₀). */
function newtonSteps(
  G: Float64Array,
  a: number,
  blocks: readonly Block[],
  start: Float64Array,
  slope: Float64Array,
  { tolerance, lambda }: { tolerance: number; lambda: number },
): Float64Array {
  const gram = matrix(a, a, G);
  let here: Float64Array = start.slice();
  let moved: Float64Array = new Float64Array(a);
  let pulled: Float64Array = new Float64Array(a); // G(b − b₀)
  const objective = (b: Float64Array, move: Float64Array, pull: Float64Array): number =>
    dot(move, 0, pull, 0, a) / 2 - dot(move, 0, slope, 0, a) + penalty(blocks, b);
  let value = objective(here, moved, pulled);
  let factor: Matrix | undefined;
  let before = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MOST_STEPS; step++) {
    const { force, violation } = forceAt(blocks, here, slope, pulled, lambda);
    if (violation <= tolerance / 4) break;
    // The curvature of the norms changes little between steps: an old factor is good while it brings the violation down.
    if (!factor || violation > KEEP * before) factor = hessianFactor(G, a, blocks, here);
    if (!factor) break;
    before = violation;
    const direction = choleskySolveVector(factor, force);
    let length = 1;
    for (let halving = 0; ; halving++, length /= 2) {
      if (halving > MOST_HALVINGS) return here;
      const next = stepTo(blocks, here, direction, length);
      const move = next.map((b, j) => b - start[j]);
      const pull = multiplyVector(gram, move);
      const reached = objective(next, move, pull);
      if (!(reached <= value)) continue;
      [here, moved, pulled, value] = [next, move, pull, reached];
      break;
    }
  }
  return here;
}

/** The negative gradient over the blocks that are in, and the largest of a block in units of its threshold. */
function forceAt(
  blocks: readonly Block[],
  here: Float64Array,
  slope: Float64Array,
  pulled: Float64Array,
  lambda: number,
): { force: Float64Array; violation: number } {
  const force = new Float64Array(here.length);
  let worst = 0;
  for (const { first, size, threshold } of blocks) {
    const norm = Math.sqrt(dot(here, first, here, first, size));
    if (norm === 0 && threshold > 0) continue;
    for (let j = first; j < first + size; j++)
      force[j] = slope[j] - pulled[j] - (threshold > 0 ? (threshold * here[j]) / norm : 0);
    const length = Math.sqrt(dot(force, first, force, first, size));
    worst = Math.max(worst, length / (threshold || lambda));
  }
  return { force, violation: worst };
}

/** The Cholesky factor of G + diag_g λw_g(I/‖b_g‖ − b_g b_gᵀ/‖b_g‖³), blocks at zero held there. */
function hessianFactor(
  G: Float64Array,
  a: number,
  blocks: readonly Block[],
  here: Float64Array,
): Matrix | undefined {
  const hessian = matrix(a, a, G.slice());
  for (const { first, size, threshold } of blocks) {
    if (threshold === 0) continue;
    const norm = Math.sqrt(dot(here, first, here, first, size));
    for (let j = first; j < first + size; j++) {
      if (norm === 0) hessian.data[j * a + j] *= HELD;
      else
        for (let k = first; k < first + size; k++) {
          const along = (here[j] * here[k]) / (norm * norm);
          hessian.data[j * a + k] += (threshold / norm) * ((j === k ? 1 : 0) - along);
        }
    }
  }
  const factor = tryCholesky(hessian);
  return factor.result === "ok" ? factor.value : undefined;
}

/** b + length·direction, a coefficient that is a group of its own stopping at zero. */
function stepTo(
  blocks: readonly Block[],
  b: Float64Array,
  direction: Float64Array,
  length: number,
): Float64Array {
  const next = b.map((value, j) => value + length * direction[j]);
  for (const { first, size, threshold } of blocks)
    if (size === 1 && threshold > 0 && next[first] * b[first] <= 0) next[first] = 0;
  return next;
}

function penalty(blocks: readonly Block[], b: Float64Array): number {
  let sum = 0;
  for (const { first, size, threshold } of blocks)
    sum += threshold * Math.sqrt(dot(b, first, b, first, size));
  return sum;
}
