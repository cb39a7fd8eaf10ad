import { describe, expect, test } from "vitest";
import { gradientScores } from "../../src/effects/gradient.ts";
import { gradientScoresBeside } from "../../src/effects/gradient-beside.ts";
import { addJacobian, gradientMoments } from "../../src/effects/gradient-moments.ts";
import {
  groupWeights,
  linearUnits,
  momentsWithLinear,
} from "../../src/explain/fit/group-weights.ts";
import { refitOutput } from "../../src/explain/fit/refit-output.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { layerValues } from "../../src/network/forward.ts";
import {
  type Architecture,
  jacobianBlocks,
  type Network,
  outputLayer,
  predict,
  saliency,
} from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { linearNetwork } from "../../src/network/join-linear.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { meanOutput } from "../../src/network/output.ts";
import { bayesianLinearRegression } from "../../src/posterior/index.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const P = 4;
const N = 7;
const X = matrix(N, P, Float64Array.from({ length: N * P }, normals(keyFromSeed(3))));
const hidden = { kind: "dense", units: 3, activation: "tanh" } as const;

/** Random weights, in the last layer too. */
function networkOf(layers: Architecture["layers"], seed = 1): Network {
  const architecture: Architecture = { inputs: P, layers, link: "identity" };
  const next = normals(keyFromSeed(seed + 9));
  const parameters = Float32Array.from(
    initialParameters(architecture, keyFromSeed(seed)),
    (value) => value + 0.3 * next(),
  );
  return { kind: "network", architecture, parameters };
}

const joined: [string, Network][] = [
  ["the columns", networkOf([hidden, { kind: "skip" }])],
  ["two combinations of them", networkOf([hidden, { kind: "skip", rank: 2 }])],
  ["nothing hidden, but the columns", networkOf([{ kind: "skip" }])],
];

describe.each(joined)("a network of hidden units and %s", (_, network) => {
  test("has the gradients of central differences", async () => {
    const s = 1e-5;
    const layout = layoutOf(network.architecture);
    const theta = Float64Array.from(network.parameters);
    const f = (e: number, move: number) => {
      const moved = X.data.slice();
      moved[e] += move;
      const H = layerValues(layout, theta, moved, N).at(-1)!.output;
      return meanOutput(layout, theta, H, N)[Math.floor(e / P)];
    };
    const found = await saliency([network], X, { method: "gradient" });
    const expected = Float64Array.from(X.data, (_, e) => (f(e, s) - f(e, -s)) / (2 * s));
    expectClose(found.data, expected, { rtol: 1e-6, atol: 1e-8 });
  });

  test("has integrated gradients that add up to the difference from the baseline", async () => {
    const found = await saliency([network], X, {
      method: "integrated-gradients",
      steps: 200,
      baseline: new Float64Array(P),
    });
    const origin = predict(network, matrix(1, P)).mean.data[0];
    const f = predict(network, X).mean.data;
    for (let i = 0; i < N; i++) {
      const sum = found.data.subarray(i * P, (i + 1) * P).reduce((a, b) => a + b, 0);
      expectClose([sum], [f[i] - origin], { rtol: 1e-5, atol: 1e-5 });
    }
  });
});

test("relevance of columns in a linear part is what they add to f", async () => {
  const network = networkOf([{ kind: "skip" }]);
  const { mean } = outputLayer(network);
  const found = await saliency([network], X, { method: "lrp", epsilon: 0 });
  expectClose(
    found.data,
    // Without hidden units the columns stand beside themselves.
    X.data.map((value, e) => value * (mean[e % P] + mean[P + (e % P)])),
    { rtol: 1e-6, atol: 1e-9 },
  );
});

/** The derivatives of [h, x] as if all were hidden units: the naive version of what a linear part leaves out. */
function wholeMoments(network: Network, slopes: (column: number) => Float64Array) {
  const [block] = [...jacobianBlocks([network], X)].map((each) => Float32Array.from(each.data));
  const r = slopes(0).length;
  const l = 3;
  const data = new Float32Array(P * N * (l + r));
  for (let j = 0; j < P; j++)
    for (let i = 0; i < N; i++) {
      const own = (j * N + i) * (l + r);
      data.set(block.subarray((j * N + i) * l, (j * N + i + 1) * l), own);
      data.set(slopes(j), own + l);
    }
  const moments = gradientMoments(P, l + r);
  addJacobian(moments, { variables: P, rows: N, hidden: l + r, data });
  return moments;
}

describe.each(joined.slice(0, 2))("direct scores of hidden units and %s", (_, network) => {
  const linear = linearUnits([network])!;
  const size = layoutOf(network.architecture).hidden;
  const next = normals(keyFromSeed(5));
  const mean = Float64Array.from({ length: size }, next);
  const root = matrix(size, size, Float64Array.from({ length: size * size }, next));
  const covariance = matrix(size, size);
  for (let a = 0; a < size; a++)
    for (let b = 0; b < size; b++)
      for (let k = 0; k < size; k++)
        covariance.data[a * size + b] += 0.1 * root.data[a * size + k] * root.data[b * size + k];
  const whole = wholeMoments(network, linear.slopesOf);
  const groups = [[0], [1], [2], [3], [0, 2], [0, 1, 2, 3]];
  const asked = { noiseVariance: 0.7, columnVariances: Float64Array.of(1, 2, 0.5, 1), groups };

  test.each([
    ["diagonal", covariance.data.filter((_, e) => e % (size + 1) === 0)],
    ["full", covariance],
  ] as [string, Float64Array | Matrix][])(
    "are those of [h, x] as if all were hidden units, for a %s covariance",
    (_, V) => {
      const weights = { mean, covariance: V };
      const expected = gradientScores(whole, weights, { ...asked, conditional: false });
      const moments = gradientMoments(P, 3);
      for (const block of jacobianBlocks([network], X)) addJacobian(moments, block);
      const found = gradientScoresBeside(
        moments,
        (group) => groupWeights(linear, weights, group),
        asked,
      );
      for (const form of ["full", "weak", "meanSquared"] as const)
        expectClose(found[form]!, expected[form]!, { rtol: 1e-9 });
      expect(new Set(found.full).size).toBe(groups.length);
    },
  );

  test("take their moments over all output weights from the hidden units' alone", () => {
    const moments = gradientMoments(P, 3);
    for (const block of jacobianBlocks([network], X)) addJacobian(moments, block);
    for (let j = 0; j < P; j++)
      expectClose(
        momentsWithLinear(moments, linear, j),
        whole.second!.subarray(j * size * size, (j + 1) * size * size),
        { rtol: 1e-9, atol: 1e-12 },
      );
  });
});

test("a linear network whose last layer is fitted by Laplace is the closed-form Bayesian ridge", async () => {
  const n = 60;
  const next = normals(keyFromSeed(8));
  const rows = matrix(n, P, Float64Array.from({ length: n * P }, next));
  for (let j = 0; j < P; j++) {
    let average = 0;
    for (let i = 0; i < n; i++) average += rows.data[i * P + j] / n;
    for (let i = 0; i < n; i++) rows.data[i * P + j] -= average;
  }
  const y = Float64Array.from({ length: n }, (_, i) => 2 * rows.data[i * P] + 3 + 0.5 * next());
  const average = y.reduce((sum, value) => sum + value / n, 0);
  const spread = y.reduce((sum, value) => sum + (value - average) ** 2 / (n - 1), 0);
  const noiseVariance = 0.3;
  const ridge = bayesianLinearRegression(rows, y, { priorVariance: spread, noiseVariance });
  const network = linearNetwork(
    { inputs: P, layers: [], link: "identity" },
    {
      combinations: null,
      weights: matrix(1, P),
      bias: Float64Array.of(ridge.intercept),
      priorVariance: Float64Array.of(1, 1, 1, 1),
    },
  );
  const theta = Float32Array.from(network.parameters);
  theta[layoutOf(network.architecture).logNoise] = Math.log(noiseVariance);
  const single = { data: Float32Array.from(rows.data), rows: n, cols: P };
  const { outputs } = await refitOutput({ ...network, parameters: theta }, single, y, {
    posterior: "laplace",
    recipe: { priorVariance: 1 },
    key: keyFromSeed(1),
  });
  expectClose(outputs[0].mean, ridge.weights.mean, { rtol: 1e-6, atol: 1e-6 });
  const V = outputs[0].covariance as Matrix;
  expectClose(V.data, (ridge.weights.covariance as Matrix).data, { rtol: 1e-6, atol: 1e-6 });
});
