import { afterAll, describe, expect, test } from "vitest";
import { crossValidateGroupLasso } from "../../src/learners/group-lasso-cross-validation.ts";
import { fitGroupLasso, groupLassoPath, predictLinearModel } from "../../src/learners/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

afterAll(closeWorkers);

const key = keyFromSeed(2);
const [n, p] = [150, 12];
const next = normals(fold(key, "rows"));
const X: Matrix = matrix(n, p);
for (let e = 0; e < X.data.length; e++) X.data[e] = next();
const y = Float64Array.from(
  { length: n },
  (_, i) => X.data[i * p] - X.data[i * p + 1] + X.data[i * p + 6] + next(),
);
const groups = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [9, 10, 11],
];

describe("crossValidateGroupLasso", () => {
  test("the loss is that of rows held out, and the best λ is the least of the means", async () => {
    const result = await crossValidateGroupLasso(X, y, { key, groups, count: 20, workers: 0 });
    const { solutions, loss, best } = result;
    expect([...loss].indexOf(Math.min(...loss))).toBe(best);
    // Nobody in: the loss is half the variance, as far as folds go. At the optimum it nears half the noise's.
    const mean = y.reduce((a, b) => a + b, 0) / n;
    const variance = y.reduce((a, b) => a + (b - mean) ** 2, 0) / n;
    expect(loss[0] / (variance / 2)).toBeGreaterThan(0.95);
    expect(loss[0] / (variance / 2)).toBeLessThan(1.1);
    expect(loss[best]).toBeGreaterThan(0.3);
    expect(loss[best]).toBeLessThan(0.75);
    // The whole of the path without the fold's rows is worse where it is tried on them than on its own.
    const { groupNorms } = solutions[best];
    expect(groupNorms[0]).toBeGreaterThan(0.5);
    expect(groupNorms[2]).toBeGreaterThan(0.2);
  });

  test("any number of workers gives the same, another key other folds", async () => {
    const options = { key, groups, count: 8, folds: 3 };
    const first = await crossValidateGroupLasso(X, y, { ...options, workers: 0 });
    for (const workers of [1, 2])
      expect(await crossValidateGroupLasso(X, y, { ...options, workers })).toEqual(first);
    const other = await crossValidateGroupLasso(X, y, {
      ...options,
      key: keyFromSeed(9),
      workers: 0,
    });
    expect(other.loss).not.toEqual(first.loss);
    expect(other.solutions).toEqual(first.solutions);
  });
});

describe("fitGroupLasso", () => {
  test("a given share of the largest λ is the end of the path to it", async () => {
    const model = await fitGroupLasso(X, y, { key, groups, lambdaRatio: 0.1 });
    const { solutions } = await groupLassoPath(X, y, { groups, count: 30, ratio: 0.1 });
    const last = solutions.at(-1)!;
    expect(model.lambda).toBeCloseTo(last.lambda, 12);
    for (let j = 0; j < p; j++) expect(model.coefficients[j]).toBeCloseTo(last.coefficients[j], 6);
    for (let g = 0; g < 4; g++) expect(model.groupNorms[g]).toBeCloseTo(last.groupNorms[g], 6);
    const fitted = predictLinearModel(model, X).data;
    const byHand = last.coefficients.reduce((sum, b, j) => sum + b * X.data[j], last.intercept);
    expect(fitted[0]).toBeCloseTo(byHand, 5);
  });

  test("permuted columns with their names and groups give the same norms, to the bit", async () => {
    const names = Array.from({ length: p }, (_, j) => `v${(7 * j) % p}`);
    const order = [5, 3, 0, 11, 8, 1, 2, 10, 9, 4, 7, 6];
    const options = { key, lambdaRatio: 0.05 };
    const first = await fitGroupLasso(X, y, { ...options, groups, names });
    const moved = await fitGroupLasso(selectColumns(X, order), y, {
      ...options,
      groups: groups.map((members) => members.map((j) => order.indexOf(j))),
      names: order.map((j) => names[j]),
    });
    expect(moved.groupNorms).toEqual(first.groupNorms);
    expect([...moved.coefficients]).toEqual(order.map((j) => first.coefficients[j]));
  });

  test("refuses a share outside its range and missing values", async () => {
    const options = { key, lambdaRatio: 0 };
    await expect(fitGroupLasso(X, y, options)).rejects.toThrow("over 0 and at most 1, got 0");
    const holes = matrix(n, p, X.data.slice().fill(Number.NaN, 3, 4));
    await expect(fitGroupLasso(holes, y, { key })).rejects.toThrow("got NaN in row 0, column 3");
  });
});
