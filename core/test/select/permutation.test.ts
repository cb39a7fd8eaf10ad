import { describe, expect, test } from "vitest";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import {
  addNull,
  allDecided,
  countExceedances,
  permutationPValues,
} from "../../src/select/exceedance.ts";
import {
  adjustPValues,
  type QuadraticScore,
  selectByPermutation,
  selectByQuadraticNull,
} from "../../src/select/index.ts";
import { permuteWithin, strataRows } from "../../src/select/permute-rows.ts";
import { causalLabels, correlatedNormals, simulate } from "../../src/simulate/index.ts";
import { expectClose } from "../support/close.ts";
import { linearScore } from "./linear-score.ts";

const key = keyFromSeed(21);

function noise(n: number, p: number, label: number): { X: Matrix; y: Float64Array } {
  const own = fold(key, "noise", label);
  const next = normals(fold(own, "y"));
  return {
    X: correlatedNormals(n, p, { kind: "independent" }, fold(own, "X")),
    y: Float64Array.from({ length: n }, next),
  };
}

/** Covariances of y with the columns, squared: unit j is column j. */
function covarianceScore(X: Matrix, units?: readonly (readonly number[])[]): QuadraticScore {
  const { rows: n, cols: p } = X;
  const project = matrix(p, n);
  for (let j = 0; j < p; j++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += X.data[i * p + j] / n;
    for (let i = 0; i < n; i++) project.data[j * n + i] = (X.data[i * p + j] - mean) / n;
  }
  const groups = units ?? Array.from({ length: p }, (_, j) => [j]);
  const rows = groups.flatMap((members, u) => members.map((j) => [u, j] as const));
  const weights = matrix(rows.length, p);
  rows.forEach(([, j], r) => {
    weights.data[r * p + j] = 1;
  });
  return { project, weights, unit: Uint32Array.from(rows, ([u]) => u), units: groups.length };
}

/** Kolmogorov and Smirnov's distance of values from the uniform distribution, times √n. */
function distanceFromUniform(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let most = 0;
  sorted.forEach((value, i) => {
    most = Math.max(most, value - i / n, (i + 1) / n - value);
  });
  return most * Math.sqrt(n);
}
/** At level 0.001 (Kolmogorov's distribution). */
const CRITICAL = 1.95;

describe("p-values", () => {
  test("count the nulls that reach the observed, one for the observed itself", () => {
    const count = countExceedances(Float64Array.of(2, 0, 5));
    for (const scores of [
      [1, 1, 5],
      [2, 0, 5],
      [3, -1, 1],
    ])
      addNull(count, scores);
    expectClose(permutationPValues(count), [3 / 4, 3 / 4, 3 / 4]);
    const split = permutationPValues(count, key);
    expect(split[0]).toBeGreaterThan(1 / 4);
    expect(split[0]).toBeLessThan(3 / 4);
  });

  test("take what differs by rounding alone for the same", () => {
    const count = countExceedances(Float64Array.of(1, 1, 0));
    addNull(count, [1 - 1e-15, 1 - 1e-6, 0]);
    expect([...permutationPValues(count)]).toEqual([1, 0.5, 1]);
  });

  test("are all 1 where no permutation changes the responses", async () => {
    const { X } = noise(60, 4, 3);
    const y = Float64Array.from({ length: 60 }, (_, i) => Math.floor(i / 3));
    const { pValues } = await selectByQuadraticNull(covarianceScore(X), [y], {
      ...{ key, permutations: 300, strata: y },
    });
    expect([...pValues]).toEqual([1, 1, 1, 1]);
  });

  test("of pure noise are uniform, by full refits and by the matrix product", async () => {
    const refits: number[] = [];
    const products: number[] = [];
    for (let r = 0; r < 500; r++) {
      const { X, y } = noise(25, 3, r);
      const options = { key: fold(key, "uniform", r), permutations: 19, randomiseTies: true };
      const refit = await selectByPermutation(X, y, {
        ...options,
        score: linearScore,
        stopWhenDecided: false,
      });
      refits.push(refit.pValues[1]);
      const whole = [0, 1, 2];
      const product = await selectByQuadraticNull({ ...covarianceScore(X), whole }, [y], options);
      products.push(product.pValues[2]);
    }
    expect(distanceFromUniform(refits)).toBeLessThan(CRITICAL);
    expect(distanceFromUniform(products)).toBeLessThan(CRITICAL);
    // The test itself notices p-values that are a little too small.
    expect(distanceFromUniform(refits.map((p) => p ** 1.4))).toBeGreaterThan(CRITICAL);
  });

  test("of pure noise select nothing in most data sets", async () => {
    let quiet = 0;
    for (let r = 0; r < 100; r++) {
      const { X, y } = noise(40, 20, 1000 + r);
      const { selected } = await selectByQuadraticNull(covarianceScore(X), [y], {
        key: fold(key, "quiet", r),
        permutations: 2000,
      });
      if (!selected.includes(true)) quiet++;
    }
    // A rate of 0.1 on pure noise is a chance of 0.1 to select anything.
    expect(quiet).toBeGreaterThanOrEqual(85);
  });
});

describe("the matrix product", () => {
  const { X, y, truth } = simulate({
    key: fold(key, "data"),
    rows: 400,
    variables: 20,
    causalSetSize: 2,
  });
  const units = [[0, 1, 2], [5], [19, 3]];

  test("gives the scores and p-values of permuting one at a time", async () => {
    const score = { ...covarianceScore(X, units), whole: [0, 2] };
    const product = await selectByQuadraticNull(score, [y], { key, permutations: 300 });
    const naive = await selectByPermutation(X, y, {
      key,
      permutations: 300,
      units,
      stopWhenDecided: false,
      score: (rows, response) => {
        const { project } = covarianceScore(rows);
        const effects = Float64Array.from({ length: rows.cols }, (_, j) =>
          response.reduce((sum, value, i) => sum + value * project.data[j * rows.rows + i], 0),
        );
        const raw = units.map((members) => members.reduce((sum, j) => sum + effects[j] ** 2, 0));
        return Float64Array.from(raw, (value) => value / (raw[0] + raw[2]));
      },
    });
    expectClose(product.observed, naive.observed, { rtol: 1e-10 });
    expectClose(product.pValues, naive.pValues, { rtol: 1e-10 });
    expectClose(product.qValues, adjustPValues(product.pValues), { rtol: 1e-12 });
    expect(product.permutations).toBe(300);
  });

  test("of several responses permutes them together and adds their scores", async () => {
    const score = covarianceScore(X);
    const twice = await selectByQuadraticNull(score, [y, y], { key, permutations: 50 });
    const once = await selectByQuadraticNull(score, [y], { key, permutations: 50 });
    expectClose(
      twice.observed,
      once.observed.map((value) => 2 * value),
      { rtol: 1e-12 },
    );
    expectClose(twice.pValues, once.pValues);
  });

  test("finds strong variables, and says how many permutations it made", async () => {
    const labels = causalLabels(truth);
    const { selected, pValues } = await selectByQuadraticNull(covarianceScore(X), [y], {
      key,
      permutations: 3000,
    });
    const strongest = truth.additive.reduce(
      (best, beta, j) => (Math.abs(beta) > Math.abs(truth.additive[best]) ? j : best),
      0,
    );
    expect(labels[strongest]).toBe(1);
    expect(selected[strongest]).toBe(true);
    expect(pValues[strongest]).toBeCloseTo(1 / 3001, 12);
  });

  test("says what is wrong with its input", async () => {
    expect(() => strataRows("select", 3, [1, 2, 3])).toThrow(
      "select: each of the 3 rows is a stratum (a family) of its own, so nothing can be permuted",
    );
    const score = covarianceScore(X);
    await expect(selectByQuadraticNull(score, [], { key })).rejects.toThrow(/at least one column/);
    await expect(selectByQuadraticNull(score, [y.slice(1)], { key })).rejects.toThrow(
      /400 responses/,
    );
    await expect(
      selectByQuadraticNull({ ...score, units: 3 }, [y], { key, permutations: 9 }),
    ).rejects.toThrow(/units below 3/);
    await expect(selectByQuadraticNull(score, [y], { key, permutations: 0 })).rejects.toThrow(
      /at least 1/,
    );
  });
});

describe("permuting within families", () => {
  test("moves rows inside their family only, and every row", () => {
    const family = ["a", "b", "a", "c", "b", "a", "b"];
    const strata = strataRows("test", 7, family);
    const seen = new Set<string>();
    for (let r = 0; r < 200; r++) {
      const order = permuteWithin(fold(key, r), strata);
      expect([...order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      order.forEach((from, to) => {
        expect(family[from]).toBe(family[to]);
      });
      seen.add([...order].join());
    }
    expect(seen.size).toBe(3 * 2 * 3 * 2); // 3!·3!·1!
    expect(() => strataRows("test", 3, [1, 2])).toThrow(/3 strata/);
  });

  test("does not take a difference between families for an effect", async () => {
    // y and x differ between families, and are unrelated within them.
    const next = normals(fold(key, "families"));
    const n = 120;
    const family = Array.from({ length: n }, (_, i) => i % 12);
    const level = Array.from({ length: 12 }, () => 3 * next());
    const X = matrix(n, 2);
    const y = Float64Array.from({ length: n }, (_, i) => {
      X.data[2 * i] = level[family[i]] + next();
      X.data[2 * i + 1] = next();
      return level[family[i]] + next();
    });
    const run = (strata?: number[]) =>
      selectByQuadraticNull(covarianceScore(X), [y], {
        key,
        permutations: 2000,
        ...(strata && { strata }),
      });
    expect((await run()).pValues[0]).toBeLessThan(0.01);
    expect((await run(family)).pValues[0]).toBeGreaterThan(0.05);
  });
});

describe("stopping", () => {
  test("waits while a p-value may still fall on the other side, and ends when none can", () => {
    const count = countExceedances(new Float64Array(4));
    const add = (times: number, scores: number[]) => {
      for (let i = 0; i < times; i++) addNull(count, scores);
    };
    add(10, [1, 1, 1, -1]);
    expect(allDecided(count, 0.1, "benjamini-hochberg")).toBe(false);
    add(640, [1, 1, 1, -1]);
    expect(allDecided(count, 0.1, "benjamini-hochberg")).toBe(true);
    add(15, [1, 1, 1, 1]); // p of the last is near 0.1/4: undecided again
    expect(allDecided(count, 0.1, "benjamini-hochberg")).toBe(false);
  });

  test("comes early where everything is clear, and selects what all permutations would", async () => {
    const { X, y } = simulate({
      key: fold(key, "clear"),
      rows: 500,
      variables: 6,
      causalSetSize: 1,
    });
    const strong = y.map((value, i) => value + 3 * X.data[i * 6]);
    const run = (stopWhenDecided: boolean) =>
      selectByPermutation(X, strong, {
        key,
        score: linearScore,
        permutations: 1500,
        stopWhenDecided,
      });
    const [early, all] = [await run(true), await run(false)];
    expect(early.permutations).toBeLessThan(1500);
    expect(all.permutations).toBe(1500);
    expect(early.selected).toEqual(all.selected);
    expect(early.selected[0]).toBe(true);
  });

  test("by an abort ends with its reason", async () => {
    const { X, y } = noise(30, 3, 0);
    const controller = new AbortController();
    const score: typeof linearScore = (rows, response, k, run) => {
      controller.abort(new Error("enough"));
      expect(run.signal).toBe(controller.signal);
      return linearScore(rows, response, k, run);
    };
    await expect(
      selectByPermutation(X, y, { key, score, signal: controller.signal }),
    ).rejects.toThrow("enough");
  });
});

test("a score of the wrong length is refused", async () => {
  const { X, y } = noise(30, 3, 0);
  await expect(
    selectByPermutation(X, y, { key, score: () => new Float64Array(2) }),
  ).rejects.toThrow(/3 scores, one per unit, got 2/);
});
