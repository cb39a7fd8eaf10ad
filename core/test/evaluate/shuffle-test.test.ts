import { describe, expect, test } from "vitest";
import { rSquared, shuffleTest } from "../../src/evaluate/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals, permutation } from "../../src/random/index.ts";

const key = keyFromSeed(8);
const [n, p] = [2000, 4];
const next = normals(fold(key, "rows"));
const X = matrix(n, p);
for (let e = 0; e < X.data.length; e++) X.data[e] = next();
const slopes = [3, 2, 1, 0];
const f = ({ data }: Matrix) =>
  Float64Array.from({ length: n }, (_, i) =>
    slopes.reduce((sum, b, j) => sum + b * data[i * p + j], 0),
  );
const y = f(X);
const score = (rows: Matrix) => rSquared(f(rows), y);
const variables = ["a", "b", "c", "d"].map((name, j) => ({ name, columns: [j] }));
const best = [0, 1, 2, 3];
const worst = [3, 2, 1, 0];

describe("shuffleTest", () => {
  test("the best order falls as theory says, below random orders, and the worst lies above them", async () => {
    const { counts, curves, random } = await shuffleTest(score, X, [best, worst], {
      key,
      variables,
    });
    expect(counts).toEqual([0, 1, 2, 3, 4]);
    // Shuffling a column of slope b adds 2b² to the squared error; the variance is 14.
    [1, 1 - 18 / 14, 1 - 26 / 14, -1, -1].forEach((expected, k) => {
      expect(Math.abs(curves[0].scores[k] - expected)).toBeLessThan(0.1);
    });
    expect(curves[0].standardErrors[0]).toBe(0);
    expect(curves[0].standardErrors[1]).toBeGreaterThan(0);
    expect(curves[0].area).toBeLessThan(random.area);
    expect(curves[1].area).toBeGreaterThan(random.area);
    // All are shuffled at the end, by the same permutations.
    expect(curves[0].scores[4]).toBeCloseTo(curves[1].scores[4], 12);
    // Five points a quarter of the axis apart: the ends count half.
    const [first, ...rest] = curves[0].scores;
    const last = rest.pop()!;
    const between = rest.reduce((sum, value) => sum + value, (first + last) / 2) / 4;
    expect(curves[0].area).toBeCloseTo(between, 12);
  });

  test("areas of straight lines are what geometry says, wherever the points lie", async () => {
    // The share of columns that are still as they were: falls from 1 to 0 in a straight line, whose area is 1/2.
    const untouched = (rows: Matrix) =>
      [0, 1, 2, 3].filter((j) => rows.data[j] === X.data[j] && rows.data[p + j] === X.data[p + j])
        .length / p;
    for (const counts of [
      [0, 4],
      [0, 1, 4],
      [0, 1, 2, 3, 4],
    ]) {
      const { curves, random } = await shuffleTest(untouched, X, [best], {
        key,
        variables,
        counts,
      });
      expect(curves[0].area).toBeCloseTo(0.5, 12);
      expect(random.area).toBeCloseTo(0.5, 12);
    }
  });

  test("a score that does not change has a standard error of exactly 0", async () => {
    // Ten times 0.1 is not 1: the mean of equal scores is off by a rounding.
    const { curves, random } = await shuffleTest(() => 0.1, X, [best], { key, variables });
    for (const { standardErrors, areaStandardError } of [curves[0], random])
      expect([...standardErrors, areaStandardError]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("each variable has its own fresh permutation, the same for every order", async () => {
    const seen: Matrix[] = [];
    const keep = (rows: Matrix) => {
      seen.push(matrix(n, p, rows.data.slice()));
      return 0;
    };
    await shuffleTest(keep, X, [best], { key, variables, counts: [2], repeats: 2 });
    const column = (rows: Matrix, j: number) =>
      Float64Array.from({ length: n }, (_, i) => rows.data[i * p + j]);
    const [first, second] = seen;
    const orderOf = (name: string, repeat: number) =>
      permutation(fold(key, "rows", repeat, name), n);
    [first, second].forEach((rows, repeat) => {
      ["a", "b"].forEach((name, j) => {
        const own = column(X, j);
        expect(column(rows, j)).toEqual(
          Float64Array.from(orderOf(name, repeat), (row) => own[row]),
        );
      });
      expect(column(rows, 2)).toEqual(column(X, 2));
    });
    expect(orderOf("a", 0)).not.toEqual(orderOf("b", 0));
    expect(column(first, 0)).not.toEqual(column(second, 0));
    expect(seen).toHaveLength(2 + 10);
  });

  test("many variables are shuffled in 40 steps", async () => {
    const wide = matrix(3, 100);
    const hundred = Array.from({ length: 100 }, (_, j) => ({ name: `x${j}`, columns: [j] }));
    const { counts } = await shuffleTest(() => 1, wide, [], { key, variables: hundred });
    expect([counts.length, counts[0], counts[1], counts.at(-1)]).toEqual([41, 0, 3, 100]);
  });

  test("rows stay as they were, an abort is heard, and what cannot be tested is refused", async () => {
    const before = X.data.slice();
    let last = { done: 0, total: 1 };
    await shuffleTest(score, X, [best], {
      key,
      variables,
      repeats: 2,
      onProgress: (event) => {
        last = event;
      },
    });
    expect(X.data).toEqual(before);
    expect([last.done, last.total]).toEqual([12, 12]);
    const bad = (orders: number[][], options: object = {}) =>
      shuffleTest(score, X, orders, { key, variables, ...options });
    await expect(bad([best], { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
    await expect(bad([best], { randomOrders: 9 })).rejects.toThrow(
      "at least 10 random orders, got 9",
    );
    await expect(bad([best], { repeats: 1 })).rejects.toThrow("at least 2 repeats");
    await expect(bad([[0, 1, 2, 2]])).rejects.toThrow("orders of all 4 variables");
    await expect(bad([best], { counts: [2, 1] })).rejects.toThrow("increasing counts from 0 to 4");
  });
});
