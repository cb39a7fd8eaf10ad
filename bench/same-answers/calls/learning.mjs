import { drawnMatrix, problem } from "../drawn-problems.mjs";

const { X, y, labels, classes } = problem(61, 120, 6, 4);
const holed = { ...X, data: X.data.map((value, e) => (e % 17 ? value : Number.NaN)) };
const overlapping = [
  [0, 1, 2],
  [2, 3],
  [4, 5],
];
const regression = { kind: "regression" };
const three = { kind: "classification", classes: 3 };
const two = { kind: "classification", classes: 2 };
const Z = drawnMatrix(62, 10, 6);

/** What a fitted model of trees says, and why. */
const trees = async ({ impurityImportance, treeShap }, model, predict) => ({
  model,
  predicted: predict(model, Z),
  impurity: impurityImportance(model),
  shap: await treeShap(model, Z),
});

export const learningCalls = {
  "group lasso path": async ({ groupLassoPath, crossValidateGroupLasso, keyFromSeed }) => {
    const solutions = async (options) =>
      (await groupLassoPath(X, y, { count: 12, ...options })).solutions;
    const how = { count: 12, key: keyFromSeed(63), folds: 3, workers: 1 };
    return {
      lasso: await solutions({}),
      groups: await solutions({ groups: overlapping }),
      raw: await solutions({ intercept: false, standardise: false }),
      crossed: await crossValidateGroupLasso(X, y, how),
    };
  },
  "group lasso as a model": async ({ groupLassoLearner, lassoLearner, keyFromSeed }) => {
    const answers = [];
    for (const learner of [
      groupLassoLearner({ groups: overlapping, folds: 3 }),
      groupLassoLearner({ groups: overlapping, lambdaRatio: 0.1 }),
      lassoLearner({ lambdaRatio: 0.05 }),
    ]) {
      const model = await learner.fit(X, y, regression, keyFromSeed(64), { workers: 1 });
      const says = [learner.predict(model, Z), learner.importance(model)];
      answers.push({ groupNorms: model.groupNorms, says });
    }
    return answers;
  },
  boosting: async (library) => {
    const { fitBoosting, predictBoosting, keyFromSeed } = library;
    const options = { key: keyFromSeed(65), rounds: 12, minLeaf: 8 };
    const say = (model) => trees(library, model, predictBoosting);
    const stop = {
      earlyStopping: { fraction: 0.3, patience: 2 },
      rounds: 40,
      subsample: 0.7,
      l2: 1,
    };
    return [
      await say(await fitBoosting(X, y, { ...options, task: regression })),
      await say(await fitBoosting(holed, labels, { ...options, task: two, maxDepth: 3 })),
      await say(await fitBoosting(X, classes, { ...options, task: three, rate: 0.3 })),
      await say(await fitBoosting(X, y, { ...options, ...stop, task: regression })),
    ];
  },
  forest: async (library) => {
    const { fitForest, predictForest, keyFromSeed } = library;
    const options = { key: keyFromSeed(66), trees: 4, minLeaf: 3, workers: 1 };
    const say = (model) => trees(library, model, predictForest);
    return [
      await say(await fitForest(X, y, { ...options, task: regression })),
      await say(await fitForest(holed, labels, { ...options, task: two, bootstrap: false })),
      await say(await fitForest(X, classes, { ...options, task: three, maxDepth: 4 })),
    ];
  },
  "sparse rows": async ({ sparseMatrix, fitBoosting, predictBoosting, keyFromSeed }) => {
    const kept = [...X.data.keys()].filter((e) => X.data[e] > 0);
    const starts = Int32Array.from({ length: X.rows + 1 }, (_, i) => {
      return kept.filter((e) => e < i * X.cols).length;
    });
    const columns = Int32Array.from(kept, (e) => e % X.cols);
    const values = Float64Array.from(kept, (e) => X.data[e]);
    const sparse = sparseMatrix(X.rows, X.cols, starts, columns, values);
    const options = { key: keyFromSeed(67), task: regression, rounds: 5 };
    return predictBoosting(await fitBoosting(sparse, y, options), sparse);
  },
  "linear model": ({ fitLinear, predictLinearModel }) =>
    predictLinearModel(fitLinear(X, y, { names: ["f", "e", "d", "c", "b", "a"] }), Z),
  "settings searched": async ({ searchSettings, keyFromSeed }) => {
    const answers = {};
    for (const method of ["forest", "boosting", "group-lasso"])
      answers[method] = await searchSettings(method, X, y, {
        key: keyFromSeed(68),
        task: regression,
        candidates: 2,
        folds: 2,
        groups: overlapping,
        workers: 1,
      });
    return answers;
  },
  "mimic of a model": async ({ fitMimic, boostingLearner, forestLearner, keyFromSeed }) => {
    const rows = { X, predictions: { data: y, rows: y.length, cols: 1 } };
    const options = { key: keyFromSeed(69), workers: 1 };
    return [
      await fitMimic(boostingLearner({ rounds: 8 }), rows, rows, options),
      await fitMimic(forestLearner({ trees: 3 }), rows, rows, options),
    ];
  },
};
