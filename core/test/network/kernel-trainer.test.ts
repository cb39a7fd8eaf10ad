import { afterAll, afterEach, describe, expect, test } from "vitest";
import { useEngine, useThreads } from "../../src/compute/index.ts";
import { relaxedSimdRuns } from "../../src/compute/kernel-build.ts";
import type { Activation } from "../../src/network/activation.ts";
import { type Architecture, connect, type LayerSpec } from "../../src/network/architecture.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { kernelTrainer } from "../../src/network/kernel-trainer.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { penaltyGroups } from "../../src/network/penalty.ts";
import type { TrainerSetup } from "../../src/network/trainer.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import {
  keyFromSeed,
  normals,
  permutation,
  uniformInteger,
  uniforms,
} from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { naiveTrainer } from "./naive/naive-trainer.ts";

afterAll(closeWorkers);

const N = 90;

function setupFor(architecture: Architecture, changes: Partial<TrainerSetup> = {}): TrainerSetup {
  const layout = layoutOf(architecture);
  const next = normals(keyFromSeed(2));
  const X = Float32Array.from({ length: N * layout.inputs }, next);
  const uniform = uniforms(keyFromSeed(3));
  const classes = architecture.classes ?? 2;
  const y = Float32Array.from({ length: N }, (_, i) =>
    architecture.link === "identity"
      ? X[i * layout.inputs] + 0.5 * next()
      : uniformInteger(uniform, classes),
  );
  return {
    layout,
    X,
    y,
    batchSize: 32,
    learningRate: 0.01,
    clipNorm: Number.POSITIVE_INFINITY,
    priorVariance: 0.8,
    totalRows: N,
    learnNoise: true,
    groups: penaltyGroups(layout),
    key: keyFromSeed(7),
    ...changes,
  };
}

/** Both trainers side by side: every batch's loss, then parameters and predictions. */
function compare(
  architecture: Architecture,
  { penalty = 0, ...changes }: Partial<TrainerSetup> & { penalty?: number } = {},
): void {
  const setup = setupFor(architecture, changes);
  const theta = Float32Array.from(initialParameters(architecture, keyFromSeed(1)));
  const trainers = [naiveTrainer(setup), kernelTrainer(setup)];
  const [slow, fast] = trainers;
  const order = permutation(keyFromSeed(4), N);
  for (const trainer of trainers) trainer.load(theta, penalty);
  for (let start = 0; start < 3 * N; start += setup.batchSize) {
    const batch = Uint32Array.from({ length: setup.batchSize }, (_, i) => order[(start + i) % N]);
    const [a, b] = trainers.map((trainer) => trainer.train(batch));
    expectClose([b], [a], { rtol: 2e-5, atol: 1e-4 });
    if (start === 0) {
      // Adam's first step is η·sign(g): parameters differ only where the gradient is all but 0.
      const [before, after] = trainers.map((trainer) => trainer.parameters());
      const differ = before.filter((x, i) => Math.abs(x - after[i]) > 1e-5).length;
      expect(differ / before.length).toBeLessThan(0.005);
    }
  }
  expectClose([fast.train(order)], [slow.train(order)], { rtol: 1e-4 }); // a ragged last batch
  const moved = fast.parameters();
  expect(moved.some((x, i) => Math.abs(x - theta[i]) > 0.005)).toBe(true);
  const rows = permutation(keyFromSeed(5), N).slice(0, 41);
  expectClose(fast.predict(rows), slow.predict(rows), { rtol: 1e-4, atol: 3e-4 });
  for (const trainer of trainers) trainer.dispose();
}

const regression = (layers: readonly LayerSpec[], inputs = 11): Architecture => ({
  inputs,
  layers,
  link: "identity",
});
const dense = (units: number, activation: Activation = "tanh"): LayerSpec => ({
  kind: "dense",
  units,
  activation,
});

describe("the training kernel makes the naive version's steps", () => {
  for (const activation of ["relu", "tanh", "gelu", "sigmoid", "identity"] as Activation[])
    test(`with ${activation}`, () => {
      compare(regression([dense(12, activation), dense(9, activation)]));
    });

  test("with widths below a register tile", () => {
    compare(regression([dense(5), dense(3)], 3));
  });

  test("with layers wide enough to be packed", () => {
    compare(regression([dense(160), dense(120)], 150));
  });

  test("with dropout on the inputs and between layers", () => {
    compare(
      regression([
        { kind: "dropout", rate: 0.1 },
        dense(13),
        { kind: "dropout", rate: 0.4 },
        dense(8),
      ]),
    );
  });

  test("with masked layers", () => {
    const pairs = (n: number, m: number) =>
      connect(Array.from({ length: 3 * n }, (_, c) => [c % n, (c * c) % m] as const));
    compare(
      regression([
        { kind: "masked-dense", units: 10, activation: "tanh", connectivity: pairs(11, 10) },
        { kind: "masked-dense", units: 7, activation: "gelu", connectivity: pairs(10, 7) },
      ]),
      { penalty: 0.5 },
    );
  });

  test("without hidden layers", () => {
    compare(regression([]));
  });

  test("beside what is known of f beforehand", () => {
    const next = normals(keyFromSeed(6));
    const known = (outputs: number) => Float64Array.from({ length: N * outputs }, next);
    compare(regression([dense(8)]), { offsets: known(1) });
    const classes = { inputs: 11, layers: [dense(8)], link: "softmax", classes: 3 } as const;
    compare(classes, { offsets: known(3) });
  });

  test("with a weight a row, of every link", () => {
    const uniform = uniforms(keyFromSeed(8));
    const weights = Float64Array.from({ length: N }, () => 4 * uniform() ** 2);
    compare(regression([dense(8)]), { weights });
    compare(regression([dense(8)]), { weights, learnNoise: false });
    const two = { inputs: 11, layers: [dense(8)], link: "logistic" } as const;
    compare(two, { weights });
    const classes = { inputs: 11, layers: [dense(8)], link: "softmax", classes: 3 } as const;
    compare(classes, { weights });
  });

  const picture = (layers: readonly LayerSpec[]): Architecture => ({
    inputs: 84,
    image: { height: 6, width: 7, channels: 2 },
    layers,
    link: "identity",
  });
  const convolution = {
    kind: "convolution",
    filters: 9,
    kernel: [3, 2],
    stride: [1, 2],
    padding: [1, 0, 2, 1],
    activation: "tanh",
  } as const;

  test("with convolutions, padded, with strides, one after the other", () => {
    compare(
      picture([
        convolution,
        { kind: "convolution", filters: 5, kernel: 2, activation: "gelu" },
        { kind: "flatten" },
        dense(7),
      ]),
      { penalty: 0.5 },
    );
  });

  test("with a convolution wide enough to be packed", () => {
    compare({
      inputs: 32,
      image: { height: 4, width: 4, channels: 2 },
      layers: [
        { kind: "convolution", filters: 70, kernel: 2, activation: "tanh" },
        { kind: "convolution", filters: 60, kernel: 2, activation: "relu" },
        { kind: "flatten" },
        dense(40),
      ],
      link: "identity",
    });
  });

  test("with both poolings, dropout between them", () => {
    compare(
      picture([
        { kind: "average-pool", kernel: 2, stride: 1, padding: [1, 0, 0, 1] },
        convolution,
        { kind: "dropout", rate: 0.2 },
        { kind: "max-pool", kernel: [2, 3], stride: 1, padding: [0, 1, 1, 1] },
        { kind: "average-pool", kernel: 2 },
        { kind: "flatten" },
        dense(6),
      ]),
    );
  });

  test("with batch normalisation of inputs, channels and units", () => {
    compare(
      picture([
        // After activations: the biases of sums that are centred next have no slope but rounding.
        { kind: "batch-normalisation" },
        convolution,
        { kind: "batch-normalisation", activation: "gelu" },
        { kind: "flatten" },
        dense(6),
        { kind: "batch-normalisation", activation: "tanh" },
      ]),
    );
  });

  test("with the logistic link", () => {
    compare({ inputs: 11, layers: [dense(12), dense(8)], link: "logistic" });
  });

  test("with the softmax link", () => {
    compare({ inputs: 11, layers: [dense(12), dense(7)], link: "softmax", classes: 5 });
  });

  test("with a penalty on groups of inputs, a clipped gradient and fixed τ²", () => {
    const architecture = regression([dense(12), dense(8)]);
    const groups = penaltyGroups(layoutOf(architecture), [[0, 3, 4], [1], [2, 10]]);
    compare(architecture, { penalty: 2, groups, clipNorm: 0.05, learnNoise: false });
  });
});

describe("the training kernel", () => {
  test("gives the same bytes with weights of one as without, and others with other weights", () => {
    const architecture = regression([dense(16, "relu"), dense(8)]);
    const trained = (weights?: Float64Array) => {
      const trainer = kernelTrainer(setupFor(architecture, weights && { weights }));
      trainer.load(initialParameters(architecture, keyFromSeed(1)), 0.3);
      const loss = trainer.train(permutation(keyFromSeed(1), N));
      const parameters = trainer.parameters();
      trainer.dispose();
      return { loss, parameters };
    };
    const plain = trained();
    expect(trained(new Float64Array(N).fill(1))).toEqual(plain);
    const heavy = Float64Array.from({ length: N }, (_, i) => (i % 2 === 0 ? 1.9 : 0.1));
    expect(trained(heavy).parameters).not.toEqual(plain.parameters);
  });

  afterEach(() => {
    useEngine(relaxedSimdRuns() ? "relaxed" : "plain");
  });

  const run = (engineName: string, seed: number) => {
    useEngine(engineName);
    const architecture = regression([dense(16, "relu"), { kind: "dropout", rate: 0.2 }, dense(8)]);
    const trainer = kernelTrainer(setupFor(architecture, { key: keyFromSeed(seed) }));
    trainer.load(initialParameters(architecture, keyFromSeed(1)), 0.3);
    for (let epoch = 0; epoch < 5; epoch++) trainer.train(permutation(keyFromSeed(epoch), N));
    const parameters = trainer.parameters();
    trainer.dispose();
    return parameters;
  };

  test("gives the same bytes for the same key, others for another", () => {
    expect(run("plain", 1)).toEqual(run("plain", 1));
    expect(run("plain", 1)).not.toEqual(run("plain", 2));
  });

  test("gives the same bytes on 1, 2 and 3 threads", async () => {
    const wide = regression([dense(133), { kind: "dropout", rate: 0.2 }, dense(131)], 170);
    const setup = setupFor(wide, { clipNorm: 0.5 });
    const outcomes = [];
    for (const threads of [1, 2, 3]) {
      expect(await useThreads(threads)).toBe(threads);
      const trainer = kernelTrainer(setup);
      trainer.load(initialParameters(wide, keyFromSeed(1)), 0.3);
      const losses = [0, 1, 2].map((epoch) => trainer.train(permutation(keyFromSeed(epoch), N)));
      outcomes.push({ losses, parameters: trainer.parameters() });
      trainer.dispose();
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
    expect(outcomes[0].losses.every(Number.isFinite)).toBe(true);
  });

  test("gives the same bytes of layers of images on 1, 2 and 3 threads", async () => {
    const image: Architecture = {
      inputs: 300,
      image: { height: 10, width: 10, channels: 3 },
      layers: [
        { kind: "convolution", filters: 37, kernel: 3, padding: 1, activation: "identity" },
        { kind: "batch-normalisation", activation: "relu" },
        { kind: "dropout", rate: 0.1 },
        { kind: "max-pool", kernel: 2 },
        { kind: "convolution", filters: 20, kernel: 2, activation: "gelu" },
        { kind: "average-pool", kernel: 2 },
        { kind: "flatten" },
        dense(30),
      ],
      link: "identity",
    };
    const setup = setupFor(image, { batchSize: 35 });
    const outcomes = [];
    for (const threads of [1, 2, 3]) {
      expect(await useThreads(threads)).toBe(threads);
      const trainer = kernelTrainer(setup);
      trainer.load(initialParameters(image, keyFromSeed(1)), 0.3);
      const losses = [0, 1].map((epoch) => trainer.train(permutation(keyFromSeed(epoch), N)));
      outcomes.push({ losses, parameters: trainer.parameters() });
      trainer.dispose();
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
    expect(outcomes[0].losses.every(Number.isFinite)).toBe(true);
  });

  test("agrees between the two builds to rounding", () => {
    if (!relaxedSimdRuns()) throw new Error("this test needs a machine with relaxed SIMD");
    expectClose(run("relaxed", 1), run("plain", 1), { rtol: 1e-3, atol: 2e-4 });
  });

  test("goes on from the loaded parameters with fresh moments", () => {
    const architecture = regression([dense(8)]);
    const trainer = kernelTrainer(setupFor(architecture));
    const theta = Float32Array.from(initialParameters(architecture, keyFromSeed(1)));
    trainer.load(theta, 0);
    expect(trainer.parameters()).toEqual(theta);
    const batch = Uint32Array.from({ length: 32 }, (_, i) => i);
    trainer.train(batch);
    trainer.train(batch);
    trainer.load(theta, 0);
    trainer.train(batch);
    // The first step after a load is η·sign(g) again, whatever came before.
    const steps = trainer.parameters().map((x, i) => Math.abs(x - theta[i]));
    expectClose([Math.max(...steps)], [0.01], { rtol: 1e-3 });
    trainer.dispose();
  });
});
