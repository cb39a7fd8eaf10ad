import { exp, log } from "../elementary/index.ts";
import type { Progress } from "../run.ts";
import { descend, TOLERANCE } from "./group-lasso-descent.ts";
import {
  type GroupLassoProblem,
  gradientNorms,
  isIn,
  type LassoPoint,
  latentNorms,
} from "./group-lasso-problem.ts";

/** The optimum at one λ. */
export interface LassoSolution {
  readonly lambda: number;
  /** One per column of X, in its own units; copies of overlapping groups added up. */
  readonly coefficients: Float64Array;
  readonly intercept: number;
  /** ‖b_g‖ of every group's own copies, on the scale that is penalised. */
  readonly groupNorms: Float64Array;
  /** ½(y − f)² a row + λΣ w_g‖b_g‖. */
  readonly objective: number;
  /** Largest violation of the KKT conditions, in units of λ·w_g. */
  readonly violation: number;
}

export interface PathOptions {
  /** The constant, which is not penalised. */
  readonly intercept: number;
  /** Decreasing. */
  readonly lambdas: Float64Array;
  /** End where more coefficients than rows, or hardly any loss, are left. */
  readonly endWhenSaturated: boolean;
}

/** The smallest λ at which no group is in: max_g ‖X_gᵀ(y − intercept)‖/(n·w_g). */
export function largestLambda(
  problem: GroupLassoProblem,
  y: Float64Array,
  intercept: number,
): number {
  const residual = y.map((value) => value - intercept);
  return largest(gradientNorms(problem, residual, new Float64Array(problem.groups.length)));
}

/** `count` values from `largest` down to `largest`·`ratio`, each the same share of the one before. */
export function lambdaSequence(largest: number, count: number, ratio: number): Float64Array {
  return Float64Array.from({ length: count }, (_, k) =>
    k === 0 ? largest : largest * exp((log(ratio) * k) / (count - 1)),
  );
}

/**
 * Optima for decreasing λ, each from the one before. Groups are looked at only where the sequential strong rule
 * ‖X_gᵀr/n‖ ≥ w_g(2λ − λ_before) keeps them (Tibshirani and others 2012); then every other group's KKT condition is checked,
 * and those that fail join and the fit is repeated. O(n·p) a λ for that check, beside the descent over the few.
 */
export function* pathSteps(
  problem: GroupLassoProblem,
  y: Float64Array,
  { intercept, lambdas, endWhenSaturated }: PathOptions,
): Generator<Progress, LassoSolution[]> {
  const count = problem.groups.length;
  const residual = y.map((value) => value - intercept);
  const point: LassoPoint = { residual, coefficients: new Float64Array(problem.size) };
  const norms = gradientNorms(problem, residual, new Float64Array(count));
  const all = Array.from(problem.groups.keys());
  let chosen = new Set<number>();
  let before = Math.max(largest(norms), lambdas[0]);
  const nullLoss = meanLoss(residual);
  const solutions: LassoSolution[] = [];
  for (const lambda of lambdas) {
    for (const g of all) if (norms[g] >= 2 * lambda - before && norms[g] > 0) chosen.add(g);
    let violation = 0;
    for (;;) {
      const candidates = all.filter((g) => chosen.has(g));
      violation = descend(problem, point, lambda, candidates);
      gradientNorms(problem, residual, norms, (g) => !chosen.has(g));
      const missed = all.filter((g) => !chosen.has(g) && norms[g] > lambda * (1 + TOLERANCE));
      if (missed.length === 0) break;
      for (const g of missed) chosen.add(g);
    }
    gradientNorms(problem, residual, norms, (g) => chosen.has(g));
    // Groups that are out need not be visited at the next λ unless the strong rule asks again.
    chosen = new Set(all.filter((g) => chosen.has(g) && isIn(problem, point.coefficients, g)));
    // y − f as the fit f rounds it, which is what losses have always been of.
    const loss = meanLoss(y.map((value, i) => value - (value - residual[i])));
    solutions.push(solutionAt(problem, point.coefficients, { intercept, lambda, loss, violation }));
    before = lambda;
    yield { phase: "lasso path", done: solutions.length, total: lambdas.length };
    if (endWhenSaturated && isSaturated(point, loss, nullLoss)) break;
  }
  yield { phase: "lasso path", done: lambdas.length, total: lambdas.length };
  return solutions;
}

/** The share of the null model's loss below which more columns only repeat the rows. */
const LEAST_LOSS = 0.01;

function isSaturated(
  { coefficients, residual }: LassoPoint,
  loss: number,
  nullLoss: number,
): boolean {
  const count = coefficients.reduce((sum, b) => sum + (b !== 0 ? 1 : 0), 0);
  return count >= residual.length || loss <= LEAST_LOSS * nullLoss;
}

/** ½r² a row. */
export function meanLoss(residual: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < residual.length; i++) sum += (residual[i] * residual[i]) / 2;
  return sum / residual.length;
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function solutionAt(
  problem: GroupLassoProblem,
  latent: Float64Array,
  at: {
    readonly intercept: number;
    readonly lambda: number;
    readonly loss: number;
    readonly violation: number;
  },
): LassoSolution {
  const { groups, cols, scales, means } = problem;
  const { lambda } = at;
  const coefficients = new Float64Array(cols);
  for (const { columns, first } of groups)
    for (let k = 0; k < columns.length; k++) coefficients[columns[k]] += latent[first + k];
  let shift = 0;
  for (let j = 0; j < cols; j++) {
    coefficients[j] /= scales[j];
    shift += coefficients[j] * means[j];
  }
  const groupNorms = latentNorms(problem, latent);
  const penalty = groups.reduce((sum, { weight }, g) => sum + weight * groupNorms[g], 0);
  return {
    lambda,
    coefficients,
    intercept: at.intercept - shift,
    groupNorms,
    objective: at.loss + lambda * penalty,
    violation: at.violation,
  };
}
