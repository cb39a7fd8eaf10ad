import { drawn } from "../drawn-numbers.mjs";
import { drawnMatrix, problem } from "../drawn-problems.mjs";

const { X, y, labels, classes } = problem(71, 40, 5);
const names = ["a", "b", "c", "d", "e"];
const fitted = ({ data, cols }) =>
  Float64Array.from({ length: data.length / cols }, (_, i) => data[i * cols] - data[i * cols + 1]);

export const measuringCalls = {
  simulate: ({ simulate, simulateMoreRows, causalLabels, correlatedNormals, keyFromSeed }) => {
    const correlation = { kind: "blocks", rho: 0.6, size: 4 };
    const options = { key: keyFromSeed(72), rows: 20, variables: 12, causalSetSize: 2 };
    const simulated = simulate(options);
    return {
      simulated,
      classed: simulate({ ...options, link: "logistic", correlation }),
      more: simulateMoreRows(simulated.truth, 5, keyFromSeed(73)),
      causal: causalLabels(simulated.truth),
      rows: correlatedNormals(6, 5, { kind: "autoregressive", rho: 0.5 }, keyFromSeed(74)),
    };
  },
  "permutation importance": async ({ permutationImportance, keyFromSeed }) => {
    const loss = (rows) => fitted(rows).reduce((sum, f, i) => sum + (y[i] - f) ** 2, 0) / y.length;
    const groups = [
      { name: "left", members: [0, 1] },
      { name: "right", members: [3] },
    ];
    const options = { key: keyFromSeed(75), repeats: 4 };
    return [
      await permutationImportance(loss, X, options),
      await permutationImportance(loss, X, { ...options, groups }),
    ];
  },
  "marginal scores": ({ marginalCorrelation, marginalTStatistic, meanAbsolute }) => [
    ...[[y], [labels, 2], [classes, 3]].flatMap((target) => [
      marginalCorrelation(X, ...target),
      marginalTStatistic(X, ...target),
    ]),
    meanAbsolute(X),
  ],
  "shuffle test": ({ shuffleTest, rSquared, keyFromSeed }) =>
    shuffleTest(
      (rows) => rSquared(fitted(rows), y),
      X,
      [
        [0, 1, 2, 3, 4],
        [4, 3, 2, 1, 0],
      ],
      {
        key: keyFromSeed(76),
        variables: names.map((name, j) => ({ name, columns: [j] })),
        repeats: 3,
      },
    ),
  "scores of rankings and predictions": (library) => {
    const { areaUnderRoc, spearman, averageRanks, bootstrap, median } = library;
    const { quantile, rSquared, accuracy, keyFromSeed } = library;
    const scores = drawn(77)
      .normals(40)
      .map((z) => Math.round(4 * z) / 4);
    return {
      roc: areaUnderRoc(scores, labels),
      ranks: [averageRanks(scores), spearman(scores, y)],
      spread: [median(scores), quantile(scores, 0.3)],
      predictions: [rSquared(scores, y), accuracy(labels, classes)],
      bootstrap: bootstrap(scores, median, { key: keyFromSeed(78), repeats: 50 }),
    };
  },
  "random numbers": ({ keyFromSeed, fold, normals, uniforms, permutation, subsample }) => {
    const key = fold(keyFromSeed(2 ** 53 - 1), "label", 3);
    const take = (next) => Array.from({ length: 9 }, next);
    return [
      key,
      take(normals(key)),
      take(uniforms(key)),
      permutation(key, 9),
      subsample(key, 9, 4),
    ];
  },
  "elementary functions": ({ elementary }) => {
    const { exp, expm1, log, log1p, pow, sin, cos, tanh } = elementary;
    const at = [1e-9, 0.3, 1, 2.7, 11, 40.5, 700];
    return {
      functions: [exp, expm1, log, log1p, sin, cos, tanh].map((f) => at.map((x) => f(x))),
      pow: at.map((x) => pow(x, 0.37)),
    };
  },
  "factorisations of matrices": (library) => {
    const { cholesky, choleskySolveVector, eigh, pseudoInverse, qr, svd } = library;
    const { gram, multiply, multiplyTranspose, transposeMultiply, outerGram } = library;
    const A = drawnMatrix(79, 7, 4);
    const S = gram(A);
    const L = cholesky(S);
    return {
      products: [S, outerGram(A), multiply(A, S), multiplyTranspose(A, S), transposeMultiply(A, A)],
      cholesky: [L, choleskySolveVector(L, A.data.slice(0, 4))],
      others: [eigh(S), pseudoInverse(A), qr(A), svd(A)],
    };
  },
};
