import { describe, expect, test } from "vitest";
import { shuffleTest } from "../../src/evaluate/index.ts";
import { marginalTStatistic, permutationImportance, treeShap } from "../../src/importance/index.ts";
import { marginalCorrelation } from "../../src/importance/marginal.ts";
import { crossValidateGroupLasso } from "../../src/learners/group-lasso-cross-validation.ts";
import {
  fitBoosting,
  fitForest,
  fitGroupLasso,
  fitLinear,
  fitMimic,
  groupLassoPath,
  searchSettings,
} from "../../src/learners/index.ts";
import { linearLearner } from "../../src/learners/linear.ts";
import { matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";

const key = keyFromSeed(1);
const next = normals(fold(key, "rows"));
const n = 30;
const X = matrix(n, 2, new Float64Array(2 * n).map(next));
const y = Float64Array.from({ length: n }, (_, i) => X.data[2 * i] + next());
const task = { kind: "regression" } as const;
const rows = { X, predictions: matrix(n, 1, y) };
const variables = [
  { name: "a", columns: [0] },
  { name: "b", columns: [1] },
];

/** As plain JavaScript calls: with options that no type has looked at. */
type Call = (options: never) => unknown;
const calls: Readonly<Record<string, { call: Call; good: object; keyed: boolean }>> = {
  fitForest: {
    call: (options) => fitForest(X, y, options),
    good: { task, key, trees: 2 },
    keyed: true,
  },
  fitBoosting: {
    call: (options) => fitBoosting(X, y, options),
    good: { task, key, rounds: 2 },
    keyed: true,
  },
  fitGroupLasso: {
    call: (options) => fitGroupLasso(X, y, options),
    good: { key, lambdaRatio: 0.5 },
    keyed: true,
  },
  groupLassoPath: {
    call: (options) => groupLassoPath(X, y, options),
    good: { count: 3 },
    keyed: false,
  },
  fitLinear: { call: (options) => fitLinear(X, y, options), good: {}, keyed: false },
  searchSettings: {
    call: (options) => searchSettings("boosting", X, y, options),
    good: { task, key, candidates: 1, folds: 2, workers: 0 },
    keyed: true,
  },
  fitMimic: {
    call: (options) => fitMimic(linearLearner(), rows, rows, options),
    good: { key },
    keyed: true,
  },
  permutationImportance: {
    call: (options) => permutationImportance(({ data }) => data[0], X, options),
    good: { key, repeats: 2 },
    keyed: true,
  },
  shuffleTest: {
    call: (options) => shuffleTest(({ data }) => data[0], X, [], options),
    good: { key, variables, repeats: 2 },
    keyed: true,
  },
};
/** What went wrong, thrown or rejected. */
const failure = async (call: Call, options: object): Promise<unknown> => {
  try {
    await call(options as never);
    return null;
  } catch (error) {
    return error;
  }
};

describe("options that no type has looked at", () => {
  test.each(Object.keys(calls))("%s refuses one that there is none of, by name", async (where) => {
    const { call, good } = calls[where];
    expect(await failure(call, good)).toBeNull();
    expect(await failure(call, { ...good, learningRate: 0.1 })).toMatchObject({
      code: "unknown-name",
      message: expect.stringMatching(new RegExp(`^${where}: needs options of .*"learningRate"$`)),
    });
  });

  test.each(Object.keys(calls).filter((where) => calls[where].keyed))(
    "%s says that it needs a key",
    async (where) => {
      const { call, good } = calls[where];
      expect(await failure(call, { ...good, key: undefined })).toMatchObject({
        code: "domain",
        message: `${where}: needs a key, got undefined; keyFromSeed(1) makes one`,
      });
    },
  );

  test.each(["fitForest", "fitBoosting", "searchSettings"])(
    "%s says that it needs a task",
    async (where) => {
      const { call, good } = calls[where];
      for (const wrong of [undefined, "regression", { kind: "ranking" }])
        expect(await failure(call, { ...good, task: wrong })).toMatchObject({
          code: "domain",
          message: expect.stringMatching(`^${where}: needs a task, `),
        });
    },
  );

  test("no options at all, and those of functions within others", async () => {
    expect(await failure(calls.fitForest.call, undefined as never)).toMatchObject({
      message: "fitForest: needs an object of options, got undefined",
    });
    await expect(crossValidateGroupLasso(X, y, {} as never)).rejects.toThrow(
      "crossValidateGroupLasso: needs a key",
    );
    await expect(
      crossValidateGroupLasso(X, y, { key, alpha: 1, workers: 0 } as never),
    ).rejects.toThrow('got "alpha"');
    const forest = await fitForest(X, y, { task, key, trees: 1 });
    await expect(treeShap(forest, X, { rows: 3 } as never)).rejects.toThrow('got "rows"');
  });

  test("marginal scores say that they need a number of classes", () => {
    for (const score of [marginalCorrelation, marginalTStatistic])
      expect(() => score(X, y, task as never)).toThrow(
        `${score.name}: needs the number of classes, or nothing where the target holds numbers, got {"kind":"regression"}`,
      );
  });

  test("a loss that is no number is refused, before and after a permutation", async () => {
    await expect(permutationImportance(() => Number.NaN, X, { key })).rejects.toThrow(
      "permutationImportance: needs a finite loss, got NaN of the rows as they are",
    );
    const first = X.data[0];
    const broken = ({ data }: typeof X) => (data[0] === first ? 1 : Number.NaN);
    await expect(permutationImportance(broken, X, { key })).rejects.toThrow(
      'got NaN of "x1" permuted',
    );
  });
});
