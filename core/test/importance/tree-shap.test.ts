import { expect, test } from "vitest";
import { treeShap } from "../../src/importance/index.ts";
import {
  fitBoosting,
  fitForest,
  predictBoosting,
  predictForest,
} from "../../src/learners/index.ts";
import { leafOf, type Tree, type TreeEnsemble } from "../../src/learners/tree.ts";
import { fromRows, type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";

const key = keyFromSeed(11);
const regression = { kind: "regression" } as const;

function uniformTable(n: number, p: number, label: string): Matrix {
  const next = uniforms(fold(key, label));
  return matrix(n, p, new Float64Array(n * p).map(next));
}

/** What the tree says on average when only the columns in `known` are known (bits). */
function expectation(tree: Tree, row: Float64Array, known: number, node = 0): number {
  const { feature, threshold, missingLeft, left, cover, value } = tree;
  const column = feature[node];
  if (column < 0) return value[node];
  const [l, r] = [left[node], left[node] + 1];
  if (known & (1 << column)) {
    const goesLeft = Number.isNaN(row[column])
      ? missingLeft[node] === 1
      : row[column] <= threshold[node];
    return expectation(tree, row, known, goesLeft ? l : r);
  }
  const share = cover[l] / cover[node];
  return share * expectation(tree, row, known, l) + (1 - share) * expectation(tree, row, known, r);
}

/** Shapley's formula over all 2^p subsets. */
function bruteForce({ trees, weight, columns: p }: TreeEnsemble, row: Float64Array): number[] {
  const worth = Array.from(
    { length: 1 << p },
    (_, known) => weight * trees.reduce((sum, tree) => sum + expectation(tree, row, known), 0),
  );
  const factorial = (m: number): number => (m < 2 ? 1 : m * factorial(m - 1));
  return Array.from({ length: p }, (_, j) => {
    let phi = 0;
    for (let known = 0; known < 1 << p; known++) {
      if (known & (1 << j)) continue;
      let size = 0;
      for (let bits = known; bits; bits &= bits - 1) size++;
      const share = (factorial(size) * factorial(p - 1 - size)) / factorial(p);
      phi += share * (worth[known | (1 << j)] - worth[known]);
    }
    return phi;
  });
}

test("a stump gives all of the difference from the mean to its variable", async () => {
  const stump: Tree = {
    feature: Int32Array.of(1, -1, -1),
    threshold: Float64Array.of(0.5, 0, 0),
    missingLeft: Uint8Array.of(0, 0, 0),
    left: Int32Array.of(1, 0, 0),
    value: Float64Array.of(0, 2, 10),
    gain: Float64Array.of(1, 0, 0),
    cover: Float64Array.of(8, 6, 2),
  };
  const shape = { columns: 3, outputs: 1, width: 1, weight: 1, base: Float64Array.of(1) };
  const X = fromRows([
    [0, 0, 0],
    [0, 1, 0],
    [0, Number.NaN, 0],
  ]);
  const { base, values } = await treeShap({ ...shape, trees: [stump] }, X);
  expect(base).toEqual(Float64Array.of(1 + (6 * 2 + 2 * 10) / 8));
  expect([...values[0].data]).toEqual([0, 2 - 4, 0, 0, 10 - 4, 0, 0, 10 - 4, 0]);
});

test("boosted trees of interacting variables agree with Shapley's formula, missing values included", async () => {
  const X = uniformTable(300, 5, "boosting");
  for (let i = 0; i < 300; i += 7) X.data[i * 5 + 2] = Number.NaN;
  const y = new Float64Array(300).map((_, i) => {
    const [a, b, c, d] = X.data.subarray(i * 5, i * 5 + 4);
    return 3 * a * b + (Number.isNaN(c) ? 1 : c * c) - (a > 0.5 ? d : 0);
  });
  const model = await fitBoosting(X, y, { key, task: regression, rounds: 6, minLeaf: 5 });
  const { values } = await treeShap(model, X);
  for (let i = 0; i < 40; i++) {
    const row = X.data.subarray(i * 5, (i + 1) * 5);
    const exact = bruteForce(model, row);
    for (let j = 0; j < 5; j++)
      expect(Math.abs(values[0].data[i * 5 + j] - exact[j])).toBeLessThan(1e-12);
  }
});

test("base and values add up to what a deep forest and a softmax score say", async () => {
  const X = uniformTable(400, 6, "forest");
  const y = new Float64Array(400).map(
    (_, i) => X.data[i * 6] * X.data[i * 6 + 1] + X.data[i * 6 + 2],
  );
  const forest = await fitForest(X, y, { key, task: regression, trees: 10, workers: 0 });
  const exact = await treeShap(forest, X);
  const means = predictForest(forest, X);
  for (let i = 0; i < 400; i++) {
    let sum = exact.base[0];
    for (let j = 0; j < 6; j++) sum += exact.values[0].data[i * 6 + j];
    expect(Math.abs(sum - means.data[i])).toBeLessThan(1e-9);
  }

  const classes = y.map((value) => (value < 0.6 ? 0 : value < 1 ? 1 : 2));
  const task = { kind: "classification", classes: 3 } as const;
  const probable = await fitForest(X, classes, { key, task, trees: 5, workers: 0 });
  const perClass = await treeShap(probable, X);
  const probabilities = predictForest(probable, X);
  const boosted = await fitBoosting(X, classes, { key, task, rounds: 5 });
  const scores = await treeShap(boosted, X);
  const afterLink = predictBoosting(boosted, X);
  for (let i = 0; i < 400; i++) {
    const total = [0, 1, 2].map((k) => {
      const row = perClass.values[k].data.subarray(i * 6, (i + 1) * 6);
      const sum = row.reduce((a, b) => a + b, perClass.base[k]);
      expect(Math.abs(sum - probabilities.data[i * 3 + k])).toBeLessThan(1e-9);
      return scores.values[k].data
        .subarray(i * 6, (i + 1) * 6)
        .reduce((a, b) => a + b, scores.base[k]);
    });
    const norm = total.reduce((sum, score) => sum + Math.exp(score), 0);
    total.forEach((score, k) => {
      expect(Math.abs(Math.exp(score) / norm - afterLink.data[i * 3 + k])).toBeLessThan(1e-9);
    });
  }
});

test("variables that no tree asks for have value 0, and the leaf is the one prediction finds", async () => {
  const X = uniformTable(200, 3, "unused");
  const y = new Float64Array(200).map((_, i) => X.data[i * 3]);
  for (let i = 0; i < 200; i++) X.data[i * 3 + 2] = 4;
  const model = await fitBoosting(X, y, { key, task: regression, rounds: 3 });
  const { values } = await treeShap(model, X);
  for (let i = 0; i < 200; i++) expect(values[0].data[i * 3 + 2]).toBe(0);
  const tree = model.trees[0];
  expect(tree.feature[leafOf(tree, X.data, 0)]).toBe(-1);
});

test("other columns are refused and an abort is heard", async () => {
  const X = uniformTable(50, 2, "abort");
  const model = await fitBoosting(X, X.data.slice(0, 50), { key, task: regression, rounds: 2 });
  await expect(treeShap(model, uniformTable(5, 3, "other"))).rejects.toThrow(
    "treeShap: needs the 2 columns of the training rows, got 3",
  );
  const reason = new Error("enough");
  await expect(treeShap(model, X, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
