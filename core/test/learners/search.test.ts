import { describe, expect, test } from "vitest";
import { foldOfRows, learnerFrom, searchSettings } from "../../src/learners/index.ts";
import { candidateSettings, searchMethods } from "../../src/learners/search-methods.ts";
import { predictionScore } from "../../src/learners/search-score.ts";
import { matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

const key = keyFromSeed(3);
const regression = { kind: "regression" } as const;
const next = normals(fold(key, "rows"));
const n = 120;
const X = matrix(n, 6);
for (let e = 0; e < X.data.length; e++) X.data[e] = next();
const y = Float64Array.from(
  { length: n },
  (_, i) => X.data[6 * i] + X.data[6 * i + 1] * 0.5 + 0.5 * next(),
);

describe("foldOfRows", () => {
  test("sizes differ by one at most and classes are dealt out evenly", () => {
    const labels = Float64Array.from({ length: 53 }, (_, i) => (i < 10 ? 1 : 0));
    const folds = foldOfRows(key, labels, { kind: "classification", classes: 2 }, 5);
    const counts = (wanted: (row: number) => boolean) =>
      [0, 1, 2, 3, 4].map(
        (f) => [...folds.keys()].filter((row) => folds[row] === f && wanted(row)).length,
      );
    expect(counts((row) => labels[row] === 1)).toEqual([2, 2, 2, 2, 2]);
    expect(counts(() => true).sort()).toEqual([10, 10, 11, 11, 11]);
    expect(foldOfRows(keyFromSeed(4), labels, regression, 5)).not.toEqual(
      foldOfRows(key, labels, regression, 5),
    );
  });

  test("fewer rows than folds, one fold, and a class of one row are errors", () => {
    expect(() => foldOfRows(key, Float64Array.of(1, 2, 3), regression, 5)).toThrow(
      "at least as many rows as folds, got 3 rows and 5 folds; ask for fewer folds",
    );
    expect(() => foldOfRows(key, y, regression, 1)).toThrow("at least 2 folds, got 1");
    expect(() =>
      foldOfRows(key, Float64Array.of(0, 0, 1, 0), { kind: "classification", classes: 2 }, 2),
    ).toThrow("at least 2 rows of every class, got 1 of class 1");
  });
});

test("predictionScore is R² for numbers, and for classes that of the indicators", () => {
  const truth = Float64Array.of(1, 2, 3, 6);
  expect(predictionScore(matrix(4, 1, truth), truth, regression)).toBe(1);
  expect(predictionScore(matrix(4, 1, new Float64Array(4).fill(3)), truth, regression)).toBe(0);
  const labels = Float64Array.of(0, 1, 1, 0);
  const half = matrix(4, 2, new Float64Array(8).fill(0.5));
  const task = { kind: "classification", classes: 2 } as const;
  expect(predictionScore(half, labels, task)).toBe(0);
  const sure = matrix(4, 2, Float64Array.of(0.9, 0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1));
  expect(predictionScore(sure, labels, task)).toBeCloseTo(1 - (4 * 2 * 0.01) / (4 * 2 * 0.25), 12);
});

describe("searchSettings", () => {
  test("keeps the whole table, begins with the defaults, and takes the best mean", async () => {
    const result = await searchSettings("group-lasso", X, y, {
      key,
      task: regression,
      candidates: 6,
      folds: 3,
      workers: 0,
    });
    expect(result.candidates).toHaveLength(6);
    const means = result.candidates.map(({ scores, mean, standardError }) => {
      expect(scores).toHaveLength(3);
      expect(mean).toBeCloseTo((scores[0] + scores[1] + scores[2]) / 3, 14);
      const spread = Math.hypot(...[...scores].map((score) => score - mean));
      expect(standardError).toBeCloseTo(spread / Math.sqrt(6), 14);
      return mean;
    });
    expect(result.best).toBe(means.indexOf(Math.max(...means)));
    expect(result.setup.settings).toBe(result.candidates[result.best].settings);
    expect(Math.max(...means)).toBeGreaterThan(Math.min(...means));
    expect(means[result.best]).toBeGreaterThan(0.6);
  });

  test.each([
    ["forest", { trees: 200 }],
    ["group-forest", { trees: 200 }],
    ["boosting", {}],
    ["group-lasso", {}],
  ] as const)("%s begins with what it does without a search", (method, settings) => {
    expect(candidateSettings(method, key, 0)).toEqual(settings);
    expect(candidateSettings(method, key, 1)).not.toEqual(settings);
  });

  test("the same table and winner for 0, 1, 2 and 3 workers", async () => {
    const options = { key, task: regression, candidates: 4, folds: 2 };
    const tables = [];
    for (const workers of [0, 1, 2, 3])
      tables.push(await searchSettings("boosting", X, y, { ...options, workers }));
    for (const table of tables) expect(table).toEqual(tables[0]);
    await closeWorkers();
  });

  test.each(searchMethods)(
    "%s: every candidate can be fitted, and the score is that of its fold",
    async (method) => {
      const groups = [
        [0, 1],
        [2, 3],
        [4, 5],
      ];
      const { candidates } = await searchSettings(method, X, y, {
        key,
        task: regression,
        candidates: 3,
        folds: 2,
        groups,
        workers: 0,
      });
      const folds = foldOfRows(fold(key, "folds"), y, regression, 2);
      const rows = [0, 1].map((f) => [...folds.keys()].filter((row) => folds[row] === f));
      const take = (at: number[]) => ({
        X: matrix(
          at.length,
          6,
          Float64Array.from(at.flatMap((i) => [...X.data.subarray(6 * i, 6 * i + 6)])),
        ),
        y: Float64Array.from(at, (i) => y[i]),
      });
      const [test, train] = [take(rows[0]), take(rows[1])];
      const learner = learnerFrom({ method, settings: candidates[2].settings, groups });
      const model = await learner.fit(train.X, train.y, regression, fold(key, "fit", 2, 0));
      expect(predictionScore(learner.predict(model, test.X), test.y, regression)).toBe(
        candidates[2].scores[0],
      );
    },
  );

  test("progress ends at the total, an abort is heard, and bad input is named", async () => {
    const options = { key, task: regression, candidates: 2, folds: 2, workers: 0 };
    const events: { phase: string; done: number; total: number }[] = [];
    await searchSettings("group-lasso", X, y, {
      ...options,
      onProgress: (event) => events.push(event),
    });
    expect(events.at(-1)).toEqual({ phase: "search group-lasso", done: 4, total: 4 });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(searchSettings("forest", X, y, { ...options, signal })).rejects.toThrow("enough");
    await expect(searchSettings("tree" as never, X, y, options)).rejects.toThrow('got "tree"');
    await expect(searchSettings("forest", X, y, { ...options, candidates: 0 })).rejects.toThrow(
      "candidates, got 0",
    );
    await expect(
      searchSettings(
        "forest",
        X,
        y.map(() => Number.NaN),
        options,
      ),
    ).rejects.toThrow("got NaN in row 0");
    await expect(
      searchSettings("forest", X, new Float64Array(n), {
        ...options,
        task: { kind: "classification", classes: 2 },
      }),
    ).rejects.toThrow("only class 0");
  });
});
