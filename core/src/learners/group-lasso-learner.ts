import { log } from "../elementary/index.ts";
import { RatewiseError, refuseUnknown } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { fold, type Key } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { type GroupLassoOptions, groupLassoPath, largestGroupLassoLambda } from "./group-lasso.ts";
import { crossValidateGroupLasso } from "./group-lasso-cross-validation.ts";
import { type LassoSolution, lambdaSequence } from "./group-lasso-path.ts";
import { type Learner, type LearnerRun, learnerRunOptions } from "./learner.ts";
import {
  columnMoments,
  columnOrder,
  inOrder,
  type LinearModel,
  linearImportance,
  outOfOrder,
  predictLinearModel,
  requireNumbers,
} from "./linear-model.ts";
import { checkTrainingData } from "./training-data.ts";

export interface GroupLassoSettings {
  /** Columns of each group; they may overlap. Default: each column alone. */
  readonly groups?: readonly (readonly number[])[];
  /** λ as a share of the smallest one that empties the model. Default: by cross-validation. */
  readonly lambdaRatio?: number;
  /** Of that cross-validation, default 5. */
  readonly folds?: number;
}

export interface GroupLassoFitOptions extends GroupLassoSettings, LearnerRun {
  readonly key: Key;
}

const known: Readonly<Record<keyof GroupLassoFitOptions, true>> = {
  key: true,
  groups: true,
  lambdaRatio: true,
  folds: true,
  ...learnerRunOptions,
};

/** A linear model, and what its groups got. */
export interface GroupLassoModel extends LinearModel {
  readonly lambda: number;
  /** ‖v_g‖ on standardised columns. */
  readonly groupNorms: Float64Array;
}

/** A path to a single λ goes down in steps of this share, so that each begins near its end. */
const WARM_STEP = 0.5;

/** The group lasso as a model of numbers, its λ given or by cross-validation. Without groups it is the lasso. */
export async function fitGroupLasso(
  X: Matrix,
  y: Float64Array,
  options: GroupLassoFitOptions,
): Promise<GroupLassoModel> {
  refuseUnknown("fitGroupLasso", options, known);
  const { names } = options;
  checkKey("fitGroupLasso", options.key);
  checkTrainingData("fitGroupLasso", X, y, { kind: "regression" }, names);
  const order = columnOrder(names, X.cols);
  const ordered = inOrder(X, order);
  const place = new Uint32Array(X.cols);
  order.forEach((j, k) => {
    place[j] = k;
  });
  const asked = (options.groups ?? Array.from({ length: X.cols }, (_, j) => [j])).map((members) =>
    members.map((j) => place[j] ?? j).sort((a, b) => a - b),
  );
  // Groups too in the order of their columns' names: permuting columns is then not seen by the solver at all.
  const groupOrder = Uint32Array.from(asked.keys()).sort((a, b) =>
    compareLists(asked[a], asked[b]),
  );
  const groups = Array.from(groupOrder, (g) => asked[g]);
  const key = fold(options.key, "output", 0);
  const solution = await solutionFor(ordered, y, { groups }, { ...options, key });
  return {
    kind: "linear-model",
    coefficients: outOfOrder(solution.coefficients, order),
    intercept: solution.intercept,
    scales: outOfOrder(columnMoments(ordered).scales, order),
    order,
    lambda: solution.lambda,
    groupNorms: outOfOrder(solution.groupNorms, groupOrder),
  };
}

async function solutionFor(
  X: Matrix,
  y: Float64Array,
  problem: GroupLassoOptions,
  { lambdaRatio, folds, key, workers, signal, onProgress }: GroupLassoFitOptions,
): Promise<LassoSolution> {
  const run = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  if (lambdaRatio === undefined) {
    const { solutions, best } = await crossValidateGroupLasso(X, y, {
      ...problem,
      ...run,
      key,
      ...(folds !== undefined && { folds }),
      ...(workers !== undefined && { workers }),
    });
    return solutions[best];
  }
  if (!(lambdaRatio > 0 && lambdaRatio <= 1))
    throw new RatewiseError("domain", {
      in: "fitGroupLasso",
      what: `needs a lambdaRatio over 0 and at most 1, got ${lambdaRatio}`,
      option: "lambdaRatio",
    });
  const largest = largestGroupLassoLambda(X, y, problem) || 1;
  const count = 1 + Math.ceil(log(lambdaRatio) / log(WARM_STEP));
  const lambdas =
    count > 1 ? lambdaSequence(largest, count, lambdaRatio) : Float64Array.of(largest);
  const { solutions } = await groupLassoPath(X, y, { ...problem, ...run, lambdas });
  return solutions[solutions.length - 1];
}

/** Word order of two increasing lists. */
function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k] - b[k];
  return a.length - b.length;
}

/** The group lasso as a {@link Learner}, its importance |b_j|·sd(x_j); the groups' is `groupNorms` of the model. */
export function groupLassoLearner(settings: GroupLassoSettings = {}): Learner<GroupLassoModel> {
  return {
    name: "group-lasso",
    fit: async (X, y, task, key, run = {}) => {
      requireNumbers("group lasso", task);
      return fitGroupLasso(X, y, { ...settings, ...run, key });
    },
    predict: predictLinearModel,
    importance: linearImportance,
  };
}

/** The lasso (Tibshirani 1996) as a {@link Learner}: every column a group of its own. */
export function lassoLearner(
  settings: Omit<GroupLassoSettings, "groups"> = {},
): Learner<GroupLassoModel> {
  return { ...groupLassoLearner(settings), name: "lasso" };
}
