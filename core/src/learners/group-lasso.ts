import { RatewiseError, refuseUnknown, shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import type { GroupLassoLoss } from "./group-lasso-loss.ts";
import {
  type LassoSolution,
  lambdaSequence,
  largestLambda,
  pathSteps,
} from "./group-lasso-path.ts";
import { type GroupLassoProblem, groupLassoProblem } from "./group-lasso-problem.ts";
import { checkFinite } from "./linear-model.ts";

export interface GroupLassoOptions {
  /** Columns of each group; they may overlap, and a column in none is not used. Default: each column alone (the lasso). */
  readonly groups?: readonly (readonly number[])[];
  /** w_g, default √|g|. */
  readonly weights?: Float64Array;
  /** `squared` (default): ½(y − f)². `logistic`: −log of the probability of the class, y of 0 and 1. */
  readonly loss?: GroupLassoLoss;
  /** Fit an unpenalised constant; default true. */
  readonly intercept?: boolean;
  /** Penalise coefficients of columns of unit variance; default true. */
  readonly standardise?: boolean;
  /** Largest violation of the KKT conditions, as a share of λ. Default 1e-7. */
  readonly tolerance?: number;
  /** Sweeps over the groups a λ, at most; default 10,000. */
  readonly mostSweeps?: number;
}

export interface GroupLassoPathOptions extends GroupLassoOptions, RunOptions {
  /**
   * Penalties, decreasing. Default: `count` from the smallest that empties the model down to `ratio` of it, ending before
   * where the fit explains 99% of the loss or has as many coefficients as rows.
   */
  readonly lambdas?: Float64Array;
  /** Default 100. */
  readonly count?: number;
  /** Default 0.05 with fewer rows than columns, otherwise 0.001. */
  readonly ratio?: number;
}

const known: Readonly<Record<keyof GroupLassoPathOptions, true>> = {
  groups: true,
  weights: true,
  loss: true,
  intercept: true,
  standardise: true,
  tolerance: true,
  mostSweeps: true,
  lambdas: true,
  count: true,
  ratio: true,
  signal: true,
  onProgress: true,
};

export interface GroupLassoPath {
  readonly loss: GroupLassoLoss;
  /** One a λ, in decreasing order. */
  readonly solutions: readonly LassoSolution[];
}

/**
 * The group lasso for decreasing λ: minimises
 *
 *     (1/n) Σ_i loss(y_i, b₀ + x_iᵀb) + λ Σ_g w_g‖v_g‖,   b = Σ_g v_g
 *
 * where v_g is group g's own copy of the coefficients of its columns: for groups that do not overlap v_g = b_g (Yuan and
 * Lin 2006), for those that do, the columns found are a union of groups (Jacob, Obozinski and Vert 2009).
 */
export async function groupLassoPath(
  X: Matrix,
  y: Float64Array,
  options: GroupLassoPathOptions = {},
): Promise<GroupLassoPath> {
  refuseUnknown("groupLassoPath", options, known);
  return drive(groupLassoSteps(X, y, options), options);
}

/** The same as steps, for work that already runs under somebody's `drive`. */
export function* groupLassoSteps(
  X: Matrix,
  y: Float64Array,
  options: Omit<GroupLassoPathOptions, keyof RunOptions>,
): Generator<Progress, GroupLassoPath> {
  const { loss = "squared", intercept = true, tolerance = 1e-7, mostSweeps = 10_000 } = options;
  const problem = checkedProblem(X, y, options);
  const setup = { loss, fitIntercept: intercept };
  const lambdas = options.lambdas
    ? checkedLambdas(options.lambdas)
    : defaultLambdas(largestLambda(problem, y, setup), X, options);
  const solutions = yield* pathSteps(problem, y, {
    ...setup,
    lambdas,
    tolerance,
    mostSweeps,
    endWhenSaturated: options.lambdas === undefined,
  });
  return { loss, solutions };
}

/** The penalties of the default path. Constant columns or a constant y leave nothing to penalise: one λ. */
function defaultLambdas(
  largest: number,
  X: Matrix,
  { count = 100, ratio = X.rows < X.cols ? 0.05 : 0.001 }: GroupLassoPathOptions,
): Float64Array {
  if (!(Number.isInteger(count) && count > 1 && ratio > 0 && ratio < 1))
    throw new RatewiseError(
      "domain",
      `groupLassoPath: needs a count above 1 and a ratio between 0 and 1, got ${count} and ${ratio}`,
    );
  return largest > 0 ? lambdaSequence(largest, count, ratio) : Float64Array.of(1);
}

/** The smallest λ that empties the model. */
export function largestGroupLassoLambda(
  X: Matrix,
  y: Float64Array,
  options: GroupLassoOptions = {},
): number {
  const { loss = "squared", intercept = true } = options;
  return largestLambda(checkedProblem(X, y, options), y, { loss, fitIntercept: intercept });
}

function checkedLambdas(lambdas: Float64Array): Float64Array {
  const wrong = lambdas.findIndex(
    (lambda, k) => !(lambda > 0 && (k === 0 || lambda < lambdas[k - 1])),
  );
  if (lambdas.length === 0 || wrong >= 0)
    throw new RatewiseError(
      "domain",
      `groupLassoPath: needs decreasing penalties above 0, got ${lambdas.length === 0 ? "none" : `${lambdas[wrong]} at ${wrong}`}`,
    );
  return lambdas;
}

function checkedProblem(X: Matrix, y: Float64Array, options: GroupLassoOptions): GroupLassoProblem {
  const { loss = "squared", intercept = true, standardise = true } = options;
  const where = "groupLassoPath";
  if (y.length !== X.rows) throw shapeError(where, `one target a row (${X.rows})`, `${y.length}`);
  if (X.rows < 2 || X.cols === 0)
    throw shapeError(where, "at least 2 rows and a column", `${X.rows}×${X.cols}`);
  checkFinite(where, X);
  const wrong = y.findIndex(
    (value) => !(loss === "squared" ? Number.isFinite(value) : value === 0 || value === 1),
  );
  if (wrong >= 0)
    throw new RatewiseError(
      "domain",
      `${where}: needs ${loss === "squared" ? "finite targets" : "classes 0 and 1"}, got ${y[wrong]} in row ${wrong}`,
    );
  if (loss === "logistic" && y.every((value) => value === y[0]))
    throw new RatewiseError(
      "domain",
      `${where}: needs rows of both classes, got class ${y[0]} only`,
    );
  const groups = options.groups ?? Array.from({ length: X.cols }, (_, j) => [j]);
  return groupLassoProblem(X, {
    groups: checkedGroups(groups, X.cols),
    weights: checkedWeights(options.weights, groups),
    centre: intercept,
    standardise,
  });
}

function checkedGroups(
  groups: readonly (readonly number[])[],
  cols: number,
): readonly (readonly number[])[] {
  groups.forEach((members, g) => {
    const wrong = members.find((j) => !(Number.isInteger(j) && j >= 0 && j < cols));
    if (members.length === 0 || wrong !== undefined || new Set(members).size < members.length)
      throw new RatewiseError(
        "domain",
        `groupLassoPath: needs groups of different columns from 0 to ${cols - 1}, got [${members}] as group ${g}`,
      );
  });
  return groups;
}

function checkedWeights(
  weights: Float64Array | undefined,
  groups: readonly (readonly number[])[],
): Float64Array {
  if (!weights) return Float64Array.from(groups, (members) => Math.sqrt(members.length));
  if (
    weights.length !== groups.length ||
    weights.some((weight) => !(weight > 0 && Number.isFinite(weight)))
  )
    throw new RatewiseError(
      "domain",
      `groupLassoPath: needs a weight above 0 for each of ${groups.length} groups, got [${weights}]`,
    );
  return weights;
}
