import { exp, log } from "../elementary/index.ts";
import type { Progress } from "../run.ts";
import {
  type GroupLassoLoss,
  type LassoPoint,
  meanLoss,
  nullPoint,
  penaltyOf,
  solveOver,
} from "./group-lasso-loss.ts";
import {
  columnCoefficients,
  type GroupLassoProblem,
  gradientNorms,
  latentNorms,
} from "./group-lasso-problem.ts";

/** The optimum at one λ. */
export interface LassoSolution {
  readonly lambda: number;
  /** One a column of X, in its own units; copies of overlapping groups added up. */
  readonly coefficients: Float64Array;
  readonly intercept: number;
  /** ‖b_g‖ of every group's own copies, on the scale that is penalised. */
  readonly groupNorms: Float64Array;
  /** Mean loss + λΣ w_g‖b_g‖. */
  readonly objective: number;
  /** Largest violation of the KKT conditions, in units of λ·w_g. */
  readonly violation: number;
}

export interface PathOptions {
  readonly loss: GroupLassoLoss;
  readonly fitIntercept: boolean;
  /** Decreasing. */
  readonly lambdas: Float64Array;
  readonly tolerance: number;
  readonly mostSweeps: number;
  /** End where more coefficients than rows, or hardly any loss, are left. */
  readonly endWhenSaturated: boolean;
}

/** The smallest λ at which no group is in: max_g ‖X_gᵀr₀‖/(n·w_g), r₀ the residual of the null model. */
export function largestLambda(
  problem: GroupLassoProblem,
  y: Float64Array,
  { loss, fitIntercept }: Pick<PathOptions, "loss" | "fitIntercept">,
): number {
  const { residual } = nullPoint(problem, y, loss, fitIntercept);
  const norms = gradientNorms(problem, residual, new Float64Array(problem.groups.length));
  return norms.reduce((most, norm) => Math.max(most, norm), 0);
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
  options: PathOptions,
): Generator<Progress, LassoSolution[]> {
  const { loss, fitIntercept, lambdas, tolerance } = options;
  const count = problem.groups.length;
  const point = nullPoint(problem, y, loss, fitIntercept);
  const norms = gradientNorms(problem, point.residual, new Float64Array(count));
  const chosen = new Uint8Array(count);
  let before = Math.max(
    norms.reduce((most, norm) => Math.max(most, norm), 0),
    lambdas[0],
  );
  const nullLoss = meanLoss(y, point.fitted, loss);
  const solutions: LassoSolution[] = [];
  for (const lambda of lambdas) {
    for (let g = 0; g < count; g++)
      if (norms[g] >= 2 * lambda - before && norms[g] > 0) chosen[g] = 1;
    let violation = 0;
    for (;;) {
      const candidates = indicesOf(chosen);
      violation = solveOver(problem, y, point, candidates, { ...options, lambda });
      gradientNorms(problem, point.residual, norms, (g) => chosen[g] === 0);
      let missed = 0;
      for (let g = 0; g < count; g++)
        if (chosen[g] === 0 && norms[g] > lambda * (1 + tolerance)) {
          chosen[g] = 1;
          missed++;
        }
      if (missed === 0) break;
    }
    // Groups that are out need not be visited at the next λ unless the strong rule asks again.
    gradientNorms(problem, point.residual, norms, (g) => chosen[g] === 1);
    keepThoseIn(problem, point, chosen);
    solutions.push(solutionAt(problem, y, point, lambda, violation, loss));
    before = lambda;
    yield { phase: "lasso path", done: solutions.length, total: lambdas.length };
    if (options.endWhenSaturated && isSaturated(y, point, loss, nullLoss)) break;
  }
  yield { phase: "lasso path", done: lambdas.length, total: lambdas.length };
  return solutions;
}

/** The share of the null model's loss below which more columns only repeat the rows. */
const LEAST_LOSS = 0.01;

function isSaturated(
  y: Float64Array,
  { coefficients, fitted }: LassoPoint,
  loss: GroupLassoLoss,
  nullLoss: number,
): boolean {
  const count = coefficients.reduce((sum, b) => sum + (b !== 0 ? 1 : 0), 0);
  return count >= y.length || meanLoss(y, fitted, loss) <= LEAST_LOSS * nullLoss;
}

function indicesOf(chosen: Uint8Array): number[] {
  const out: number[] = [];
  for (let g = 0; g < chosen.length; g++) if (chosen[g]) out.push(g);
  return out;
}

function keepThoseIn(
  { groups }: GroupLassoProblem,
  { coefficients }: LassoPoint,
  chosen: Uint8Array,
): void {
  groups.forEach(({ first, columns }, g) => {
    if (chosen[g] && coefficients.subarray(first, first + columns.length).every((b) => b === 0))
      chosen[g] = 0;
  });
}

function solutionAt(
  problem: GroupLassoProblem,
  y: Float64Array,
  point: LassoPoint,
  lambda: number,
  violation: number,
  loss: GroupLassoLoss,
): LassoSolution {
  const { coefficients, shift } = columnCoefficients(problem, point.coefficients);
  return {
    lambda,
    coefficients,
    intercept: point.intercept - shift,
    groupNorms: latentNorms(problem, point.coefficients),
    objective: meanLoss(y, point.fitted, loss) + lambda * penaltyOf(problem, point.coefficients),
    violation,
  };
}
