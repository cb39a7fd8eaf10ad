import { drawn } from "../drawn-numbers.mjs";
import { problem } from "../drawn-problems.mjs";

const { X, y, classes } = problem(81, 90, 5, 4);
const dense = (units, activation) => ({ kind: "dense", units, activation });
const changes = { penalties: [1], epochs: 8 };

const single = (rows, cols, seed) => ({
  data: Float32Array.from(drawn(seed).normals(rows * cols)),
  rows,
  cols,
});

/** Everything that is asked of a fitted network. */
async function asked(library, { network, ...how }, rows) {
  const { forward, predict, saliency, outputLayer } = library;
  const methods = ["gradient", "gradient-x-input", "integrated-gradients", "lrp"];
  const saliencies = [];
  for (const method of methods) {
    saliencies.push(await saliency([network], rows, { method, steps: 16 }));
    saliencies.push(await saliency([network], rows, { method, steps: 16, precision: "single" }));
  }
  return {
    ...{ network, how, saliencies, layer: outputLayer(network) },
    forward: forward(network, rows),
    predicted: predict(network, rows),
  };
}

export const networkCalls = {
  "network of numbers": async (library) => {
    const { fit, keyFromSeed } = library;
    const layers = [dense(6, "relu"), { kind: "dropout", rate: 0.1 }, dense(4, "tanh")];
    const architecture = { inputs: 5, layers, link: "identity" };
    const fitted = await fit(X, y, {
      key: keyFromSeed(82),
      architecture,
      changes: { penalties: [2, 1], epochs: 8 },
      penaltyGroups: [[0, 1], [2], [3], [4]],
    });
    return asked(library, fitted, single(6, 5, 83));
  },
  "network of classes": async (library) => {
    const { fit, keyFromSeed } = library;
    const layers = [dense(6, "gelu"), { kind: "batch-normalisation" }, dense(4, "sigmoid")];
    const architecture = { inputs: 5, layers, link: "softmax", classes: 3 };
    const fitted = await fit(X, classes, { key: keyFromSeed(84), architecture, recipe: "paper" });
    return asked(library, fitted, single(6, 5, 85));
  },
  "network of images": async (library) => {
    const { fit, keyFromSeed } = library;
    const images = single(60, 32, 86);
    const bright = Float64Array.from({ length: 60 }, (_, i) => (images.data[i * 32] > 0 ? 1 : 0));
    const architecture = {
      inputs: 32,
      image: { height: 4, width: 4, channels: 2 },
      layers: [
        { kind: "convolution", filters: 3, kernel: 3, padding: 1, activation: "relu" },
        { kind: "max-pool", kernel: 2 },
        { kind: "flatten" },
        dense(4, "relu"),
      ],
      link: "logistic",
    };
    const fitted = await fit(images, bright, { key: keyFromSeed(87), architecture, changes });
    return asked(library, fitted, single(5, 32, 88));
  },
  "network with listed connections": async (library) => {
    const { fit, connect, paperArchitecture, keyFromSeed } = library;
    const pairs = Array.from({ length: 10 }, (_, e) => [e % 5, Math.floor(e / 2.5)]);
    const masked = { kind: "masked-dense", units: 4, activation: "relu" };
    const layers = [{ ...masked, connectivity: connect(pairs) }, dense(3, "identity")];
    const architecture = { inputs: 5, layers, link: "identity" };
    const fitted = await fit(X, y, { key: keyFromSeed(89), architecture, changes });
    const preset = paperArchitecture("genotypes", { inputs: 5, link: "identity" });
    return { ...(await asked(library, fitted, single(6, 5, 90))), preset };
  },
  "derivatives and hidden units": async (library) => {
    const { fit, jacobianBlocks, gradientMoments, addJacobian, gradientScores } = library;
    const { outputLayer, rateHiddenUnits, activations, networkAfter, keyFromSeed } = library;
    const architecture = {
      inputs: 5,
      layers: [dense(6, "relu"), dense(4, "tanh")],
      link: "identity",
    };
    const { network } = await fit(X, y, { key: keyFromSeed(91), architecture, changes });
    const moments = gradientMoments(5, 4);
    for (const block of jacobianBlocks([network], X)) addJacobian(moments, block);
    const { mean, variance, noiseVariance } = outputLayer(network);
    const columnVariances = Float64Array.of(1, 0.5, 1, 2, 1);
    const settings = { noiseVariance, columnVariances };
    const groups = [
      [0, 1],
      [2, 3, 4],
    ];
    const scores = [settings, { ...settings, groups, conditional: false }].map((options) =>
      gradientScores(moments, { mean, covariance: variance }, options),
    );
    return {
      ...{ moments, scores },
      units: rateHiddenUnits(network, X, y, { layer: 0 }),
      activations: activations(network, single(4, 5, 92), 0),
      rest: networkAfter(network, 0),
    };
  },
};
