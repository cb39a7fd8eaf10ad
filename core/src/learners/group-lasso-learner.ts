import { log } from "../elementary/index.ts";
import { RatewiseError, refuseUnknown } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { fold, type Key } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { type GroupLassoOptions, groupLassoPath, largestGroupLassoLambda } from "./group-lasso.ts";
import { crossValidateGroupLasso } from "./group-lasso-cross-validation.ts";
import { type LassoSolution, lambdaSequence } from "./group-lasso-path.ts";
import { type Learner, type LearnerRun, type LearnerTask, learnerRunOptions } from "./learner.ts";
import {
  columnMoments,
  columnOrder,
  inOrder,
  type LinearModel,
  linearImportance,
  outOfOrder,
  predictLinearModel,
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
  readonly task: LearnerTask;
  readonly key: Key;
}

const known: Readonly<Record<keyof GroupLassoFitOptions, true>> = {
  task: true,
  key: true,
  groups: true,
  lambdaRatio: true,
  folds: true,
  ...learnerRunOptions,
};

/** A linear model, and what its groups got. */
export interface GroupLassoModel extends LinearModel {
  /** One an output. */
  readonly lambdas: Float64Array;
  /** ‖v_g‖ on standardised columns, over several outputs the root of the sum of squares. */
  readonly groupNorms: Float64Array;
}

/** A path to a single λ goes down in steps of this share, so that each begins near its end. */
const WARM_STEP = 0.5;

/**
 * The group lasso as a model: squared loss for numbers, logistic for two classes, for more classes each against the rest.
 * Without groups it is the lasso.
 */
export async function fitGroupLasso(
  X: Matrix,
  y: Float64Array,
  options: GroupLassoFitOptions,
): Promise<GroupLassoModel> {
  refuseUnknown("fitGroupLasso", options, known);
  const { task, names } = options;
  checkKey("fitGroupLasso", options.key);
  checkTrainingData("fitGroupLasso", X, y, task, names);
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
  const outputs = task.kind === "classification" && task.classes > 2 ? task.classes : 1;
  const solutions: LassoSolution[] = [];
  for (let c = 0; c < outputs; c++) {
    const target = outputs === 1 ? y : y.map((label) => (label === c ? 1 : 0));
    const loss = task.kind === "regression" ? "squared" : "logistic";
    solutions.push(
      await solutionFor(
        ordered,
        target,
        { groups, loss },
        { ...options, key: fold(options.key, "output", c) },
      ),
    );
  }
  return {
    kind: "linear-model",
    task,
    link: task.kind === "regression" ? "identity" : outputs === 1 ? "logistic" : "one-vs-rest",
    coefficients: outOfOrder(
      solutions.map(({ coefficients }) => coefficients),
      order,
    ),
    intercepts: Float64Array.from(solutions, ({ intercept }) => intercept),
    scales: outOfOrder([columnMoments(ordered).scales], order).data,
    order,
    lambdas: Float64Array.from(solutions, ({ lambda }) => lambda),
    groupNorms: normsOf(solutions, groupOrder),
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
    throw new RatewiseError(
      "domain",
      `fitGroupLasso: needs a lambdaRatio over 0 and at most 1, got ${lambdaRatio}`,
    );
  const largest = largestGroupLassoLambda(X, y, problem) || 1;
  const count = 1 + Math.ceil(log(lambdaRatio) / log(WARM_STEP));
  const lambdas =
    count > 1 ? lambdaSequence(largest, count, lambdaRatio) : Float64Array.of(largest);
  const { solutions } = await groupLassoPath(X, y, { ...problem, ...run, lambdas });
  return solutions[solutions.length - 1];
}

/** Norms over the outputs, in the order in which the groups were given. */
function normsOf(solutions: readonly LassoSolution[], groupOrder: Uint32Array): Float64Array {
  const out = new Float64Array(groupOrder.length);
  groupOrder.forEach((given, g) => {
    const squares = solutions.reduce((sum, { groupNorms }) => sum + groupNorms[g] ** 2, 0);
    out[given] = Math.sqrt(squares);
  });
  return out;
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
    fit: (X, y, task, key, run = {}) => fitGroupLasso(X, y, { ...settings, ...run, task, key }),
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
