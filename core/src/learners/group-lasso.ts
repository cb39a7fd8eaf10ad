import { RatewiseError, refuseUnknown, shapeError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { meanOf } from "../linalg/moments.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";
import {
  type LassoSolution,
  lambdaSequence,
  largestLambda,
  type PathOptions,
  pathSteps,
} from "./group-lasso-path.ts";
import { type GroupLassoProblem, groupLassoProblem } from "./group-lasso-problem.ts";
import { checkFinite } from "./linear-model.ts";

export interface GroupLassoOptions {
  /** Columns of each group; they may overlap, and a column in none is not used. Default: each column alone (the lasso). */
  readonly groups?: readonly (readonly number[])[];
  /** Fit an unpenalised constant; default true. */
  readonly intercept?: boolean;
  /** Penalise coefficients of columns of unit variance; default true. */
  readonly standardise?: boolean;
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
  intercept: true,
  standardise: true,
  lambdas: true,
  count: true,
  ratio: true,
  signal: true,
  onProgress: true,
};

export interface GroupLassoPath {
  /** One for each λ, in decreasing order. */
  readonly solutions: readonly LassoSolution[];
}

/**
 * The group lasso for decreasing λ: minimises
 *
 *     (1/2n) Σ_i (y_i − b₀ − x_iᵀb)² + λ Σ_g √|g| ‖v_g‖,   b = Σ_g v_g
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
  const { problem, intercept } = checkedProblem(X, y, options);
  const lambdas = options.lambdas
    ? checkedLambdas(options.lambdas)
    : defaultLambdas(largestLambda(problem, y, intercept), X, options);
  const endWhenSaturated = options.lambdas === undefined;
  const path: PathOptions = { intercept, lambdas, endWhenSaturated };
  return { solutions: yield* pathSteps(problem, y, path) };
}

/** The penalties of the default path. Constant columns or a constant y leave nothing to penalise: one λ. */
function defaultLambdas(
  largest: number,
  X: Matrix,
  { count = 100, ratio = X.rows < X.cols ? 0.05 : 0.001 }: GroupLassoPathOptions,
): Float64Array {
  if (!(Number.isInteger(count) && count > 1 && ratio > 0 && ratio < 1))
    throw new RatewiseError("domain", {
      in: "groupLassoPath",
      what: `needs a count above 1 and a ratio between 0 and 1, got ${count} and ${ratio}`,
    });
  return largest > 0 ? lambdaSequence(largest, count, ratio) : Float64Array.of(1);
}

/** The smallest λ that empties the model. */
export function largestGroupLassoLambda(
  X: Matrix,
  y: Float64Array,
  options: GroupLassoOptions = {},
): number {
  const { problem, intercept } = checkedProblem(X, y, options);
  return largestLambda(problem, y, intercept);
}

function checkedLambdas(lambdas: Float64Array): Float64Array {
  const wrong = lambdas.findIndex(
    (lambda, k) => !(lambda > 0 && (k === 0 || lambda < lambdas[k - 1])),
  );
  if (lambdas.length === 0 || wrong >= 0)
    throw new RatewiseError("domain", {
      in: "groupLassoPath",
      what: `needs decreasing penalties above 0, got ${lambdas.length === 0 ? "none" : `${lambdas[wrong]} at ${wrong}`}`,
    });
  return lambdas;
}

/** X as the solver takes it, and the constant: the mean of y, since columns are centred beside one. */
function checkedProblem(
  X: Matrix,
  y: Float64Array,
  options: GroupLassoOptions,
): { problem: GroupLassoProblem; intercept: number } {
  const { intercept: centre = true, standardise = true } = options;
  const where = "groupLassoPath";
  if (y.length !== X.rows)
    throw shapeError(where, `one target for each row (${X.rows})`, `${y.length}`);
  if (X.rows < 2 || X.cols === 0)
    throw shapeError(where, "at least 2 rows and a column", `${X.rows}×${X.cols}`);
  checkFinite(where, X);
  const wrong = y.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs finite targets, got ${y[wrong]} in row ${wrong}`,
    });
  const groups = options.groups ?? Array.from({ length: X.cols }, (_, j) => [j]);
  checkGroups(groups, X.cols);
  const problem = groupLassoProblem(X, { groups, centre, standardise });
  return { problem, intercept: centre ? meanOf(y) : 0 };
}

function checkGroups(groups: readonly (readonly number[])[], cols: number): void {
  groups.forEach((members, g) => {
    const wrong = members.find((j) => !(Number.isInteger(j) && j >= 0 && j < cols));
    if (members.length === 0 || wrong !== undefined || new Set(members).size < members.length)
      throw new RatewiseError("domain", {
        in: "groupLassoPath",
        what: `needs groups of different columns from 0 to ${cols - 1}, got [${members}] as group ${g}`,
      });
  });
}
