import { describe, expect, test } from "vitest";
import { permutationImportance } from "../../src/importance/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { selectColumns } from "../../src/linalg/matrix.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

const key = keyFromSeed(6);
const [n, p] = [4000, 4];
const next = normals(fold(key, "rows"));
const X = matrix(n, p);
for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) X.data[i * p + j] = j === 3 ? 1 : next();
const b = [2, 0.5, 0, 1];
const y = Float64Array.from(
  { length: n },
  (_, i) => b.reduce((sum, s, j) => sum + s * X.data[i * p + j], 0) + next(),
);
const lossOf = (columns: readonly number[]) => (rows: Matrix) => {
  let sum = 0;
  for (let i = 0; i < rows.rows; i++) {
    const f = columns.reduce((total, j, k) => total + b[j] * rows.data[i * p + k], 0);
    sum += (y[i] - f) ** 2 / rows.rows;
  }
  return sum;
};
const loss = lossOf([0, 1, 2, 3]);
const named = (order: readonly number[]) => order.map((j, k) => ({ name: `v${j}`, members: [k] }));

describe("permutationImportance", () => {
  test("of a linear function with independent columns is 2b²Var(x), within its standard errors", async () => {
    const {
      scores,
      standardErrors,
      loss: base,
      rises,
    } = await permutationImportance(loss, X, { key });
    expect(base).toBe(loss(X));
    [8, 0.5].forEach((expected, j) => {
      // The columns' own sample variance and covariance with the rest add a few per cent.
      expect(Math.abs(scores[j] / expected - 1)).toBeLessThan(0.1);
      expect(standardErrors[j]).toBeGreaterThan(0);
      expect(standardErrors[j]).toBeLessThan(0.1 * expected);
    });
    expect([scores[2], scores[3], standardErrors[2], standardErrors[3]]).toEqual([0, 0, 0, 0]);
    const own = [...rises.data.subarray(0, 10)];
    const mean = own.reduce((a, c) => a + c, 0) / 10;
    expect(scores[0]).toBeCloseTo(mean, 12);
    const variance = own.reduce((a, c) => a + (c - mean) ** 2, 0) / 9;
    expect(standardErrors[0]).toBeCloseTo(Math.sqrt(variance / 10), 12);
  });

  test("a group is permuted whole: of x and −x together the loss of x − (−x) rises by what both carry", async () => {
    const pair = matrix(n, 2);
    for (let i = 0; i < n; i++) pair.data.set([X.data[i * p], -X.data[i * p]], 2 * i);
    const sum = (rows: Matrix) => {
      let total = 0;
      for (let i = 0; i < n; i++) total += (rows.data[2 * i] + rows.data[2 * i + 1]) ** 2 / n;
      return total;
    };
    const { scores } = await permutationImportance(sum, pair, {
      key,
      groups: [
        { name: "both", members: [0, 1] },
        { name: "one", members: [0] },
      ],
    });
    expect(scores[0]).toBe(0);
    expect(scores[1]).toBeGreaterThan(1.8);
  });

  test("permuting named columns permutes the scores, and who else is scored does not matter", async () => {
    const order = [2, 0, 3, 1];
    const first = await permutationImportance(loss, X, {
      key,
      groups: named([0, 1, 2, 3]),
      repeats: 3,
    });
    // The loss adds in its own order of columns, so the sums are compared to rounding.
    const moved = await permutationImportance(lossOf(order), selectColumns(X, order), {
      key,
      groups: named(order),
      repeats: 3,
    });
    order.forEach((j, k) => {
      expect(moved.scores[k]).toBeCloseTo(first.scores[j], 10);
    });
    const alone = await permutationImportance(loss, X, {
      key,
      groups: [{ name: "v1", members: [1] }],
      repeats: 3,
    });
    expect(alone.scores[0]).toBe(first.scores[1]);
    const other = await permutationImportance(loss, X, {
      key: keyFromSeed(7),
      groups: named([0, 1, 2, 3]),
      repeats: 3,
    });
    expect(other.scores[0]).not.toBe(first.scores[0]);
  });

  test("rows stay as they were, progress ends, an abort is heard, and bad groups are named", async () => {
    const before = X.data.slice();
    let last = { done: 0, total: 1 };
    await permutationImportance(loss, X, {
      key,
      repeats: 2,
      onProgress: (event) => {
        last = event;
      },
    });
    expect(X.data).toEqual(before);
    expect([last.done, last.total]).toEqual([4, 4]);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(permutationImportance(loss, X, { key, signal })).rejects.toThrow("enough");
    const bad = (options: object) => permutationImportance(loss, X, { key, ...options });
    await expect(bad({ repeats: 1 })).rejects.toThrow("at least 2 repeats");
    await expect(bad({ groups: [{ name: "g", members: [4] }] })).rejects.toThrow(
      'from 0 to 3 in "g", got 4',
    );
    await expect(bad({ groups: [{ name: "g", members: [] }] })).rejects.toThrow('in "g", got none');
    const twice = [
      { name: "g", members: [0] },
      { name: "g", members: [1] },
    ];
    await expect(bad({ groups: twice })).rejects.toThrow('"g" twice');
  });
});
