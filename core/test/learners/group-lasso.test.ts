import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type GroupLassoPath, groupLassoPath } from "../../src/learners/index.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

const n = 90;
const p = 12;
const triples = Array.from({ length: 4 }, (_, g) => [3 * g, 3 * g + 1, 3 * g + 2]);

/** Correlated columns of unequal scale, a linear signal in the first and third triple. */
function problem(seed: number, rows = n, cols = p): { X: Matrix; y: Float64Array } {
  const next = normals(fold(keyFromSeed(seed), "problem"));
  const X = matrix(rows, cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++)
      X.data[i * cols + j] =
        (1 + (j % 3)) * (next() + (j > 0 ? 0.4 * X.data[i * cols + j - 1] : 0)) + 2;
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const x = (j: number) => X.data[i * cols + j];
    return x(0) - x(1) + 0.5 * x(2) + x(6) + 0.3 * next();
  });
  return { X, y };
}

/** Gradient of the mean loss with respect to every column of X and the intercept, by its definition. */
function gradient(
  X: Matrix,
  y: Float64Array,
  { coefficients, intercept }: GroupLassoPath["solutions"][number],
): { columns: Float64Array; intercept: number } {
  const columns = new Float64Array(X.cols);
  let sum = 0;
  for (let i = 0; i < X.rows; i++) {
    let f = intercept;
    for (let j = 0; j < X.cols; j++) f += X.data[i * X.cols + j] * coefficients[j];
    const error = f - y[i];
    sum += error / X.rows;
    for (let j = 0; j < X.cols; j++) columns[j] += (error * X.data[i * X.cols + j]) / X.rows;
  }
  return { columns, intercept: sum };
}

const norm = (values: readonly number[]) => Math.hypot(...values);

describe("groupLassoPath", () => {
  test("every optimum of the path satisfies the KKT conditions", async () => {
    const { X, y } = problem(1);
    const { solutions } = await groupLassoPath(X, y, {
      groups: triples,
      standardise: false,
      count: 30,
    });
    for (const solution of solutions) {
      const slope = gradient(X, y, solution);
      const scale = solution.lambda * Math.sqrt(3);
      expect(Math.abs(slope.intercept)).toBeLessThan(1e-6 * solution.lambda);
      triples.forEach((members, g) => {
        const b = members.map((j) => solution.coefficients[j]);
        const s = members.map((j) => slope.columns[j]);
        if (norm(b) === 0) expect(norm(s)).toBeLessThanOrEqual(scale * (1 + 2e-7));
        else
          expect(norm(s.map((value, k) => value + (scale * b[k]) / norm(b)))).toBeLessThan(
            2e-7 * scale,
          );
        expect(solution.groupNorms[g]).toBeCloseTo(norm(b), 12);
      });
      expect(solution.violation).toBeLessThanOrEqual(1e-7);
    }
    const inside = solutions.map(
      ({ groupNorms }) => groupNorms.filter((value) => value > 0).length,
    );
    expect([inside[0], inside.at(-1)]).toEqual([0, 4]);
    expect(inside).toContain(2);
  });

  test("an orthonormal design has the closed form of soft thresholding", async () => {
    // Columns of a Hadamard matrix, so that XᵀX/n = I.
    const X = matrix(8, 4);
    for (let i = 0; i < 8; i++)
      for (let j = 0; j < 4; j++)
        X.data[i * 4 + j] = [1, i & 1 ? -1 : 1, i & 2 ? -1 : 1, i & 4 ? -1 : 1][j];
    const y = Float64Array.of(3, -1, 2, 0.5, -2, 1, 4, 0.25);
    const z = [0, 1, 2, 3].map((j) =>
      y.reduce((sum, value, i) => sum + (X.data[i * 4 + j] * value) / 8, 0),
    );
    const lambda = 0.3;
    const solve = async (groups: number[][]) =>
      (
        await groupLassoPath(X, y, {
          groups,
          intercept: false,
          standardise: false,
          lambdas: Float64Array.of(lambda),
        })
      ).solutions[0];
    const lasso = await solve([[0], [1], [2], [3]]);
    z.forEach((value, j) => {
      expect(lasso.coefficients[j]).toBeCloseTo(
        Math.sign(value) * Math.max(0, Math.abs(value) - lambda),
        14,
      );
    });
    const grouped = await solve([
      [0, 1],
      [2, 3],
    ]);
    [
      [0, 1],
      [2, 3],
    ].forEach((members) => {
      const length = norm(members.map((j) => z[j]));
      const shrink = Math.max(0, 1 - (lambda * Math.SQRT2) / length);
      for (const j of members) expect(grouped.coefficients[j]).toBeCloseTo(shrink * z[j], 14);
    });
  });

  test("the naive proximal gradient method ends where it does, with standardised columns and an intercept", async () => {
    const { X, y } = problem(2);
    const lambda = 0.2;
    const { solutions } = await groupLassoPath(X, y, {
      groups: triples,
      lambdas: Float64Array.of(lambda),
    });
    const mean = Array.from({ length: p }, (_, j) => average(column(X, j)));
    const sd = mean.map((m, j) => Math.sqrt(average(column(X, j).map((v) => (v - m) ** 2))));
    const Z = matrix(
      n,
      p,
      X.data.map((v, at) => (v - mean[at % p]) / sd[at % p]),
    );
    const b = new Float64Array(p);
    const middle = average([...y]);
    for (let step = 0; step < 20_000; step++) {
      const slope = gradient(Z, y, { coefficients: b, intercept: middle } as never).columns;
      for (const members of triples) {
        const u = members.map((j) => b[j] - slope[j] / 8);
        const shrink = Math.max(0, 1 - (lambda * Math.sqrt(3)) / 8 / norm(u));
        members.forEach((j, k) => {
          b[j] = shrink * u[k];
        });
      }
    }
    b.forEach((value, j) => {
      expect(solutions[0].coefficients[j]).toBeCloseTo(value / sd[j], 7);
    });
    const shift = b.reduce((sum, value, j) => sum + (value / sd[j]) * mean[j], 0);
    expect(solutions[0].intercept).toBeCloseTo(middle - shift, 7);
  });

  test("overlapping groups give a union of groups, and equal the same problem with the columns copied", async () => {
    const { X, y } = problem(3);
    const groups = [
      [0, 1, 2],
      [2, 3, 4],
      [4, 5, 6],
      [6, 7, 8],
      [9, 10, 11],
    ];
    const flat = groups.flat();
    const copied = matrix(n, flat.length);
    for (let i = 0; i < n; i++)
      flat.forEach((j, k) => {
        copied.data[i * flat.length + k] = X.data[i * p + j];
      });
    let at = 0;
    const apart = groups.map((members) => members.map(() => at++));
    const latent = await groupLassoPath(X, y, { groups, count: 20 });
    const naive = await groupLassoPath(copied, y, { groups: apart, count: 20 });
    expect(latent.solutions.length).toBe(naive.solutions.length);
    latent.solutions.forEach((solution, k) => {
      const other = naive.solutions[k];
      expect(solution.objective).toBeCloseTo(other.objective, 12);
      for (let j = 0; j < p; j++) {
        const sum = flat.reduce(
          (total, column, c) => total + (column === j ? other.coefficients[c] : 0),
          0,
        );
        expect(solution.coefficients[j]).toBeCloseTo(sum, 6);
      }
      const covered = new Set(groups.filter((_, g) => solution.groupNorms[g] > 0).flat());
      solution.coefficients.forEach((b, j) => {
        if (b !== 0) expect(covered.has(j)).toBe(true);
      });
    });
    const early = latent.solutions.find(({ groupNorms }) => groupNorms.some((value) => value > 0))!;
    expect(early.groupNorms.filter((value) => value > 0).length).toBeLessThan(3);
  });

  test("a path from λ to λ and a single λ from zero end at the same point, for any data and groups", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1000 }),
        fc.constantFrom(1, 2, 4),
        async (seed, size) => {
          const { X, y } = problem(seed, 40, 16);
          const groups = Array.from({ length: 16 / size }, (_, g) =>
            Array.from({ length: size }, (_, k) => size * g + k),
          );
          const { solutions } = await groupLassoPath(X, y, { groups, count: 12, ratio: 0.1 });
          const last = solutions.at(-1)!;
          const lambdas = Float64Array.of(last.lambda);
          const [alone] = (await groupLassoPath(X, y, { groups, lambdas })).solutions;
          expect(alone.objective).toBeCloseTo(last.objective, 10);
          expect(
            Math.max(...alone.coefficients.map((b, j) => Math.abs(b - last.coefficients[j]))),
          ).toBeLessThan(1e-5);
        },
      ),
      { seed: 7, numRuns: 20 },
    );
  });

  test("more columns than rows: groups that screening never looked at satisfy their conditions too", async () => {
    const { X, y } = problem(4, 40, 150);
    const groups = Array.from({ length: 50 }, (_, g) => [3 * g, 3 * g + 1, 3 * g + 2]);
    const { solutions } = await groupLassoPath(X, y, { groups, count: 25, standardise: false });
    expect(solutions.at(-1)!.lambda).toBeLessThan(solutions[0].lambda / 5);
    for (const solution of solutions) {
      const { columns } = gradient(X, y, solution);
      const scale = solution.lambda * Math.sqrt(3);
      groups.forEach((members, g) => {
        const length = norm(members.map((j) => columns[j]));
        if (solution.groupNorms[g] === 0) expect(length).toBeLessThanOrEqual(scale * (1 + 2e-7));
        else expect(Math.abs(length / scale - 1)).toBeLessThan(1e-6);
      });
    }
  });

  test("a constant column and a column in no group get exactly zero", async () => {
    const { X, y } = problem(5);
    for (let i = 0; i < n; i++) X.data[i * p + 4] = 7;
    const { solutions } = await groupLassoPath(X, y, { groups: [[0, 1, 2], [3, 4], [6]] });
    const { coefficients } = solutions.at(-1)!;
    expect([coefficients[4], coefficients[5]]).toEqual([0, 0]);
    expect(coefficients[3]).not.toBe(0);
  });

  test("says what is wrong", async () => {
    const { X, y } = problem(6);
    const bad = (options: object, target = y, rows = X) => groupLassoPath(rows, target, options);
    await expect(bad({}, y.subarray(1))).rejects.toThrow(
      "needs one target for each row (90), got 89",
    );
    await expect(
      bad(
        {},
        y.map((v, i) => (i === 3 ? Number.NaN : v)),
      ),
    ).rejects.toThrow("finite targets, got NaN in row 3");
    await expect(bad({ groups: [[0, 12]] })).rejects.toThrow("columns from 0 to 11, got [0,12]");
    await expect(bad({ lambdas: Float64Array.of(1, 2) })).rejects.toThrow(
      "decreasing penalties above 0, got 2 at 1",
    );
    const holes = matrix(
      n,
      p,
      X.data.map((v, at) => (at === 13 ? Number.NaN : v)),
    );
    await expect(bad({}, y, holes)).rejects.toThrow("got NaN in row 1, column 1; fill or drop");
  });

  test("an abort is heard, and progress ends with the last λ", async () => {
    const { X, y } = problem(7);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(groupLassoPath(X, y, { signal })).rejects.toThrow("enough");
    let last = { done: 0, total: 1 };
    await groupLassoPath(X, y, {
      onProgress: (event) => {
        last = event;
      },
    });
    expect(last.done).toBe(last.total);
  });
});

function column(X: Matrix, j: number): number[] {
  return Array.from({ length: X.rows }, (_, i) => X.data[i * X.cols + j]);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
