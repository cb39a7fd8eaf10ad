import { exp, log, log1p } from "../elementary/index.ts";
import { type DescentOptions, descend } from "./group-lasso-descent.ts";
import type { GroupLassoProblem, QuadraticState } from "./group-lasso-problem.ts";
import { dot, sumOf } from "./linear-columns.ts";

export type GroupLassoLoss = "squared" | "logistic";

/** Where the solver stands; all arrays are changed in place from λ to λ. */
export interface LassoPoint {
  /** Copies of the coefficients, group by group. */
  readonly coefficients: Float64Array;
  /** b₀ + X b on the centred columns. */
  readonly fitted: Float64Array;
  intercept: number;
  /** −∂loss/∂fitted_i: y − f, or y − σ(f). */
  readonly residual: Float64Array;
}

/** Newton's steps a λ of the logistic loss, at most. */
const MOST_NEWTON_STEPS = 100;
/** Weights below this would make a saturated row's working response infinite. */
const LEAST_WEIGHT = 1e-5;
/** A rise of the objective by so little, relatively, is rounding. */
const ROUNDING = 1e-14;

/** The fit of a constant alone (or of nothing): where every path begins. */
export function nullPoint(
  problem: GroupLassoProblem,
  y: Float64Array,
  loss: GroupLassoLoss,
  fitIntercept: boolean,
): LassoPoint {
  const n = y.length;
  const mean = sumOf(y) / n;
  const intercept = !fitIntercept ? 0 : loss === "squared" ? mean : log(mean / (1 - mean));
  const fitted = new Float64Array(n).fill(intercept);
  const residual = new Float64Array(n);
  residualInto(residual, y, fitted, loss);
  return { coefficients: new Float64Array(problem.size), fitted, intercept, residual };
}

/** Mean loss a row: ½(y − f)², or −log of the probability of the row's class. */
export function meanLoss(y: Float64Array, fitted: Float64Array, loss: GroupLassoLoss): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++)
    sum +=
      loss === "squared"
        ? ((y[i] - fitted[i]) * (y[i] - fitted[i])) / 2
        : logisticLoss(y[i], fitted[i]);
  return sum / y.length;
}

/** log(1 + e^f) − y·f without overflow. */
function logisticLoss(y: number, f: number): number {
  return Math.max(f, 0) - y * f + log1p(exp(-Math.abs(f)));
}

function sigmoid(f: number): number {
  const e = exp(-Math.abs(f));
  return f >= 0 ? 1 / (1 + e) : e / (1 + e);
}

function residualInto(
  out: Float64Array,
  y: Float64Array,
  fitted: Float64Array,
  loss: GroupLassoLoss,
): void {
  for (let i = 0; i < y.length; i++)
    out[i] = y[i] - (loss === "squared" ? fitted[i] : sigmoid(fitted[i]));
}

interface SolveOptions extends DescentOptions {
  readonly lambda: number;
  readonly loss: GroupLassoLoss;
  readonly fitIntercept: boolean;
}

/** Moves `point` to the optimum over the `candidates`, the other groups staying at zero. */
export function solveOver(
  problem: GroupLassoProblem,
  y: Float64Array,
  point: LassoPoint,
  candidates: readonly number[],
  options: SolveOptions,
): number {
  return options.loss === "squared"
    ? solveSquared(problem, y, point, candidates, options)
    : solveLogistic(problem, y, point, candidates, options);
}

function solveSquared(
  problem: GroupLassoProblem,
  y: Float64Array,
  point: LassoPoint,
  candidates: readonly number[],
  options: SolveOptions,
): number {
  // Columns are centred whenever there is an intercept, so the mean of y stays the intercept.
  const state = { ...point, lambda: options.lambda, rowWeights: null, fitIntercept: false };
  const violation = descend(problem, state, candidates, options);
  for (let i = 0; i < y.length; i++) point.fitted[i] = y[i] - point.residual[i];
  return violation;
}

/**
 * Proximal Newton steps (Friedman, Hastie and Tibshirani 2010): each minimises the loss's second-order expansion
 * plus the penalty, to a tenth of the violation that is left, and is halved until the objective falls.
 */
function solveLogistic(
  problem: GroupLassoProblem,
  y: Float64Array,
  point: LassoPoint,
  candidates: readonly number[],
  options: SolveOptions,
): number {
  const { lambda, fitIntercept, tolerance } = options;
  const n = y.length;
  const rowWeights = new Float64Array(n);
  let objective = objectiveAt(problem, y, point, lambda);
  let violation = violationOf(problem, point, candidates, lambda, fitIntercept);
  for (let step = 0; step < MOST_NEWTON_STEPS && violation > tolerance; step++) {
    const before = {
      ...point,
      coefficients: point.coefficients.slice(),
      fitted: point.fitted.slice(),
    };
    const working = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const probability = y[i] - point.residual[i];
      rowWeights[i] = Math.max(LEAST_WEIGHT, probability * (1 - probability));
      working[i] = point.residual[i] / rowWeights[i];
    }
    const started = working.slice();
    const state: QuadraticState = {
      lambda,
      rowWeights,
      fitIntercept,
      residual: working,
      coefficients: point.coefficients,
      intercept: point.intercept,
    };
    descend(problem, state, candidates, {
      ...options,
      tolerance: Math.max(violation / 10, tolerance / 10),
    });
    // The working residual is linear in what moved: its fall is the rise of the fit.
    for (let i = 0; i < n; i++) point.fitted[i] += started[i] - working[i];
    point.intercept = state.intercept;
    let now = objectiveAt(problem, y, point, lambda);
    for (
      let halving = 0;
      !(now <= objective + ROUNDING * Math.abs(objective)) && halving < 30;
      halving++
    ) {
      halve(point, before);
      now = objectiveAt(problem, y, point, lambda);
    }
    residualInto(point.residual, y, point.fitted, "logistic");
    const left = violationOf(problem, point, candidates, lambda, fitIntercept);
    // Neither the objective nor the violation falls any more: rounding decides from here on.
    const stuck = !(now < objective) && !(left < violation);
    violation = left;
    objective = now;
    if (stuck) break;
  }
  return violation;
}

function halve(point: LassoPoint, before: LassoPoint): void {
  for (let k = 0; k < point.coefficients.length; k++)
    point.coefficients[k] = (point.coefficients[k] + before.coefficients[k]) / 2;
  for (let i = 0; i < point.fitted.length; i++)
    point.fitted[i] = (point.fitted[i] + before.fitted[i]) / 2;
  point.intercept = (point.intercept + before.intercept) / 2;
}

function objectiveAt(
  problem: GroupLassoProblem,
  y: Float64Array,
  { fitted, coefficients }: LassoPoint,
  lambda: number,
): number {
  return meanLoss(y, fitted, "logistic") + lambda * penaltyOf(problem, coefficients);
}

/** Σ w_g‖b_g‖. */
export function penaltyOf({ groups }: GroupLassoProblem, coefficients: Float64Array): number {
  let sum = 0;
  for (const { first, columns, weight } of groups)
    sum += weight * Math.sqrt(dot(coefficients, first, coefficients, first, columns.length));
  return sum;
}

/**
 * The largest violation of the KKT conditions over the given groups, in units of λ·w_g: X_gᵀr/n = λ w_g b_g/‖b_g‖
 * where a group is in, ‖X_gᵀr/n‖ ≤ λ w_g where it is not, and Σr = 0 with an intercept.
 */
export function violationOf(
  problem: GroupLassoProblem,
  { coefficients, residual }: LassoPoint,
  groups: readonly number[],
  lambda: number,
  fitIntercept: boolean,
): number {
  const { rows: n, columns } = problem;
  let worst = fitIntercept ? Math.abs(sumOf(residual)) / n / lambda : 0;
  for (const g of groups) {
    const { columns: members, first, weight } = problem.groups[g];
    const threshold = lambda * weight;
    const norm = Math.sqrt(dot(coefficients, first, coefficients, first, members.length));
    let squares = 0;
    for (let k = 0; k < members.length; k++) {
      const slope = dot(columns, members[k] * n, residual, 0, n) / n;
      const due = norm > 0 ? (threshold * coefficients[first + k]) / norm : 0;
      squares += (slope - due) * (slope - due);
    }
    const excess = norm > 0 ? Math.sqrt(squares) : Math.max(0, Math.sqrt(squares) - threshold);
    worst = Math.max(worst, excess / threshold);
  }
  return worst;
}
