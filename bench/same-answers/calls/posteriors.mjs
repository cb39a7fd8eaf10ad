import { drawnMatrix, problem } from "../drawn-problems.mjs";

const { X, H, y, labels, classes } = problem(31);
const given = (outputs) => ({
  weights: drawnMatrix(32, outputs, 3),
  bias: new Float64Array(outputs).fill(0.1),
});

export const posteriorCalls = {
  "last layer refitted": ({ refitLastLayer }) => ({
    numbers: refitLastLayer(H, y, { link: "identity", around: "mode", bias: "integrated" }),
    given: refitLastLayer(H, y, { link: "identity", network: given(1), noiseVariance: 0.2 }),
    curvature: refitLastLayer(H, null, {
      link: "identity",
      network: given(1),
      around: "network",
      noiseVariance: 0.2,
    }),
    two: refitLastLayer(H, labels, { link: "logistic", network: given(1) }),
    mode: refitLastLayer(H, labels, { link: "logistic", around: "mode", bias: "integrated" }),
    three: refitLastLayer(H, classes, { link: "softmax", classes: 3, network: given(3) }),
  }),
  laplace: ({ laplace, laplaceContrast }) => {
    const three = laplace(H, classes, { link: "softmax", classes: 3, bias: "integrated" });
    return {
      numbers: laplace(H, y, { link: "identity", noiseVariance: 0.1, priorVariance: 2 }),
      diagonal: laplace(H, labels, { link: "logistic", structure: "diagonal" }),
      three,
      contrast: laplaceContrast(three, H, 2, 0),
    };
  },
  swag: async ({ swag, swagContrast, keyFromSeed }) => {
    const key = keyFromSeed(33);
    const three = await swag(H, classes, { link: "softmax", classes: 3, key, snapshots: 20 });
    return {
      numbers: await swag(H, y, { link: "identity", noiseVariance: 0.1, key, snapshots: 30 }),
      rank: await swag(H, labels, {
        link: "logistic",
        key,
        snapshots: 30,
        learningRate: 0.05,
        structure: { rank: 5 },
      }),
      contrast: swagContrast(three, 0, 1),
    };
  },
  "gaussian process": async (library) => {
    const { fitGaussianProcess, processWeights, predictProcess, processGradients } = library;
    const kernels = [
      { kind: "rbf", signalVariance: 1, lengthScale: Float64Array.of(1, 1, 1, 1) },
      { kind: "matern52", signalVariance: 1, lengthScale: 1 },
      { kind: "linear", signalVariance: 1 },
    ];
    const Z = drawnMatrix(34, 5, 4);
    const answers = [];
    for (const kernel of kernels) {
      const process = await fitGaussianProcess(X, y, { kernel, noiseVariance: 0.1, offset: 0.2 });
      answers.push({
        process,
        weights: processWeights(process),
        predicted: predictProcess(process, Z),
        gradients: processGradients(process, Z),
      });
    }
    return answers;
  },
  "linear regression": ({ bayesianLinearRegression }) => [
    bayesianLinearRegression(X, y),
    bayesianLinearRegression(X, y, { priorVariance: 2, noiseVariance: 0.1, intercept: 0.3 }),
  ],
  "mixture of posteriors": ({ mixtureGaussian }) =>
    mixtureGaussian(
      [35, 36, 37].map((seed) => ({
        mean: drawnMatrix(seed, 1, 4).data,
        factor: drawnMatrix(seed + 10, 4, 2),
      })),
    ),
};
