import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Arena } from "../../src/compute/arena.ts";
import { type KernelBuild, relaxedSimdRuns } from "../../src/compute/kernel-build.ts";
import { loadKernels } from "../../src/compute/kernels.ts";
import type { Architecture } from "../../src/network/architecture.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { penaltyGroups } from "../../src/network/penalty.ts";
import { writeProgram } from "../../src/network/program.ts";
import { keyFromSeed } from "../../src/random/index.ts";

/** Places of fields, in words, in `Program` and `Stage` of core/kernels/train-program.ts. */
const STAGES = 1;
const LINK = 5;
const KIND = 0;
const ACTIVATION = 3;

const dense: Architecture = {
  inputs: 3,
  layers: [{ kind: "dense", units: 4, activation: "tanh" }],
  link: "identity",
};
const picture: Architecture = {
  inputs: 16,
  image: { height: 4, width: 4, channels: 1 },
  layers: [
    { kind: "convolution", filters: 2, kernel: 2, activation: "sigmoid" },
    { kind: "flatten" },
  ],
  link: "logistic",
};

const builds: KernelBuild[] = relaxedSimdRuns() ? ["plain", "relaxed"] : ["plain"];

describe.each(builds)("the %s kernels", (build) => {
  const kernels = loadKernels(build);
  let arena: Arena;

  beforeEach(() => {
    arena = new Arena(kernels.memory);
  });
  afterEach(() => arena.free());

  /** A program in kernel memory: its words, those of its first stage, and what trains and predicts. */
  function programOf(architecture: Architecture) {
    const layout = layoutOf(architecture);
    const n = 6;
    const X = Float32Array.from({ length: n * layout.inputs }, (_, e) => (e % 7) / 7);
    const y = Float32Array.from({ length: n }, (_, i) => i % 2);
    const key = keyFromSeed(1);
    const program = writeProgram(
      {
        ...{ layout, X, y, batchSize: 4, learningRate: 0.01, clipNorm: 1, priorVariance: 1 },
        ...{ totalRows: n, learnNoise: true, groups: penaltyGroups(layout), key },
      },
      () => kernels.memory.buffer,
      (bytes) => arena.room(bytes),
    );
    const { buffer } = kernels.memory;
    new Float32Array(buffer, program.theta, layout.size).set(initialParameters(architecture, key));
    const order = arena.room(n * 4);
    new Uint32Array(buffer, order, n).set(Uint32Array.from({ length: n }, (_, i) => i));
    const out = arena.room(n * layout.outputs * 4);
    const words = new Int32Array(buffer, program.address, LINK + 1);
    const train = () =>
      kernels.here(["trainBatches", program.address, order, n, 0, 1, kernels.scratch(0), 0]);
    const predict = () =>
      kernels.exports.predictRows(program.address, order, n, out, kernels.scratch(0));
    return { words, stage: new Int32Array(buffer, words[STAGES], ACTIVATION + 1), train, predict };
  }

  test.each([dense, picture])("run a program of known codes", (architecture) => {
    const { train, predict } = programOf(architecture);
    expect(train).not.toThrow();
    expect(predict).not.toThrow();
  });

  test.each([5, 255, -1])("trap on activation %i", (code) => {
    for (const architecture of [dense, picture]) {
      const { stage, train, predict } = programOf(architecture);
      stage[ACTIVATION] = code;
      expect(train).toThrow(WebAssembly.RuntimeError);
      expect(predict).toThrow(WebAssembly.RuntimeError);
    }
  });

  test.each([8, 255, -1])("trap on a stage of kind %i", (code) => {
    for (const architecture of [dense, picture]) {
      const { stage, train, predict } = programOf(architecture);
      stage[KIND] = code;
      expect(train).toThrow(WebAssembly.RuntimeError);
      expect(predict).toThrow(WebAssembly.RuntimeError);
    }
  });

  test.each([3, 255, -1])("trap on link %i", (code) => {
    const { words, train } = programOf(dense);
    words[LINK] = code;
    expect(train).toThrow(WebAssembly.RuntimeError);
  });
});
