import { describe, expect, test } from "vitest";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, type Key, keyFromSeed, normals } from "../../src/random/index.ts";
import type { Progress } from "../../src/run.ts";
import {
  bootstrapScores,
  compareImportance,
  discoveries,
  rankStability,
  selectByKnockoffs,
} from "../../src/select/index.ts";
import {
  type ColumnCorrelation,
  causalLabels,
  correlatedNormals,
  simulate,
} from "../../src/simulate/index.ts";
import { directScore, linearScore } from "./linear-score.ts";

const key = keyFromSeed(31);

describe("selection by knockoffs", () => {
  test("of pure noise selects nothing in at least 98 of 100 data sets", async () => {
    let quiet = 0;
    for (let r = 0; r < 100; r++) {
      const own = fold(key, "noise", r);
      const X = correlatedNormals(200, 30, { kind: "autoregressive", rho: 0.5 }, own);
      const y = Float64Array.from({ length: 200 }, normals(fold(own, "y")));
      const { selected } = await selectByKnockoffs(X, y, {
        key: own,
        score: linearScore,
        fdr: 0.1,
      });
      if (!selected.includes(true)) quiet++;
    }
    expect(quiet).toBeGreaterThanOrEqual(98);
  });

  const designs: readonly [string, ColumnCorrelation][] = [
    ["independent columns", { kind: "independent" }],
    ["neighbours at 0.5", { kind: "autoregressive", rho: 0.5 }],
  ];
  test.each(designs)("keeps the rate with %s, and finds something", async (_, correlation) => {
    const repeats = 60;
    let [proportion, power, square] = [0, 0, 0];
    for (let r = 0; r < repeats; r++) {
      const own = fold(key, "rate", r);
      const { X, y, truth } = simulate({
        key: own,
        rows: 1000,
        variables: 60,
        causalSetSize: 5,
        correlation,
      });
      const { selected } = await selectByKnockoffs(X, y, {
        key: own,
        score: directScore,
        fdr: 0.2,
      });
      const found = discoveries(selected, causalLabels(truth));
      proportion += found.falseDiscoveryProportion / repeats;
      square += found.falseDiscoveryProportion ** 2 / repeats;
      power += found.power / repeats;
    }
    const error = Math.sqrt((square - proportion ** 2) / (repeats - 1));
    expect(proportion - 1.96 * error).toBeLessThan(0.2);
    expect(power).toBeGreaterThan(0.2);
  });

  test("by groups gives one answer a group, and a group of one that of its column", async () => {
    const { X, y } = simulate({
      key: fold(key, "groups"),
      rows: 800,
      variables: 30,
      causalSetSize: 5,
    });
    const options = { key, score: linearScore, fdr: 0.2 };
    const plain = await selectByKnockoffs(X, y, options);
    const groups = Array.from({ length: 30 }, (_, j) => [j]);
    const single = await selectByKnockoffs(X, y, { ...options, groups });
    expect(single.statistics).toEqual(plain.statistics);
    const pairs = groups.slice(0, 10).map(([j]) => [2 * j, 2 * j + 1]);
    const grouped = await selectByKnockoffs(X, y, { ...options, groups: pairs });
    expect(grouped.selected.length).toBe(10);
    expect(grouped.statistics[0].length).toBe(10);
  });

  test("of several draws scores each anew, reports progress and combines them", async () => {
    const { X, y } = simulate({
      key: fold(key, "draws"),
      rows: 600,
      variables: 30,
      causalSetSize: 5,
    });
    const events: Progress[] = [];
    const result = await selectByKnockoffs(X, y, {
      key,
      fdr: 0.2,
      draws: 4,
      combination: "frequency",
      onProgress: (event) => events.push(event),
      score: (rows, response, own, run) => {
        run.onProgress?.({ phase: "score", done: 1, total: 1 });
        return linearScore(rows, response, own, run);
      },
    });
    expect(result.statistics.length).toBe(4);
    expect(result.statistics[0]).not.toEqual(result.statistics[1]);
    expect(result.frequency.some((share) => share > 0)).toBe(true);
    expect(events.at(-1)).toEqual({ phase: "score", done: 4, total: 4 });
  });

  test("takes the other kinds of copies too", async () => {
    const { X, y } = simulate({
      key: fold(key, "kinds"),
      rows: 500,
      variables: 30,
      causalSetSize: 5,
    });
    const genotypes = matrix(
      500,
      30,
      X.data.map((x) => (x < -0.5 ? 0 : x < 0.8 ? 1 : 2)),
    );
    const run = (rows: typeof X, kind: "permuted" | "genotype" | "gaussian") =>
      selectByKnockoffs(rows, y, { key, score: linearScore, fdr: 0.3, copies: { kind } });
    const [a, b, c] = [
      await run(X, "permuted"),
      await run(genotypes, "genotype"),
      await run(X, "gaussian"),
    ];
    for (const { statistics } of [a, b, c])
      expect(Math.max(...statistics[0])).toBeGreaterThan(0.02);
    expect(a.statistics).not.toEqual(c.statistics);
    await expect(run(X, "genotype")).rejects.toThrow(/genotypes 0, 1, 2/);
  });

  test("says what is wrong with its input", async () => {
    const X = matrix(4, 2, Float64Array.of(1, 2, 2, 1, 3, 5, 0, 1));
    const y = new Float64Array(4);
    const options = { key, score: linearScore, fdr: 0.1 };
    await expect(selectByKnockoffs(X, y.slice(1), options)).rejects.toThrow(/4 responses/);
    await expect(selectByKnockoffs(X, y, { ...options, draws: 0 })).rejects.toThrow(
      /at least 1 draw/,
    );
    await expect(selectByKnockoffs(X, y, { ...options, fdr: 2 })).rejects.toThrow(
      /inside \(0, 1\)/,
    );
  });
});

describe("rank stability", () => {
  test("counts ranks over draws", () => {
    const draws = matrix(4, 3, Float64Array.of(3, 2, 1, 3, 1, 2, 3, 2, 1, 1, 2, 3));
    const { inTop, lower, upper, medianRank } = rankStability(draws, { top: 1, level: 0.5 });
    expect([...inTop]).toEqual([0.75, 0, 0.25]);
    expect([...lower]).toEqual([1, 2, 2]);
    expect([...upper]).toEqual([1, 2, 3]);
    expect([...medianRank]).toEqual([1, 2, 2.5]);
    expect(() => rankStability(matrix(1, 3))).toThrow(/at least 2 draws/);
  });

  test("of row bootstraps covers the ranks of the whole table in 85 to 95% of trials", async () => {
    const { X, y } = simulate({
      key: fold(key, "ranks"),
      rows: 300,
      variables: 40,
      causalSetSize: 10,
    });
    const units = Array.from({ length: 40 }, (_, j) => [j]);
    const whole = await linearScore(X, y, key, { units });
    const fullRank = whole.map((score) => 1 + whole.filter((other) => other > score).length);
    let [covered, all] = [0, 0];
    for (let trial = 0; trial < 30; trial++) {
      const own = fold(key, "trial", trial);
      // A trial plays the table: its rows are drawn from the whole one.
      let sample: [typeof X, Float64Array] | null = null;
      await bootstrapScores(X, y, {
        key: own,
        resamples: 1,
        score: (rows, response, k, run) => {
          sample = [rows, response];
          return linearScore(rows, response, k, run);
        },
      });
      const draws = await bootstrapScores(sample![0], sample![1], {
        key: fold(own, "inner"),
        score: linearScore,
      });
      const { lower, upper } = rankStability(draws);
      fullRank.forEach((rank, j) => {
        all++;
        if (lower[j] <= rank && rank <= upper[j]) covered++;
      });
    }
    expect(covered / all).toBeGreaterThanOrEqual(0.85);
    expect(covered / all).toBeLessThanOrEqual(0.95);
  });

  test("of squared effects follows from their means and spreads", () => {
    const draws = squaredEffects([3, 1, -1, 0], 2000, key);
    const { inTop, lower, upper } = rankStability(draws, { top: 2 });
    expect(inTop[0]).toBeCloseTo(1, 10);
    expect([lower[0], upper[0], lower[3], upper[3]]).toEqual([1, 1, 4, 4]);
    expect(Math.abs(inTop[1] - 0.5)).toBeLessThan(0.05);
    expect(inTop[1] + inTop[2]).toBeCloseTo(1, 10);
  });
});

/** Draws of β_j², β_j ~ N(mean_j, 0.1²). */
function squaredEffects(mean: readonly number[], draws: number, of: Key): Matrix {
  const next = normals(of);
  const p = mean.length;
  const squared = (_: unknown, e: number) => (mean[e % p] + 0.1 * next()) ** 2;
  return matrix(draws, p, Float64Array.from({ length: draws * p }, squared));
}

describe("importance between two models", () => {
  const draws = (mean: number[], label: string) => squaredEffects(mean, 500, fold(key, label));

  test("moved where it did, with the sign of the change, and not elsewhere", () => {
    const { moved, difference, lower, upper } = compareImportance(
      draws([2, 1, 1], "a"),
      draws([2, 1, 0.1], "b"),
    );
    expect(moved[2]).toBe(true);
    expect(difference[2]).toBeLessThan(-0.1);
    expect(upper[2]).toBeLessThan(0);
    expect(lower[0]).toBeGreaterThan(0); // its share grew as the other one's fell
    expect(moved[0]).toBe(true);
  });

  test("did not move between two sets of draws of the same one, also in other units", () => {
    const doubled = draws([4, 2, 2], "c");
    const same = compareImportance(draws([2, 1, 1], "a"), draws([2, 1, 1], "b"));
    expect(same.moved).toEqual([false, false, false]);
    expect(Math.min(...same.tail)).toBeGreaterThan(0.2);
    expect(compareImportance(draws([2, 1, 1], "a"), doubled).moved).toEqual([false, false, false]);
    expect(() => compareImportance(matrix(30, 2), matrix(30, 3))).toThrow(/2 variables in both/);
    expect(() => compareImportance(matrix(3, 2), matrix(3, 2))).toThrow(/at least 20 draws/);
  });
});
