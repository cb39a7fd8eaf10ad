import { chosenBuild } from "../compute/chosen-kernels.ts";
import { withEngine } from "../compute/index.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { defineTask, runTasks, type TaskKind } from "../parallel/index.ts";
import type { Key } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { drive, type RunOptions } from "../run.ts";
import {
  type GroupLassoOptions,
  type GroupLassoPathOptions,
  groupLassoPath,
  groupLassoSteps,
} from "./group-lasso.ts";
import { type LassoSolution, meanLoss } from "./group-lasso-path.ts";
import { foldOfRows, rowsOfFold, valuesAt } from "./search-folds.ts";

export interface GroupLassoCrossValidationOptions extends GroupLassoPathOptions {
  readonly key: Key;
  /** Default 5. */
  readonly folds?: number;
  readonly workers?: number;
}

export interface GroupLassoCrossValidation {
  /** The path on all rows. */
  readonly solutions: readonly LassoSolution[];
  /** Mean loss on rows held out, for each λ. */
  readonly loss: Float64Array;
  /** The λ of least loss; of several, the largest. */
  readonly best: number;
}

interface FoldPayload {
  readonly X: Matrix;
  readonly y: Float64Array;
  readonly folds: Uint32Array;
  readonly fold: number;
  readonly options: GroupLassoOptions & { readonly lambdas: Float64Array };
  /** The kernels to use: a worker would otherwise take the best it has. */
  readonly engine: string;
}

/** Held-out mean loss along the path of one fold. */
export const lassoFold: TaskKind<FoldPayload, Float64Array> = defineTask(
  "lasso-fold",
  (payload: FoldPayload, context): Promise<Float64Array> =>
    withEngine(payload.engine, () => lossesOfFold(payload, context)),
);

async function lossesOfFold(
  { X, y, folds, fold, options }: FoldPayload,
  context: RunOptions,
): Promise<Float64Array> {
  const { train, test } = rowsOfFold(folds, fold);
  const { solutions } = await drive(
    groupLassoSteps(selectRows(X, train), valuesAt(y, train), options),
    context,
  );
  const held = selectRows(X, test);
  const truth = valuesAt(y, test);
  return Float64Array.from(solutions, ({ coefficients, intercept }) => {
    const inside = Uint32Array.from(coefficients.keys()).filter((j) => coefficients[j] !== 0);
    const residual = truth.map((value, i) => {
      let sum = intercept;
      for (const j of inside) sum += held.data[i * held.cols + j] * coefficients[j];
      return value - sum;
    });
    return meanLoss(residual);
  });
}

/**
 * λ by k-fold cross-validation: the path on all rows fixes the penalties, each fold follows them without its rows, and the λ with
 * the least mean loss on rows held out wins. Folds run in parallel; the result does not depend on the number of workers.
 */
export async function crossValidateGroupLasso(
  X: Matrix,
  y: Float64Array,
  { key, folds: count = 5, workers, ...options }: GroupLassoCrossValidationOptions,
): Promise<GroupLassoCrossValidation> {
  checkKey("crossValidateGroupLasso", key);
  const { signal, onProgress, count: _, ratio: __, lambdas: ___, ...settings } = options;
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const folds = foldOfRows(key, y, { kind: "regression" }, count);
  const { solutions } = await groupLassoPath(X, y, options);
  const lambdas = Float64Array.from(solutions, ({ lambda }) => lambda);
  const shared = inSharedMemory(X);
  const tasks = Array.from({ length: count }, (_, fold) =>
    lassoFold.task({
      X: shared,
      y,
      folds,
      fold,
      options: { ...settings, lambdas },
      engine: chosenBuild(),
    }),
  );
  const losses = await runTasks(tasks, { ...run, ...(workers !== undefined && { workers }) });
  const loss = lambdas.map((_, k) => losses.reduce((sum, fold) => sum + fold[k], 0) / count);
  let best = 0;
  for (let k = 1; k < loss.length; k++) if (loss[k] < loss[best]) best = k;
  return { solutions, loss, best };
}

/** One copy for all workers where the platform shares memory. */
export function inSharedMemory(X: Matrix): Matrix {
  if (typeof SharedArrayBuffer === "undefined") return X;
  const data = new Float64Array(new SharedArrayBuffer(X.data.byteLength));
  data.set(X.data);
  return matrix(X.rows, X.cols, data);
}
