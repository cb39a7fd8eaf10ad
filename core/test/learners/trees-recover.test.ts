import { afterAll, describe, expect, test } from "vitest";
import { forestLearner } from "../../src/learners/forest.ts";
import { boostingLearner, type Learner } from "../../src/learners/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, type Key, keyFromSeed, normals, uniforms } from "../../src/random/index.ts";

afterAll(closeWorkers);

interface Data {
  readonly X: Matrix;
  readonly y: Float64Array;
}

type Truth = (x: Float64Array) => number;

const friedman: Truth = ([a, b, c, d, e]) =>
  10 * Math.sin(Math.PI * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e;
const product: Truth = ([a, b]) => 10 * (a - 0.5) * (b - 0.5);

function draw(truth: Truth, key: Key, n: number, p: number, noise: number): Data {
  const X = matrix(n, p, new Float64Array(n * p).map(uniforms(fold(key, "x"))));
  const next = normals(fold(key, "noise"));
  const y = new Float64Array(n).map(
    (_, i) => truth(X.data.subarray(i * p, (i + 1) * p)) + noise * next(),
  );
  return { X, y };
}

function r2(y: Float64Array, predicted: Float64Array): number {
  const mean = y.reduce((a, b) => a + b, 0) / y.length;
  const sum = (f: (i: number) => number) => y.reduce((s, value, i) => s + (value - f(i)) ** 2, 0);
  return 1 - sum((i) => predicted[i]) / sum(() => mean);
}

/** Held-out R² and importance, mean over data sets. */
async function trial<M>(learner: Learner<M>, truth: Truth, sets: number, p: number, noise: number) {
  let score = 0;
  const importance = new Float64Array(p);
  for (let k = 0; k < sets; k++) {
    const key = fold(keyFromSeed(1991), "set", k);
    const train = draw(truth, fold(key, "train"), 2000, p, noise);
    const held = draw(truth, fold(key, "test"), 1000, p, noise);
    const model = await learner.fit(train.X, train.y, { kind: "regression" }, fold(key, "fit"));
    score += r2(held.y, learner.predict(model, held.X).data) / sets;
    learner.importance!(model).forEach((value, j) => {
      importance[j] += value / sets;
    });
  }
  return { score, importance };
}

describe("Friedman #1: 2,000 rows, 20 columns, noise 1, ten data sets", () => {
  test.each([
    ["forest", forestLearner({ trees: 50 }), 0.83],
    ["boosting", boostingLearner(), 0.91],
  ] as const)(
    "%s",
    async (_, learner, bar) => {
      const { score, importance } = await trial(learner as Learner, friedman, 10, 20, 1);
      expect(score).toBeGreaterThan(bar);
      expect(Math.min(...importance.subarray(0, 5))).toBeGreaterThan(
        4 * Math.max(...importance.subarray(5)),
      );
    },
    60_000,
  );
});

test.each([
  ["forest", forestLearner({ trees: 50 }), 0.8],
  ["boosting", boostingLearner(), 0.8],
] as const)(
  "%s learns a product of two columns, neither of which matters alone",
  async (_, learner, bar) => {
    const { score, importance } = await trial(learner as Learner, product, 2, 8, 0.3);
    expect(score).toBeGreaterThan(bar);
    expect(importance[0] + importance[1]).toBeGreaterThan(0.8);
  },
);
