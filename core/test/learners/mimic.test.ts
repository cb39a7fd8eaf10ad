import { describe, expect, test } from "vitest";
import { boostingLearner, fitMimic } from "../../src/learners/index.ts";
import { linearLearner } from "../../src/learners/linear.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

const key = keyFromSeed(4);
const rows = (n: number, label: string, f: (x: Float64Array) => number[]) => {
  const next = normals(fold(key, label));
  const X = matrix(n, 3);
  for (let e = 0; e < X.data.length; e++) X.data[e] = next();
  const outputs = Array.from({ length: n }, (_, i) => f(X.data.subarray(3 * i, 3 * i + 3)));
  const predictions: Matrix = matrix(n, outputs[0].length, Float64Array.from(outputs.flat()));
  return { X, predictions };
};

describe("fitMimic", () => {
  test("a linear mimic of a linear function is perfect, and its importance is the slopes'", async () => {
    const f = (x: Float64Array) => [3 * x[0] - x[2]];
    const mimic = await fitMimic(linearLearner(), rows(200, "a", f), rows(100, "b", f), { key });
    expect(mimic.heldOut).toBeCloseTo(1, 12);
    expect(mimic.diagnostics).toEqual([]);
    expect(mimic.importance![0] / mimic.importance![2]).toBeGreaterThan(2.5);
    expect(mimic.importance![1]).toBeLessThan(1e-12);
  });

  test("a linear mimic of a product mimics badly, and says so", async () => {
    const f = (x: Float64Array) => [x[0] * x[1]];
    const mimic = await fitMimic(linearLearner(), rows(200, "a", f), rows(100, "b", f), { key });
    expect(mimic.heldOut).toBeLessThan(0.1);
    expect(mimic.diagnostics).toMatchObject([{ code: "mimics-poorly", learner: "linear" }]);
    expect(mimic.diagnostics[0].message).toMatch(
      /the linear mimic reproduces (nothing|only \d+%) of the differences in the model's predictions, below 80%\. /,
    );
    const trees = await fitMimic(boostingLearner(), rows(3000, "a", f), rows(300, "b", f), { key });
    expect(trees.heldOut).toBeGreaterThan(0.8);
    expect(trees.diagnostics).toEqual([]);
  });

  test("of two classes the second is learned, of three each, weighted by how much it varies", async () => {
    const sigmoid = (f: number) => 1 / (1 + Math.exp(-f));
    const two = (x: Float64Array) => [1 - sigmoid(x[1]), sigmoid(x[1])];
    const one = await fitMimic(linearLearner(), rows(200, "a", two), rows(100, "b", two), { key });
    expect(one.models).toHaveLength(1);
    const slope = one.models[0].coefficients[1];
    expect(slope).toBeGreaterThan(0.1);
    const ends: number[] = [];
    await fitMimic(
      linearLearner(),
      rows(50, "a", (x) => [x[0], x[1], x[2]]),
      rows(20, "b", (x) => [...x].slice(0, 3)),
      {
        key,
        onProgress: ({ done, total }) => ends.push(done / total),
      },
    );
    expect(ends).toEqual([1 / 3, 2 / 3, 1]);
    // The first class hangs on x0 and varies 100 times less than the others, which hang on x2.
    const three = (x: Float64Array) => [
      0.1 + 0.01 * x[0],
      0.45 + 0.1 * x[2],
      0.45 - 0.01 * x[0] - 0.1 * x[2],
    ];
    const all = await fitMimic(linearLearner(), rows(200, "a", three), rows(100, "b", three), {
      key,
    });
    expect(all.models).toHaveLength(3);
    expect(all.importance![2]).toBeGreaterThan(5 * all.importance![0]);
    expect(all.importance![0]).toBeGreaterThan(0.005);
  });

  test("predictions that do not fit the rows, or are no numbers, are refused", async () => {
    const good = rows(20, "a", (x) => [x[0]]);
    const short = { ...good, predictions: matrix(19, 1) };
    await expect(fitMimic(linearLearner(), short, good, { key })).rejects.toThrow(
      "predictions for 20 rows, got 19",
    );
    const holes = {
      ...good,
      predictions: matrix(20, 1, new Float64Array(20).fill(Number.NaN, 3, 4)),
    };
    await expect(fitMimic(linearLearner(), holes, good, { key })).rejects.toThrow(
      "got NaN in row 3",
    );
  });
});
