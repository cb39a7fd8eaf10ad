import { afterAll, expect, test } from "vitest";
import { Arena } from "../../src/compute/arena.ts";
import { wholeGroups } from "../../src/compute/histogram.ts";
import { useThreads } from "../../src/compute/index.ts";
import { binColumnsInto } from "../../src/learners/binned-columns.ts";
import { boostingLoss } from "../../src/learners/boosting-loss.ts";
import { bestSpace, growBest } from "../../src/learners/grow-best.ts";
import {
  type Boosting,
  fitBoosting,
  type LearnerTask,
  predictBoosting,
} from "../../src/learners/index.ts";
import { leafOf, type Tree } from "../../src/learners/tree.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

afterAll(closeWorkers);

const key = keyFromSeed(31);
const regression = { kind: "regression" } as const;
const tasks: readonly LearnerTask[] = [
  regression,
  { kind: "classification", classes: 2 },
  { kind: "classification", classes: 3 },
];

function table(n: number, p: number, label: string): Matrix {
  return matrix(n, p, new Float64Array(n * p).map(normals(fold(key, label))));
}

function target(X: Matrix, task: LearnerTask): Float64Array {
  const next = normals(fold(key, "noise"));
  return new Float64Array(X.rows).map((_, i) => {
    const signal =
      X.data[i * X.cols] * X.data[i * X.cols + 1] + X.data[i * X.cols + 2] + 0.3 * next();
    if (task.kind === "regression") return signal;
    return task.classes === 2 ? Number(signal > 0) : signal < -0.5 ? 0 : signal < 0.5 ? 1 : 2;
  });
}

test.each(tasks)(
  "gradients and Hessians of the $kind loss ($classes) are its derivatives",
  (task) => {
    const n = 30;
    const loss = boostingLoss(task, n);
    const y = target(table(n, 3, "loss"), task);
    const scores = new Float64Array(n * loss.outputs).map(normals(fold(key, "scores")));
    const pairs = new Float64Array(2 * n);
    const rows = Int32Array.from({ length: n }, (_, i) => i);
    const ofRow = (i: number, k: number, step: number): number => {
      const moved = scores.slice();
      moved[k * n + i] += step;
      loss.begin(moved);
      return loss.mean([i], y, moved);
    };
    for (let k = 0; k < loss.outputs; k++) {
      loss.begin(scores);
      loss.pairsInto(pairs, rows, y, scores, k);
      const [gradient, curvature] = [new Float64Array(n), new Float64Array(n)];
      const h = 1e-4;
      for (let i = 0; i < n; i++) {
        const [up, here, down] = [ofRow(i, k, h), ofRow(i, k, 0), ofRow(i, k, -h)];
        gradient[i] = -(up - down) / (2 * h);
        curvature[i] = (up - 2 * here + down) / h ** 2;
      }
      expectClose(
        pairs.filter((_, at) => at % 2 === 0),
        gradient,
        { atol: 1e-7 },
      );
      expectClose(
        pairs.filter((_, at) => at % 2 === 1),
        curvature,
        { atol: 1e-6 },
      );
    }
  },
);

test.each(tasks)("the first scores of the $kind loss ($classes) are its best constants", (task) => {
  const y = target(table(200, 3, "base"), task);
  const loss = boostingLoss(task, 200);
  const rows = Int32Array.from({ length: 150 }, (_, i) => i);
  const base = loss.base(y, rows);
  const at = (moved: Float64Array): number => {
    const scores = Float64Array.from(
      { length: 200 * loss.outputs },
      (_, i) => moved[Math.floor(i / 200)],
    );
    loss.begin(scores);
    return loss.mean(rows, y, scores);
  };
  for (let k = 0; k < loss.outputs; k++)
    for (const step of [-1e-3, 1e-3])
      expect(at(base.map((value, j) => (j === k ? value + step : value)))).toBeGreaterThan(
        at(base),
      );
});

/** Rows by leaf of a tree. */
function leaves(tree: Tree, X: Matrix): Map<number, number[]> {
  const out = new Map<number, number[]>();
  for (let i = 0; i < X.rows; i++) {
    const leaf = leafOf(tree, X.data, i * X.cols);
    out.set(leaf, [...(out.get(leaf) ?? []), i]);
  }
  return out;
}

test("each tree steps by the rate times the mean residual of its leaves", async () => {
  const X = table(400, 4, "steps");
  const y = target(X, regression);
  const model = await fitBoosting(X, y, { key, task: regression, rounds: 4, rate: 0.3, l2: 1.5 });
  const mean = y.reduce((a, b) => a + b, 0) / 400;
  expectClose(model.base, [mean]);
  const scores = new Float64Array(400).fill(mean);
  for (const tree of model.trees)
    for (const [leaf, rows] of leaves(tree, X)) {
      const residual = rows.reduce((sum, i) => sum + y[i] - scores[i], 0);
      expectClose([tree.value[leaf]], [(0.3 * residual) / (rows.length + 1.5)], { rtol: 1e-9 });
      expect(tree.cover[leaf]).toBe(rows.length);
      for (const i of rows) scores[i] += tree.value[leaf];
    }
  expectClose(predictBoosting(model, X).data, scores, { rtol: 1e-9, atol: 1e-12 });
});

test("leaves, depth and rows of a leaf keep to their limits", async () => {
  const X = table(600, 4, "limits");
  const y = target(X, { kind: "classification", classes: 2 });
  const task = { kind: "classification", classes: 2 } as const;
  const fit = (limits: object): Promise<Boosting> =>
    fitBoosting(X, y, { key, task, rounds: 5, ...limits });
  const sizes = (model: Boosting) => model.trees.map((tree) => [...leaves(tree, X).values()]);
  for (const rows of sizes(await fit({ maxLeaves: 7 }))) expect(rows).toHaveLength(7);
  for (const rows of sizes(await fit({ maxDepth: 2 }))) expect(rows).toHaveLength(4);
  for (const rows of sizes(await fit({ maxDepth: 3, maxLeaves: 6 }))) expect(rows).toHaveLength(6);
  const least = sizes(await fit({ minLeaf: 45 })).flatMap((rows) => rows.map((r) => r.length));
  expect(Math.min(...least)).toBeGreaterThanOrEqual(45);
  expect(Math.min(...least)).toBeLessThan(60);
});

test("the leaf that gains most is split first", async () => {
  const X = table(500, 4, "best");
  const y = target(X, regression);
  const grow = async (maxLeaves: number): Promise<number> => {
    const options = { key, task: regression, rounds: 1, rate: 1, minLeaf: 1, maxLeaves };
    const out = predictBoosting(await fitBoosting(X, y, options), X).data;
    return y.reduce((sum, value, i) => sum + (value - out[i]) ** 2, 0);
  };
  const errors: number[] = [];
  for (let k = 2; k < 8; k++) errors.push(await grow(k));
  const falls = errors.slice(1).map((error, k) => errors[k] - error);
  for (const fall of falls) expect(fall).toBeGreaterThan(0);
  const whole = await fitBoosting(X, y, {
    key,
    task: regression,
    rounds: 1,
    rate: 1,
    minLeaf: 1,
    maxLeaves: 8,
  });
  const total = whole.trees[0].gain.reduce((a, b) => a + b, 0);
  const spread = y.reduce((sum, value) => sum + (value - whole.base[0]) ** 2, 0);
  expectClose([spread - (await grow(8))], [total], { rtol: 1e-9 });
});

test.each([false, true])(
  "histograms made block by block give the tree that kept ones give (counted: %s)",
  (counted) => {
    const X = table(500, 9, "blocks");
    const arena = new Arena();
    const bins = arena.bytes(500 * wholeGroups(9));
    const binned = binColumnsInto(bins, X, undefined, key);
    const limits = { maxLeaves: 12, maxDepth: 9, minLeaf: 10, l2: 0, minHessian: 0.5 };
    const trees = [2 ** 29, 12 * 256 * 20 * 4, 256 * 20 * 4 * 4].map((bytes) => {
      const space = bestSpace(arena, binned, limits, counted, bytes);
      // Eighths, so that subtraction is exact.
      for (let i = 0; i < 500; i++) {
        space.nodes.rows[i] = i;
        space.nodes.pairs[2 * i] = Math.round(8 * X.data[i * 9] * X.data[i * 9 + 1]) / 8;
        space.nodes.pairs[2 * i + 1] = counted ? (1 + (i % 7)) / 8 : 1;
      }
      const growing = growBest(space, 500, limits);
      let step = growing.next();
      while (!step.done) step = growing.next();
      return { keeps: space.keeps, block: space.block, tree: step.value.finish() };
    });
    expect(trees.map(({ keeps, block }) => [keeps, block < 9])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(trees[0].tree.feature).toHaveLength(23);
    expect(trees[1].tree).toEqual(trees[0].tree);
    expect(trees[2].tree).toEqual(trees[0].tree);
    arena.free();
  },
);

test("early stopping leaves out what came after the best round", async () => {
  const X = table(300, 3, "stopping");
  const y = new Float64Array(300).map(normals(fold(key, "no signal")));
  for (let i = 0; i < 300; i++) y[i] += 2 * Math.sign(X.data[i * 3]);
  const options = { key, task: regression, rounds: 400, minLeaf: 3 };
  const earlyStopping = { fraction: 0.3, patience: 5 };
  const { trees, heldOutLoss } = await fitBoosting(X, y, { ...options, earlyStopping });
  const best = heldOutLoss.indexOf(Math.min(...heldOutLoss));
  expect(trees).toHaveLength(best);
  expect(heldOutLoss).toHaveLength(best + 6);
  expect(best).toBeGreaterThan(3);
  expect(trees[0].cover[0]).toBe(210);
  const all = await fitBoosting(X, y, options);
  expect([all.trees.length, all.heldOutLoss.length]).toEqual([400, 0]);
});

test("subsampled rounds see so many rows, and different ones", async () => {
  const X = table(200, 3, "subsample");
  const y = target(X, regression);
  const { trees } = await fitBoosting(X, y, { key, task: regression, rounds: 3, subsample: 0.6 });
  for (const tree of trees) expect(tree.cover[0]).toBe(120);
  expect(trees[1].threshold).not.toEqual(trees[0].threshold);
});

test("1, 2 and 3 threads grow the same trees", async () => {
  const X = table(60_000, 8, "threads");
  const y = target(X, regression);
  const models: Boosting[] = [];
  for (const threads of [1, 2, 3]) {
    await useThreads(threads);
    models.push(await fitBoosting(X, y, { key, task: regression, rounds: 2 }));
  }
  expect(models[1]).toEqual(models[0]);
  expect(models[2]).toEqual(models[0]);
  await useThreads(1);
});

test("an abort in the midst of the work ends it", async () => {
  const X = table(2000, 10, "abort");
  const controller = new AbortController();
  const reason = new Error("enough");
  const onProgress = () => controller.abort(reason);
  const run = { signal: controller.signal, onProgress, rounds: 100_000 };
  const fit = fitBoosting(X, target(X, regression), { key, task: regression, ...run });
  await expect(fit).rejects.toBe(reason);
});

test("settings that make no sense are refused in words", async () => {
  const X = table(50, 2, "errors");
  const y = X.data.slice(0, 50);
  const fit = (options: object) => fitBoosting(X, y, { key, task: regression, ...options });
  await expect(fit({ rounds: 0.5 })).rejects.toThrow(
    "fitBoosting: needs 1, 2, 3, … rounds, got 0.5",
  );
  await expect(fit({ rate: 0 })).rejects.toThrow("a rate over 0 and at most 1, got 0");
  await expect(fit({ maxLeaves: 1 })).rejects.toThrow("a maxLeaves of at least 2, got 1");
  await expect(fit({ maxDepth: 0 })).rejects.toThrow("a maxDepth of at least 1, got 0");
  await expect(fit({ minLeaf: 0 })).rejects.toThrow("a minLeaf of at least 1 row, got 0");
  await expect(fit({ l2: -1 })).rejects.toThrow("an l2 of 0 or more, got -1");
  await expect(fit({ subsample: 1.5 })).rejects.toThrow(
    "a subsample over 0 and at most 1, got 1.5",
  );
  await expect(fit({ earlyStopping: { fraction: 1 } })).rejects.toThrow(
    "a fraction between 0 and 1",
  );
  await expect(fit({ earlyStopping: { patience: 0 } })).rejects.toThrow("a patience of 1, 2, …");
});
