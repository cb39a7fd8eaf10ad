import { afterAll, describe, expect, test } from "vitest";
import {
  type Forest,
  fitForest,
  impurityImportance,
  predictForest,
  sparseMatrix,
  type Tree,
} from "../../src/learners/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

afterAll(closeWorkers);

const key = keyFromSeed(21);
const regression = { kind: "regression" } as const;
const three = { kind: "classification", classes: 3 } as const;
const base = { key, task: regression, workers: 0 } as const;

/** Whole numbers 0 … 19, so that bins are values and no cut is lost. */
function table(n: number, p: number, label: string): Matrix {
  const next = uniforms(fold(key, label));
  return matrix(
    n,
    p,
    new Float64Array(n * p).map(() => Math.floor(20 * next())),
  );
}

interface Rows {
  readonly tree: Tree;
  readonly node: number;
  readonly rows: number[];
}

/** Calls `visit` with every node and the rows that come to it. */
function walk(
  { tree, node, rows }: Rows,
  X: Matrix,
  visit: (here: Rows, depth: number) => void,
  depth = 0,
): void {
  visit({ tree, node, rows }, depth);
  const column = tree.feature[node];
  if (column < 0) return;
  const left = (i: number) => X.data[i * X.cols + column] <= tree.threshold[node];
  walk({ tree, node: tree.left[node], rows: rows.filter(left) }, X, visit, depth + 1);
  const right = rows.filter((i) => !left(i));
  walk({ tree, node: tree.left[node] + 1, rows: right }, X, visit, depth + 1);
}

const rowsOf = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** n times the variance, or n times the Gini impurity. */
function impurity(rows: readonly number[], y: Float64Array, classes: number): number {
  const n = rows.length;
  if (classes > 0) {
    const counts = new Float64Array(classes);
    for (const i of rows) counts[y[i]]++;
    return n - counts.reduce((sum, count) => sum + count ** 2, 0) / n;
  }
  const mean = rows.reduce((sum, i) => sum + y[i], 0) / n;
  return rows.reduce((sum, i) => sum + (y[i] - mean) ** 2, 0);
}

/** The greatest fall of impurity over all columns and cuts. */
function greatestGain(
  rows: readonly number[],
  X: Matrix,
  y: Float64Array,
  classes: number,
): number {
  const whole = impurity(rows, y, classes);
  let best = 0;
  for (let j = 0; j < X.cols; j++)
    for (const cut of new Set(rows.map((i) => X.data[i * X.cols + j]))) {
      const left = rows.filter((i) => X.data[i * X.cols + j] <= cut);
      const right = rows.filter((i) => X.data[i * X.cols + j] > cut);
      if (right.length === 0) continue;
      best = Math.max(best, whole - impurity(left, y, classes) - impurity(right, y, classes));
    }
  return best;
}

describe.each([
  ["numbers", regression, 0],
  ["two classes", { kind: "classification", classes: 2 } as const, 2],
  ["three classes", three, 3],
] as const)("one tree on all rows and columns: %s", (_, task, classes) => {
  const n = 120;
  const X = table(n, 4, "tree");
  const next = uniforms(fold(key, "noise"));
  const y = new Float64Array(n).map((_, i) => {
    const signal = X.data[i * 4] * X.data[i * 4 + 1] + 100 * next();
    return classes === 0 ? signal : Math.min(classes - 1, Math.floor(signal / (400 / classes)));
  });
  const grown = fitForest(X, y, { ...base, task, trees: 1, bootstrap: false, maxFeatures: 1 });

  test("every split is the best there is, and its gain is the fall of impurity", async () => {
    const [tree] = (await grown).trees;
    // Half of the Gini impurity of two classes is the variance of the indicator.
    const unit = classes === 2 ? 2 : 1;
    walk({ tree, node: 0, rows: rowsOf(n) }, X, ({ node, rows }) => {
      expect(tree.cover[node]).toBe(rows.length);
      if (tree.feature[node] < 0) return;
      const best = greatestGain(rows, X, y, classes) / unit;
      expect(Math.abs(tree.gain[node] - best)).toBeLessThan(1e-9 * (1 + best));
    });
  });

  test("leaves are pure, or hold rows that no column tells apart", async () => {
    const model = await grown;
    const [tree] = model.trees;
    let leaves = 0;
    walk({ tree, node: 0, rows: rowsOf(n) }, X, ({ node, rows }) => {
      if (tree.feature[node] >= 0) return;
      leaves++;
      expect(greatestGain(rows, X, y, classes)).toBeLessThan(1e-9);
    });
    expect(leaves).toBeGreaterThan(10);
    const out = predictForest(model, X);
    const { cols } = out;
    expect(cols).toBe(Math.max(1, classes));
    for (let i = 0; i < n; i++)
      expect(cols === 1 ? out.data[i] : out.data[i * cols + y[i]]).toBeCloseTo(
        cols === 1 ? y[i] : 1,
        9,
      );
  });
});

test("depth, leaf and split minima are kept", async () => {
  const X = table(500, 5, "limits");
  const y = new Float64Array(500).map(
    (_, i) => X.data[i * 5] * X.data[i * 5 + 1] + X.data[i * 5 + 2],
  );
  const limits = { maxDepth: 6, minLeaf: 7, minSplit: 40 };
  const { trees } = await fitForest(X, y, { ...base, trees: 5, ...limits });
  let deepest = 0;
  for (const tree of trees) {
    walk({ tree, node: 0, rows: rowsOf(500) }, X, ({ node }, depth) => {
      deepest = Math.max(deepest, depth);
      if (tree.feature[node] < 0) expect(tree.cover[node]).toBeGreaterThanOrEqual(7);
      else expect(tree.cover[node]).toBeGreaterThanOrEqual(40);
    });
    expect(tree.cover[0]).toBe(500);
  }
  expect(deepest).toBe(6);
});

test("bootstrap trees differ, those on all rows and columns do not but for ties", async () => {
  const X = table(300, 3, "bootstrap");
  const next = uniforms(fold(key, "y"));
  const y = new Float64Array(300).map((_, i) => X.data[i * 3] + next());
  const options = { ...base, trees: 4, minLeaf: 20 };
  const drawn = await fitForest(X, y, options);
  expect(drawn.trees[1]).not.toEqual(drawn.trees[0]);
  const all = await fitForest(X, y, { ...options, bootstrap: false });
  for (const tree of all.trees) expect(tree).toEqual(all.trees[0]);
});

test("with one column a node, columns are drawn evenly and constant ones passed over", async () => {
  const X = table(60, 4, "even");
  for (let i = 0; i < 60; i++) X.data[i * 4 + 3] = 1;
  const y = uniformTarget(60);
  const options = { ...base, trees: 600, maxDepth: 1, maxFeatures: 0.25 };
  const { trees } = await fitForest(X, y, options);
  const roots = new Float64Array(4);
  for (const { feature } of trees) roots[feature[0]]++;
  expect(roots[3]).toBe(0);
  // 200 each, standard deviation 11.5
  for (let j = 0; j < 3; j++) expect(Math.abs(roots[j] - 200)).toBeLessThan(58);
});

test.each([1, 0.5])(
  "copies of the best column are taken evenly, columns drawn: %s",
  async (share) => {
    const X = table(60, 4, "copies");
    for (let i = 0; i < 60; i++) X.data.fill(X.data[i * 4], i * 4, i * 4 + 3);
    const y = new Float64Array(60).map((_, i) => X.data[i * 4]);
    const options = { ...base, trees: 600, maxDepth: 1, maxFeatures: share, bootstrap: false };
    const { trees } = await fitForest(X, y, options);
    const roots = new Float64Array(4);
    for (const { feature } of trees) roots[feature[0]]++;
    expect(roots[3]).toBe(0);
    // 200 each, standard deviation 11.5
    for (let j = 0; j < 3; j++) expect(Math.abs(roots[j] - 200)).toBeLessThan(58);
  },
);

function uniformTarget(n: number): Float64Array {
  return new Float64Array(n).map(uniforms(fold(key, "target")));
}

test("sparse rows grow the same forest and get the same predictions", async () => {
  const dense = table(150, 6, "sparse");
  dense.data.forEach((value, i) => {
    if (value < 14) dense.data[i] = 0;
    if (i % 29 === 0) dense.data[i] = Number.NaN;
  });
  const starts = [0];
  const [columns, values]: [number[], number[]] = [[], []];
  for (let i = 0; i < 150; i++) {
    for (let j = 5; j >= 0; j--)
      if (dense.data[i * 6 + j] !== 0) {
        columns.push(j);
        values.push(dense.data[i * 6 + j]);
      }
    starts.push(columns.length);
  }
  const sparse = sparseMatrix(
    150,
    6,
    Int32Array.from(starts),
    Int32Array.from(columns),
    Float64Array.from(values),
  );
  const y = uniformTarget(150);
  const model = await fitForest(dense, y, { ...base, trees: 5 });
  expect(await fitForest(sparse, y, { ...base, trees: 5 })).toEqual(model);
  expect(predictForest(model, sparse).data).toEqual(predictForest(model, dense).data);
});

test("missing values go where they belong, and where there were none, with most rows", async () => {
  const X = table(400, 2, "missing");
  const y = new Float64Array(400);
  for (let i = 0; i < 400; i++) {
    const gone = i % 4 === 0;
    if (gone) X.data[2 * i] = Number.NaN;
    y[i] = gone || X.data[2 * i] >= 15 ? 1 : 0;
  }
  const model = await fitForest(X, y, { ...base, trees: 1, bootstrap: false });
  const [tree] = model.trees;
  expect(tree.feature[0]).toBe(0);
  expect(tree.threshold[0]).toBe(14.5);
  expect(tree.missingLeft[0]).toBe(0);
  expectClose(predictForest(model, X).data, y, { atol: 1e-12 });

  const whole = table(400, 1, "whole");
  const low = whole.data.map((value) => (value < 16 ? 1 : 0));
  const other = await fitForest(whole, low, { ...base, trees: 1, bootstrap: false });
  expect(other.trees[0].missingLeft[0]).toBe(1);
  expect(predictForest(other, matrix(1, 1, Float64Array.of(Number.NaN))).data[0]).toBeCloseTo(
    1,
    12,
  );
});

test("missing against the rest is a split too", async () => {
  const X = matrix(
    40,
    1,
    new Float64Array(40).map((_, i) => (i < 15 ? Number.NaN : i % 5)),
  );
  const y = new Float64Array(40).map((_, i) => (i < 15 ? 2 : 9));
  const model = await fitForest(X, y, { ...base, trees: 1, bootstrap: false });
  expect(model.trees[0].threshold[0]).toBe(Number.POSITIVE_INFINITY);
  expectClose(predictForest(model, X).data, y, { atol: 1e-12 });
});

test("impurity importance is the share of all gains", () => {
  const tree = (feature: number[], gain: number[]): Tree => ({
    feature: Int32Array.from(feature),
    threshold: new Float64Array(feature.length),
    missingLeft: new Uint8Array(feature.length),
    left: new Int32Array(feature.length),
    value: new Float64Array(feature.length),
    gain: Float64Array.from(gain),
    cover: new Float64Array(feature.length).fill(1),
  });
  const shape = { columns: 3, outputs: 1, width: 1, weight: 1, base: Float64Array.of(0) };
  const trees = [tree([2, 0, -1, -1, -1], [5, 2, 0, 0, 0]), tree([2, -1, -1], [1, 0, 0])];
  expect([...impurityImportance({ ...shape, trees })]).toEqual([2 / 8, 0, 6 / 8]);
  expect([...impurityImportance({ ...shape, trees: [tree([-1], [0])] })]).toEqual([0, 0, 0]);
});

test("an abort in the midst of the work ends it, in this thread and in workers", async () => {
  const X = table(3000, 20, "abort");
  const y = uniformTarget(3000);
  for (const workers of [0, 2]) {
    const controller = new AbortController();
    const reason = new Error("enough");
    const onProgress = () => controller.abort(reason);
    const { signal } = controller;
    const fit = fitForest(X, y, { ...base, workers, trees: 400, signal, onProgress });
    await expect(fit).rejects.toBe(reason);
  }
});

test("settings and tables that make no sense are refused in words", async () => {
  const X = table(10, 2, "errors");
  const y = uniformTarget(10);
  const fit = (options: object, table = X): Promise<Forest> =>
    fitForest(table, y, { ...base, ...options });
  await expect(fit({ trees: 0 })).rejects.toThrow("fitForest: needs 1, 2, 3, … trees, got 0");
  await expect(fit({ maxFeatures: 2 })).rejects.toThrow('over 0 and at most 1, or "sqrt", got 2');
  await expect(fit({ minLeaf: 0 })).rejects.toThrow("a minLeaf of at least 1 row, got 0");
  await expect(fit({ minSplit: 1 })).rejects.toThrow("a minSplit of at least 2 rows, got 1");
  await expect(fit({ maxDepth: 0 })).rejects.toThrow("a maxDepth of at least 1, got 0");
  await expect(fit({ names: ["a", "a"] })).rejects.toThrow('needs different names, got "a" twice');
  await expect(fit({ names: ["a"] })).rejects.toThrow("a name for each of 2 columns, got 1");
  await expect(fit({}, matrix(0, 2))).rejects.toThrow("at least one row and one column, got 0×2");
  await expect(fit({ task: { kind: "classification", classes: 1 } })).rejects.toThrow("2 classes");
  const infinite = matrix(10, 2, X.data.slice().fill(Number.POSITIVE_INFINITY, 3, 4));
  await expect(fit({}, infinite)).rejects.toThrow("clip infinite values or mark them missing");
  const model = await fit({ trees: 2 });
  expect(() => predictForest(model, matrix(1, 3))).toThrow("predictForest: needs the 2 columns");
});
