import { describe, expect, test } from "vitest";
import {
  marginalTStatistic,
  meanAbsolute,
  permutationImportance,
  treeShap,
} from "../../src/importance/index.ts";
import { marginalCorrelation } from "../../src/importance/marginal.ts";
import { forestLearner } from "../../src/learners/forest.ts";
import { lassoLearner } from "../../src/learners/group-lasso-learner.ts";
import {
  boostingLearner,
  fitBoosting,
  fitGroupLasso,
  type Learner,
  type LearnerTask,
} from "../../src/learners/index.ts";
import { predictionScore } from "../../src/learners/search-score.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { fold, keyFromSeed, normals, permutation } from "../../src/random/index.ts";

/** Scores of named columns; groups of columns are pairs where a method has groups. */
type Method = (
  X: Matrix,
  y: Float64Array,
  task: LearnerTask,
  names: readonly string[],
  signal?: AbortSignal,
) => Promise<Float64Array>;

const key = keyFromSeed(11);
const classesOf = (task: LearnerTask) =>
  task.kind === "classification" ? task.classes : undefined;
const ofLearner =
  (learner: Learner): Method =>
  async (X, y, task, names, signal) =>
    learner.importance!(
      await learner.fit(X, y, task, key, { names, workers: 0, ...(signal && { signal }) }),
    );
const permuted =
  (learner: Learner): Method =>
  async (X, y, task, names, signal) => {
    const run = signal ? { signal } : {};
    const model = await learner.fit(X, y, task, key, { names, workers: 0, ...run });
    const loss = (rows: Matrix) => 1 - predictionScore(learner.predict(model, rows), y, task);
    const groups = names.map((name, j) => ({ name, members: [j] }));
    return (await permutationImportance(loss, X, { ...run, key, groups, repeats: 3 })).scores;
  };

/** Of classes 0 and 1, as a mimic learns their probabilities: as numbers. */
const asNumbers =
  (method: Method): Method =>
  (X, y, _task, names, signal) =>
    method(X, y, { kind: "regression" }, names, signal);

const methods: Record<string, Method> = {
  correlation: async (X, y, task) => marginalCorrelation(X, y, classesOf(task)),
  "t-test": async (X, y, task) => marginalTStatistic(X, y, classesOf(task)),
  "impurity of a forest": ofLearner(forestLearner({ trees: 20 }) as Learner),
  "impurity of boosting": ofLearner(boostingLearner({ rounds: 20 }) as Learner),
  "lasso coefficients": asNumbers(ofLearner(lassoLearner({ lambdaRatio: 0.05 }) as Learner)),
  "permutation of a forest": permuted(forestLearner({ trees: 20 }) as Learner),
  "permutation of a lasso": asNumbers(permuted(lassoLearner({ lambdaRatio: 0.05 }) as Learner)),
  "Shapley values of boosting": async (X, y, task, names, signal) => {
    const run = signal ? { signal } : {};
    const model = await fitBoosting(X, y, { task, key, names, rounds: 20, ...run });
    return meanAbsolute((await treeShap(model, X, run)).values[0]);
  },
  "group lasso norms": async (X, y, _task, names, signal) => {
    const groups = names.map((_, j) => [j]);
    const options = { key, names, groups, lambdaRatio: 0.05, ...(signal && { signal }) };
    return (await fitGroupLasso(X, y, options)).groupNorms;
  },
};
/** One look at the data, over before a signal could be heard. */
const AT_ONCE = new Set(["correlation", "t-test"]);

const [n, p] = [200, 6];
const names = ["m", "b", "z", "a", "k", "c"];
const tasks: LearnerTask[] = [{ kind: "regression" }, { kind: "classification", classes: 2 }];

/** Column 0 decides, the last is constant, the others are noise. */
function example(task: LearnerTask): { X: Matrix; y: Float64Array } {
  const next = normals(fold(key, "example"));
  const X = matrix(n, p);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++) X.data[i * p + j] = j === p - 1 ? -2 : next();
  const y = Float64Array.from({ length: n }, (_, i) => {
    const signal = X.data[i * p] + 0.3 * next();
    return task.kind === "regression" ? signal : Number(signal > 0);
  });
  return { X, y };
}

describe.each(Object.keys(methods))("importance conforms: %s", (name) => {
  test.each(tasks)("$kind", async (task) => {
    const method = methods[name];
    const { X, y } = example(task);
    const before = [X.data.slice(), y.slice()];
    const scores = await method(X, y, task, names);
    expect([X.data, y], "the input is left alone").toEqual(before);
    expect(await method(X, y, task, names), "again the same").toEqual(scores);

    const order = [...permutation(fold(key, "columns"), p)];
    const moved = await method(
      selectColumns(X, order),
      y,
      task,
      order.map((j) => names[j]),
    );
    expect([...moved], "columns move with their scores").toEqual(order.map((j) => scores[j]));

    expect(scores[p - 1], "a constant column").toBe(0);
    for (let j = 1; j < p - 1; j++)
      expect(Math.abs(scores[j]), `noise in column ${j}`).toBeLessThan(0.3 * scores[0]);

    if (AT_ONCE.has(name)) return;
    const reason = new Error("enough");
    await expect(method(X, y, task, names, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
