import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import { constantPart } from "../../src/network/constant-part.ts";
import { gain } from "../../src/network/gain.ts";
import {
  type Architecture,
  type FitOptions,
  fit,
  forward,
  type Network,
  outputLayer,
  predict,
} from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { joinLinear } from "../../src/network/join-linear.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { fitLinearPart, linearOutputs } from "../../src/network/linear-part.ts";
import { blend } from "../../src/network/mix.ts";
import { recipe } from "../../src/network/recipe.ts";
import { rowSplits } from "../../src/network/row-splits.ts";
import type { Trainer, TrainerSetup } from "../../src/network/trainer.ts";
import { bayesianLinearRegression } from "../../src/posterior/index.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const P = 4;
const layers = [{ kind: "dense", units: 12, activation: "relu" }] as const;
const architecture: Architecture = { inputs: P, layers, link: "identity" };
const key = keyFromSeed(3);

function rows(n: number, seed: number, f: (x: Float64Array) => number, noise = 0.5) {
  const next = normals(keyFromSeed(seed));
  const data = Float64Array.from({ length: n * P }, next);
  const y = Float64Array.from(
    { length: n },
    (_, i) => f(data.subarray(i * P, i * P + P)) + noise * next(),
  );
  return { X: matrix(n, P, data), y };
}
const line = (x: Float64Array) => 3 + 2 * x[0] - x[1];
const bent = (x: Float64Array) => x[0] + 3 * Math.abs(x[1]);
const layersOf = ({ architecture }: { architecture: Architecture }) =>
  architecture.layers.map(({ kind }) => kind);

describe("a linear part beside hidden units", () => {
  test("is all there is where the truth is a line: the ridge regression of the largest evidence", async () => {
    let linear = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const { X, y } = rows(400, seed, line);
      const { network, tried } = await fit(X, y, { key, architecture });
      expect(tried[0]).toMatchObject({ form: "linear", taken: true });
      if (tried.filter(({ taken }) => taken).length > 1) continue;
      linear++;
      expect(layersOf(network)).toEqual([]);
      const ridge = bayesianLinearRegression(X, y);
      const layer = outputLayer(network);
      expectClose(layer.mean, ridge.weights.mean, { rtol: 2e-3, atol: 1e-3 });
      expectClose([layer.bias], [ridge.intercept], { rtol: 1e-3 });
    }
    // Each of three others gains by chance now and then.
    expect(linear).toBeGreaterThanOrEqual(5);
  });

  test("with prior and noise given, its full covariance is the closed form", () => {
    const { X, y } = rows(60, 2, line);
    const given = { priorVariance: 0.7, noiseVariance: 0.3 };
    const { weights } = bayesianLinearRegression(X, y, given);
    const means = Array.from({ length: P }, (_, j) =>
      Array.from({ length: 60 }, (_, i) => X.data[i * P + j]).reduce((a, b) => a + b / 60, 0),
    );
    const H = X.data.map((value, e) => value - means[e % P]);
    // (HᵀH/τ² + I/σ²) V = I
    for (let a = 0; a < P; a++)
      for (let b = 0; b < P; b++) {
        let sum = weights.covariance.data[a * P + b] / given.priorVariance;
        for (let c = 0; c < P; c++) {
          let product = 0;
          for (let i = 0; i < 60; i++) product += H[i * P + a] * H[i * P + c];
          sum += (product / given.noiseVariance) * weights.covariance.data[c * P + b];
        }
        expect(Math.abs(sum - (a === b ? 1 : 0))).toBeLessThan(1e-6);
      }
  });

  test("leaves everything to hidden units that say it better", async () => {
    const { X, y } = rows(600, 3, bent);
    const { network, tried } = await fit(X, y, { key, architecture });
    expect(layersOf(network)).toEqual(["dense"]);
    expect(tried.map(({ form, taken }) => [form, taken])).toEqual([
      ["linear", true],
      ["network", true],
      ["blend", false],
      ["blend", false],
    ]);
    expect(tried[1].gain!.mean).toBeGreaterThan(5 * tried[1].gain!.error);
  });

  test.each(["blend", "beside"])(
    "as a %s makes a network of [h, x] whose last layer is linear",
    (form) => {
      const mix = form === "blend" ? { linear: 0.3, hidden: 0.7 } : { linear: 1, hidden: 1 };
      const { X, y } = rows(50, 3, bent);
      const all = Uint32Array.from({ length: 50 }, (_, i) => i);
      const part = fitLinearPart(X, y, { link: "identity", outputs: 1 }, { rows: all, key });
      const parameters = initialParameters(architecture, key, "glorot");
      const own = Float32Array.from(parameters);
      const apart: Network = { kind: "network", architecture, parameters: own };
      const joined = joinLinear(architecture, parameters, part, mix);
      expect(layersOf(joined)).toEqual(["dense", "skip"]);
      const line = linearOutputs(part, X);
      const { hidden, mean } = forward(joined, X);
      const alone = forward(apart, X).mean;
      expectClose(
        mean.data,
        Float64Array.from(line, (f, i) => mix.linear * f + mix.hidden * alone.data[i]),
        { rtol: 1e-5, atol: 1e-5 },
      );
      const layer = outputLayer(joined);
      for (let i = 0; i < 50; i++) {
        const h = hidden.data.subarray(i * (12 + P), (i + 1) * (12 + P));
        expectClose(h.subarray(12), X.data.subarray(i * P, (i + 1) * P), { rtol: 1e-6 });
        const f = layer.mean.reduce((sum, w, k) => sum + w * h[k], layer.bias);
        expectClose([mean.data[i]], [f], { rtol: 1e-5, atol: 1e-5 });
      }
    },
  );

  test("beside hidden units predicts better than by itself where each knows a part", async () => {
    const both = (x: Float64Array) => 3 * x[0] - 2 * x[1] + x[2] + Math.abs(x[3]);
    let joined = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const { X, y } = rows(60, seed, both);
      const { network, tried } = await fit(X, y, { key: keyFromSeed(seed), architecture });
      const taken = tried.findLast((each) => each.taken)!;
      if (!layersOf(network).includes("skip")) continue;
      joined++;
      expect(taken.loss).toBeLessThan(tried[0].loss);
      expect(tried[0].form).toBe("linear");
    }
    expect(joined).toBeGreaterThanOrEqual(2);
  });

  test("gives way to a constant where no column says anything of the rows held back", async () => {
    const { X } = rows(400, 5, line);
    const unrelated = rows(400, 6, () => 0, 1).y;
    const { network, tried } = await fit(X, unrelated, { key, architecture });
    expect(tried[0]).toMatchObject({ form: "constant", layers: [] });
    const f = predict(network, X).mean.data;
    const average = unrelated.reduce((a, b) => a + b / 400, 0);
    for (const value of f) expectClose([value], [average], { rtol: 1e-4, atol: 1e-5 });
  });

  test("of classes says their probabilities; of a constant, their shares", async () => {
    const { X, y } = rows(900, 7, line, 1);
    const labels = y.map((value) => (value < 2 ? 0 : value < 4 ? 1 : 2));
    const three = { inputs: P, layers, link: "softmax", classes: 3 } as const;
    const { network } = await fit(X, labels, { key, architecture: three });
    const { probabilities } = predict(network, X);
    const loss = labels.reduce(
      (sum, c, i) => sum - Math.log(probabilities!.data[3 * i + c]) / 900,
      0,
    );
    expect(loss).toBeLessThan(0.65);
    const all = Uint32Array.from({ length: 900 }, (_, i) => i);
    const { bias } = constantPart(P, labels, layoutOf(three), all);
    const sum = bias.reduce((total, b) => total + Math.exp(b), 0);
    const shares = [0, 1, 2].map((c) => labels.filter((label) => label === c).length / 900);
    expectClose(
      Array.from(bias, (b) => Math.exp(b) / sum),
      shares,
      { rtol: 0.01 },
    );
  });

  test("of a wide table has weights for 64 combinations, with no matrix of columns by columns", () => {
    const [n, p] = [300, 400];
    const next = normals(keyFromSeed(8));
    const scores = Float64Array.from({ length: n }, next);
    const X = matrix(
      n,
      p,
      Float64Array.from({ length: n * p }, (_, e) => 3 * scores[Math.floor(e / p)] + next()),
    );
    const y = scores.map((value) => value + 0.1 * next());
    const all = Uint32Array.from({ length: n }, (_, i) => i);
    const part = fitLinearPart(X, y, { link: "identity", outputs: 1 }, { rows: all, key });
    expect([part.combinations!.rows, part.combinations!.cols]).toEqual([p, 64]);
    const f = linearOutputs(part, X);
    const lost = y.reduce((sum, value, i) => sum + (value - f[i]) ** 2, 0);
    expect(lost / y.reduce((sum, value) => sum + value ** 2, 0)).toBeLessThan(0.05);
  });
});

test("the smaller of two networks is kept unless the larger gains more than chance explains", () => {
  const before = Float64Array.of(1, 2, 1, 2);
  const better = gain(
    before,
    before.map((v) => v - 0.5),
  );
  expect([better.mean, better.error, better.convincing]).toEqual([0.5, 0, true]);
  expect(gain(before, before).convincing).toBe(false);
  expect(
    gain(
      before,
      before.map((v) => v - 0.002),
    ).convincing,
  ).toBe(false);
  expect(gain(before, Float64Array.of(3, 0, 1.5, 1.4)).convincing).toBe(false);
});

test("with few rows each is held back once; with many a share of them is", () => {
  const plan = recipe("standard");
  const few = rowSplits(101, plan, key);
  expect(few.length).toBe(5);
  expect(few.flatMap(({ validationRows }) => [...validationRows]).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 101 }, (_, i) => i),
  );
  for (const { trainingRows, validationRows } of few)
    expect(new Set([...trainingRows, ...validationRows]).size).toBe(101);
  const many = rowSplits(2000, plan, key);
  expect(many.map(({ validationRows }) => validationRows.length)).toEqual([600]);
});

test("a larger network is tried only where the smaller one won, and is taken only if it gains", async () => {
  const sizes = (...units: number[]): Architecture => ({
    ...architecture,
    layers: units.map((count) => ({ kind: "dense", units: count, activation: "relu" })),
  });
  const more: FitOptions = { key, architecture: sizes(32, 16), larger: [sizes(128, 64)] };
  const straight = rows(300, 9, line);
  const { tried: few } = await fit(straight.X, straight.y, more);
  expect(few.every(({ layers }) => layers[0] !== 128)).toBe(true);
  const waves = rows(1500, 10, (x) => 2 * Math.sin(3 * x[0]) * x[1] + Math.cos(4 * x[2]), 0.1);
  const { tried, network } = await fit(waves.X, waves.y, more);
  const alone = tried.filter(({ form }) => form === "network");
  expect(alone.map(({ layers, taken }) => [layers, taken])).toEqual([
    [[32, 16], true],
    [[128, 64], true],
  ]);
  expect(layoutOf(network.architecture).hidden - layoutOf(network.architecture).linear).toBe(64);
});

describe("a blend of two predictors", () => {
  const layout = { link: "identity", outputs: 1 } as const;

  test("has the shares that least squares would give them", () => {
    const next = normals(keyFromSeed(12));
    const target = Float64Array.from({ length: 400 }, next);
    const [a, b] = [0.5, 0.9].map((noise) => target.map((value) => value + noise * next()));
    const rowsHeld = Uint32Array.from(target, (_, i) => i);
    const { linear, hidden } = blend({ layout, target, rows: rowsHeld, weights: null }, a, b);
    // min Σ(y − wa − (1−w)b)²: w = Σ(y−b)(a−b)/Σ(a−b)²
    let [up, down] = [0, 0];
    target.forEach((value, i) => {
      up += (value - b[i]) * (a[i] - b[i]);
      down += (a[i] - b[i]) ** 2;
    });
    expectClose([linear], [up / down], { atol: 1e-3 });
    expectClose([linear + hidden], [1], { rtol: 1e-12 });
  });

  test("is judged on rows that had no say in its shares", () => {
    const target = Float64Array.of(1, -1, 1, -1);
    const a = Float64Array.of(1, 0, 1, 0);
    const b = Float64Array.of(0, -1, 0, -1);
    // Rows 0 and 2 want all of a, rows 1 and 3 all of b; each half is judged by what the other wants.
    const { losses } = blend(
      { layout, target, rows: Uint32Array.of(0, 1, 2, 3), weights: null },
      a,
      b,
    );
    for (const loss of losses) expectClose([loss], [1], { atol: 5e-3 });
  });
});

test("in a table of millions of rows training stops within an epoch", async () => {
  const n = 1_100_000;
  const seen: number[] = [];
  const trainer = ({ layout }: TrainerSetup): Trainer => ({
    load: () => {},
    train: (order) => {
      seen[seen.length - 1] += order.length;
      return order.length;
    },
    predict: (asked) => {
      seen.push(0);
      return new Float32Array(asked.length);
    },
    parameters: () => new Float32Array(layout.size),
    blend: () => {},
    exchange: () => {},
    dispose: () => {},
  });
  const one: Architecture = { inputs: 1, layers: [], link: "identity" };
  const changes = { linear: false, penalties: [0], epochs: 3, averagedSteps: 0, trainAgain: false };
  seen.push(0);
  await fit(
    { data: new Float32Array(n), rows: n, cols: 1 },
    new Float64Array(n).map((_, i) => i % 2),
    { key, architecture: one, changes: { ...changes, settle: false }, trainer },
  );
  // 770,000 rows to learn from: two passes of half of them an epoch.
  expect(seen).toEqual([385_000, 385_000, 385_000, 0]);
});
